import { expect, test } from "vitest";
import { EventFeed } from "./event-feed.ts";

test("what the listener leads to comes behind the event that it was told of, for readers too", async () => {
  const told: string[] = [];
  const feed = new EventFeed("session", (event) => {
    told.push(event.type);
    if (event.type === "turn.started") feed.end("It was ended by a listener.");
    return event;
  });
  const events = feed.stream(10);
  feed.feed({ type: "user", uuid: "turn-1", message: { role: "user", content: "Hello" } }, "out");
  feed.close();
  const read: string[] = [];
  for await (const { type } of events) read.push(type);
  expect(told).toEqual(["turn.started", "turn.failed"]);
  expect(read).toEqual(told);
});

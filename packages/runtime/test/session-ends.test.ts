import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGate, text, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import type { RuntimeEvent } from "../src/index.ts";
import { setUp } from "./fixtures/set-up.ts";

test("turns that are over are let go of, however long the session goes on", async () => {
  await using setup = await setUp(({ userText }) => text(`About ${userText}`));
  const session = setup.agent.session();
  const turns: WeakRef<object>[] = [];
  for (const message of ["one", "two", "three"]) turns.push(new WeakRef(await session.submitMessage(message)));
  setup.events.length = 0;
  setFlagsFromString("--expose_gc");
  const collect: () => void = runInNewContext("gc");
  await vi.waitFor(() => {
    collect();
    expect(turns.slice(0, 2).map((turn) => turn.deref() === undefined)).toEqual([true, true]);
  }, 10_000);
});

test("the iterable says who halted a turn in the same words as the callbacks", async () => {
  await using setup = await setUp([toolUse("Bash", { command: "true", description: "Nothing" }), text("Never.")], {
    tools: ["Bash"],
    allowedTools: ["Bash"],
  });
  const session = setup.agent.session();
  session.registerHook("pre_tool_use", () => ({ action: "stop", message: "Enough." }));
  const events = session.events();
  await session.submitMessage("Run it.");
  await session.close();
  const seen: RuntimeEvent[] = [];
  for await (const event of events) seen.push(event);
  expect(seen.at(-1)).toMatchObject({ type: "turn.completed", data: { stopped: { by: "pre_tool_use" } } });
  expect(seen).toEqual(setup.events);
});

test("close waits for the handlers of a turn that has just ended, and session_end comes behind them", async () => {
  const entered = createGate();
  const goOn = createGate();
  await using setup = await setUp([text("Done.")]);
  const session = setup.agent.session();
  const order: string[] = [];
  session.registerHook("turn_end", async ({ signal }) => {
    entered.open();
    await goOn.opened;
    order.push(signal.aborted ? "turn_end, aborted" : "turn_end");
  });
  session.registerHook("session_end", () => void order.push("session_end"));
  const turn = session.submitMessage("Hello");
  await entered.opened;
  const closed = session.close().then(() => order.push("closed"));
  // Behind it nothing but the handler holds up the end.
  await session.client.close();
  goOn.open();
  await closed;
  expect(order).toEqual(["turn_end", "session_end", "closed"]);
  expect((await turn).text).toBe("Done.");
});

test.for(["turn_start", "pre_tool_use", "turn_end", "session_end"] as const)(
  "a handler of %s may wait for the close of its own session",
  async (event) => {
    await using setup = await setUp([toolUse("Bash", { command: "true", description: "Nothing" }), text("Done.")], {
      tools: ["Bash"],
      allowedTools: ["Bash"],
    });
    const session = setup.agent.session();
    const ends: string[] = [];
    session.registerHook(event, async () => {
      await session.close();
      ends.push(event);
    });
    session.registerHook("session_end", () => void ends.push("last"));
    const events = session.events();
    await session.submitMessage("Run it.").catch(() => {});
    if (event === "session_end") await session.close();
    // Their end is that of the session.
    for await (const _ of events);
    await vi.waitFor(() => expect(new Set(ends)).toEqual(new Set([event, "last"])), 10_000);
  },
);

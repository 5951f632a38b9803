import { hookEvents } from "@reins/messages";
import { hookInputSchemas, inboundRequestSchemas } from "@reins/messages/schemas";
import { expect, test } from "vitest";
import { type Provoked, provokeHooks } from "./provoked/hook-session.ts";
import { unreachable } from "./provoked/unreachable.ts";

let playing: Promise<Provoked> | undefined;

/** One session of the real CLI for all tests. */
function provoked(): Promise<Provoked> {
  playing ??= provokeHooks();
  return playing;
}

const reachable = hookEvents.filter((event) => !(event in unreachable));

test.each(reachable)("the real CLI calls %s, with what its type says", async (event) => {
  const inputs = (await provoked()).inputs.get(event) ?? [];
  expect(inputs).not.toEqual([]);
  for (const input of inputs) expect(hookInputSchemas[event].safeParse(input)).toMatchObject({ success: true });
});

test("the real CLI calls nothing of what is said to be out of reach", async () => {
  const { inputs } = await provoked();
  expect([...inputs.keys()].filter((event) => event in unreachable)).toEqual([]);
});

test.each(Object.keys(inboundRequestSchemas).filter((subtype) => !(subtype in unreachable)))(
  "the real CLI asks %s",
  async (subtype) => {
    expect([...(await provoked()).requests]).toContain(subtype);
  },
);

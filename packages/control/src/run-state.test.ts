import { decodeFrame, encodeFrame, type FrameValue } from "@reins/streamjson";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunState } from "./run-state.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const result = { type: "result", subtype: "success" };

function state(name: string): FrameValue {
  return { type: "system", subtype: "session_state_changed", state: name };
}

function started(ceilingMs = 1000): {
  run: RunState;
  see: (...values: FrameValue[]) => void;
  isOver: () => Promise<boolean>;
  ceilings: () => number;
} {
  let ceilings = 0;
  const run = new RunState(ceilingMs, () => ceilings++);
  run.promptSent();
  let over = false;
  void run.whenOver().then(() => {
    over = true;
  });
  return {
    run,
    see: (...values) => {
      for (const value of values) run.observe(decodeFrame(encodeFrame(value)));
    },
    isOver: async () => {
      await Promise.resolve();
      return over;
    },
    ceilings: () => ceilings,
  };
}

test("a run is over with its result where the CLI never reports a state", async () => {
  const { see, isOver } = started();
  expect(await isOver()).toBe(false);
  see(result);
  expect(await isOver()).toBe(true);
});

test("a run is over when the CLI is idle, not at the first result", async () => {
  const { see, isOver } = started();
  see(state("running"), result);
  expect(await isOver()).toBe(false);
  see(result);
  expect(await isOver()).toBe(false);
  see(state("idle"));
  expect(await isOver()).toBe(true);
});

test("idle without a result does not end a run", async () => {
  const { see, isOver } = started();
  see(state("running"), state("idle"));
  expect(await isOver()).toBe(false);
});

test("the ceiling ends a run that gives no sign after its result", async () => {
  const { see, isOver, ceilings } = started();
  see(state("running"), result);
  vi.advanceTimersByTime(999);
  expect(await isOver()).toBe(false);
  vi.advanceTimersByTime(1);
  expect([await isOver(), ceilings()]).toEqual([true, 1]);
});

test("the ceiling does not run while the CLI waits for the host, or while the main conversation goes on", async () => {
  for (const sign of [state("requires_action"), { type: "assistant", parent_tool_use_id: null }]) {
    const { run, see, isOver } = started();
    see(state("running"), result, sign);
    vi.advanceTimersByTime(10_000);
    expect(await isOver()).toBe(false);
    run.close();
    expect([await isOver(), vi.getTimerCount()]).toEqual([true, 0]);
  }
});

test("a sub-agent's message does not stop the ceiling", async () => {
  const { see, isOver } = started();
  see(state("running"), result, { type: "assistant", parent_tool_use_id: "toolu_1" });
  vi.advanceTimersByTime(1000);
  expect(await isOver()).toBe(true);
});

test("a ceiling of 0 is none", async () => {
  const { see, isOver } = started(0);
  see(state("running"), result);
  vi.advanceTimersByTime(1e9);
  expect(await isOver()).toBe(false);
});

test("another prompt is another run", async () => {
  const { run, see } = started();
  see(state("running"), result, state("idle"));
  run.promptSent();
  expect(run.lacksResult).toBe(true);
  let over = false;
  void run.whenOver().then(() => {
    over = true;
  });
  await Promise.resolve();
  expect(over).toBe(false);
  see(state("running"), result, state("idle"));
  await Promise.resolve();
  expect([over, run.lacksResult]).toEqual([true, false]);
});

test("is quiet only when no background task could start another run", () => {
  const { run, see } = started();
  const changes: boolean[] = [];
  run.watch(() => changes.push(run.isQuiet));
  see(state("running"), { type: "system", subtype: "background_tasks_changed", tasks: [{}] }, result, state("idle"));
  expect(run.isQuiet).toBe(false);
  see({ type: "system", subtype: "background_tasks_changed", tasks: [] });
  expect(run.isQuiet).toBe(true);
  see(state("running"));
  expect([run.isQuiet, changes.at(-1)]).toEqual([false, false]);
});

import { decodeFrame } from "@reins/streamjson";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type InitializeTimeoutError, StartupClock, type StartupLimits } from "./startup-clock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function start(limits: StartupLimits): {
  readonly errors: InitializeTimeoutError[];
  readonly hook: (subtype: string, id: string, event?: string) => void;
  readonly clock: StartupClock;
} {
  const errors: InitializeTimeoutError[] = [];
  const clock = new StartupClock(limits, (error) => errors.push(error));
  return {
    errors,
    clock,
    hook: (subtype, hook_id, hook_event = "SessionStart") => {
      clock.onFrame(decodeFrame(JSON.stringify({ type: "system", subtype, hook_id, hook_event })));
    },
  };
}

const limits: StartupLimits = { timeoutMs: 60_000, hooksMs: 600_000 };

test("the time counts from the start, once", () => {
  const { errors } = start(limits);
  vi.advanceTimersByTime(59_999);
  expect(errors).toEqual([]);
  vi.advanceTimersByTime(600_000);
  expect(errors).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("time in which a hook of the start runs does not count, however many run at once", () => {
  const { errors, hook } = start(limits);
  vi.advanceTimersByTime(50_000);
  hook("hook_started", "a");
  hook("hook_started", "b", "Setup");
  vi.advanceTimersByTime(100_000);
  hook("hook_response", "a");
  vi.advanceTimersByTime(100_000);
  hook("hook_response", "b", "Setup");
  vi.advanceTimersByTime(9_999);
  expect(errors).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(errors).toHaveLength(1);
});

test("hooks have a limit in all; behind it their time counts", () => {
  const { errors, hook } = start(limits);
  hook("hook_started", "a");
  vi.advanceTimersByTime(400_000);
  hook("hook_response", "a");
  hook("hook_started", "b");
  vi.advanceTimersByTime(200_000 + 59_999);
  expect(errors).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(errors).toHaveLength(1);
});

test("other hooks, and hooks where all time counts, change nothing", () => {
  const other = start(limits);
  other.hook("hook_started", "a", "PreToolUse");
  const counting = start({ timeoutMs: 60_000, hooksMs: 0 });
  counting.hook("hook_started", "a");
  vi.advanceTimersByTime(60_000);
  expect([other.errors.length, counting.errors.length]).toEqual([1, 1]);
});

test("stopped, it strikes no more, and lets everything through", () => {
  const { errors, clock } = start(limits);
  clock.stop();
  vi.advanceTimersByTime(120_000);
  expect(errors).toEqual([]);
  expect(clock.onFrame(decodeFrame('{"type":"system","subtype":"hook_progress"}'))).toBe(true);
});

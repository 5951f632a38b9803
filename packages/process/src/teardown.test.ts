import { expect, test, vi } from "vitest";
import { endProcess, settlesWithin } from "./teardown.ts";

/** A process that ends at one of the steps, and the steps that were taken, with their times. */
function subject(endsAt: "endInput" | "terminate" | "kill"): {
  steps: string[];
  run: (platform: string) => Promise<void>;
} {
  const steps: string[] = [];
  const begin = Date.now();
  let exit: () => void = () => {};
  const exited = new Promise<void>((resolve) => {
    exit = resolve;
  });
  const step = (name: string) => (): void => {
    steps.push(`${name} ${Date.now() - begin}`);
    if (name === endsAt) exit();
  };
  const ending = { endInput: step("endInput"), terminate: step("terminate"), kill: step("kill") };
  return { steps, run: (platform) => endProcess(ending, exited, { endGraceMs: 2000, killGraceMs: 5000 }, platform) };
}

async function stepsOf(endsAt: "endInput" | "terminate" | "kill", platform: string): Promise<string[]> {
  vi.useFakeTimers();
  try {
    const { steps, run } = subject(endsAt);
    const ended = run(platform);
    await vi.advanceTimersByTimeAsync(10_000);
    await ended;
    expect(vi.getTimerCount()).toBe(0);
    return steps;
  } finally {
    vi.useRealTimers();
  }
}

test("a process that ends with its input gets no signal", async () => {
  expect(await stepsOf("endInput", "linux")).toEqual(["endInput 0"]);
});

test("a process that ignores the end of its input gets SIGTERM, then SIGKILL", async () => {
  expect(await stepsOf("terminate", "linux")).toEqual(["endInput 0", "terminate 2000"]);
  expect(await stepsOf("kill", "linux")).toEqual(["endInput 0", "terminate 2000", "kill 7000"]);
});

test("on Windows there is no SIGTERM, and the same time until it is killed", async () => {
  expect(await stepsOf("kill", "win32")).toEqual(["endInput 0", "kill 7000"]);
});

test("a wait longer than timers can count is for ever, and not over at once", async () => {
  vi.useFakeTimers();
  let settled = false;
  const never = new Promise(() => {});
  void settlesWithin(never, Number.POSITIVE_INFINITY).then(() => {
    settled = true;
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).toBe(false);
  vi.useRealTimers();
});

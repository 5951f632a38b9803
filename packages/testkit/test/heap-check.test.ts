import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { checkHeap, type HeapCheckOptions, type Leak, LeakError, type Track } from "../src/index.ts";

class Session {
  readonly buffer: number[] = Array.from({ length: 500 }, (_, index) => index);
}

async function leaksOf(
  scenario: (track: Track) => Promise<void>,
  options: HeapCheckOptions = {},
): Promise<readonly Leak[]> {
  const error: unknown = await checkHeap(scenario, { timeoutMs: 50, ...options }).catch((reason: unknown) => reason);
  if (error instanceof LeakError) return error.leaks;
  if (error instanceof Error) throw error;
  return [];
}

describe("the heap check", () => {
  test("is content with garbage, however much, and with a cache that fills once", async () => {
    let cache: string[] | undefined;
    let rounds = 0;
    const { bytesPerRound, aliveBytes } = await checkHeap(async (track) => {
      const sessions = Array.from({ length: 100 }, () => track(new Session()));
      await Promise.resolve(sessions);
      if (++rounds === 60) cache = Array.from({ length: 100_000 }, (_, index) => `entry ${index}`);
    });

    expect(cache).toHaveLength(100_000);
    expect(bytesPerRound).toBeLessThan(2_048);
    expect(aliveBytes).toHaveLength(9);
    expect(Math.max(...aliveBytes) - Math.min(...aliveBytes)).toBeGreaterThan(1_000_000);
  });

  test("finds what each round leaves, and how much it is", async () => {
    const kept: string[][] = [];
    const leaks = await leaksOf(async () => {
      // Numbers as text, one object each.
      kept.push(Array.from({ length: 100 }, () => `${Math.random()}`));
    });

    expect(leaks).toEqual([{ kind: "heap", what: expect.stringMatching(/^\d{4} bytes per round, where 2048 are/) }]);
    expect(kept.length).toBe(30 + 2 * 64 + 1);
  });

  test("finds what is kept outside of the heap of JavaScript", async () => {
    const kept: ArrayBuffer[] = [];
    const leaks = await leaksOf(async () => {
      kept.push(new ArrayBuffer(100_000));
    });

    expect(leaks).toEqual([{ kind: "heap", what: expect.stringMatching(/^10\d{4} bytes per round/) }]);
  });

  test("finds a tracked object that a listener of something older refers to, whatever its size", async () => {
    const older = new EventEmitter().setMaxListeners(0);
    const leaks = await leaksOf(
      async (track) => {
        const session = track(new Session());
        older.on("data", () => session.buffer.length);
        track(new Session());
      },
      { limitBytes: Number.POSITIVE_INFINITY },
    );

    expect(leaks).toEqual([{ kind: "heap", what: "Session, 1 times, still referenced" }]);
  });

  test("waits for an object that is let go of a little later", async () => {
    const leaks = await leaksOf(
      async (track) => {
        const session = track(new Session());
        setTimeout(() => session.buffer.length, 30);
      },
      { timeoutMs: 10_000, warmUpRounds: 0, rounds: 8, limitBytes: 100_000 },
    );

    expect(leaks).toEqual([]);
  });

  test("fails with what the scenario throws", async () => {
    await expect(checkHeap(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  });
});

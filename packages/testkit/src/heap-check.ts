import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Leak, LeakError } from "./leak-check.ts";

/** How a heap check measures, and what it takes for a leak. */
export interface HeapCheckOptions {
  /**
   * Rounds before the first measurement, in which code is compiled and caches fill. Default 30: of a session on a scripted CLI, V8 keeps
   * some 2 KB per round in the first twenty, and next to nothing behind them.
   */
  readonly warmUpRounds?: number;
  /** Rounds that are measured. Default 64; each eighth of them ends with a measurement. */
  readonly rounds?: number;
  /**
   * The growth in bytes per round from which on it is a leak. Default 2,048: a session that is still referenced keeps tens of
   * kilobytes, and what V8 goes on learning of its code was below 1,000 in all sessions that were measured.
   */
  readonly limitBytes?: number;
  /** How long a tracked object that is on its way out may take after the last round, in ms. Default 2,000. */
  readonly timeoutMs?: number;
}

/** What was measured. */
export interface HeapGrowth {
  /**
   * The smaller one of two medians: of the growth from each measurement to the next, which a single jump does not move, and of the slopes
   * between any two measurements (Theil and Sen), which a single outlier moves least. A leak raises both.
   */
  readonly bytesPerRound: number;
  /** What was alive at each measurement, in bytes: the heap of JavaScript and what its buffers hold outside of it. */
  readonly aliveBytes: readonly number[];
}

/** Remembers an object that must be collected once its round is over, and returns it. */
export type Track = <Value extends object>(object: Value) => Value;

/**
 * Runs a scenario again and again, to prove that nothing of it stays in memory. What a single run leaves on the heap cannot be told from what
 * code, caches and the collector do at the same time; what *each* run leaves adds up. Two proofs:
 *
 * - objects that the scenario tracked are collected after the last round. This is exact: it needs no limit, and one round would do.
 * - the heap does not grow by more than the limit per round. Medians of several measurements are compared with it, each behind two full
 *   collections, so that a cache that fills once does not count; and what is above the limit is measured once more.
 *
 * Rounds run one after the other, and nothing else should run in the process meanwhile. The scenario is a function that tracks and returns:
 * a variable outside of it that still refers to the object keeps it alive, and is found.
 *
 * @throws {@link LeakError} with leaks of the kind `"heap"`.
 * @throws what the scenario throws.
 * @example
 * await checkHeap(async (track) => {
 *   await using session = track(query({ prompt: "Hi", options: { transport: scriptedCli(script).transport } }));
 *   for await (const message of session) track(message);
 * });
 */
export async function checkHeap(
  scenario: (track: Track) => Promise<void>,
  options: HeapCheckOptions = {},
): Promise<HeapGrowth> {
  const { warmUpRounds = 30, rounds = 64, limitBytes = 2_048, timeoutMs = 2_000 } = options;
  const collect = garbageCollector();
  await run(scenario, warmUpRounds);
  const stride = Math.max(1, Math.round(rounds / intervals));
  let growth = await measureGrowth(scenario, stride, collect);
  // What code and caches take comes to an end, a leak does not.
  if (growth.bytesPerRound > limitBytes) growth = await measureGrowth(scenario, stride, collect);
  const leaks = await aliveAfter(scenario, collect, timeoutMs);
  if (growth.bytesPerRound > limitBytes) {
    const kilobytes = growth.aliveBytes.map((bytes) => Math.round(bytes / 1_024)).join(", ");
    const what = `${Math.round(growth.bytesPerRound)} bytes per round, where ${limitBytes} are allowed`;
    leaks.push({ kind: "heap", what: `${what}; KiB after each ${stride} rounds: ${kilobytes}` });
  }
  if (leaks.length > 0) throw new LeakError(leaks, timeoutMs);
  return growth;
}

/** Enough for medians that some measurements of any size do not move. */
const intervals = 8;

async function run(scenario: (track: Track) => Promise<void>, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) await scenario((object) => object);
}

async function measureGrowth(
  scenario: (track: Track) => Promise<void>,
  stride: number,
  collect: () => void,
): Promise<HeapGrowth> {
  const aliveBytes = [await measure(collect)];
  for (let interval = 0; interval < intervals; interval++) {
    await run(scenario, stride);
    aliveBytes.push(await measure(collect));
  }
  const slopes = (from: number, index: number): { slope: number; distance: number }[] =>
    aliveBytes.slice(index + 1).map((to, more) => ({ slope: (to - from) / (more + 1), distance: more + 1 }));
  const all = aliveBytes.flatMap(slopes);
  const trend = medianOf(all.map(({ slope }) => slope));
  const step = medianOf(all.filter(({ distance }) => distance === 1).map(({ slope }) => slope));
  return { bytesPerRound: Math.min(trend, step) / stride, aliveBytes };
}

async function measure(collect: () => void): Promise<number> {
  // The second time it finds what a finalizer of the first one, or the end of a task, has let go of.
  for (let time = 0; time < 2; time++) {
    await nextTurn();
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function medianOf(values: number[]): number {
  const sorted = values.sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** Runs one more round, and tells what it tracked and is alive when the time is over. */
async function aliveAfter(
  scenario: (track: Track) => Promise<void>,
  collect: () => void,
  timeoutMs: number,
): Promise<Leak[]> {
  let tracked: { readonly ref: WeakRef<object>; readonly name: string }[] = [];
  await scenario((object) => {
    tracked.push({ ref: new WeakRef(object), name: object.constructor?.name || "an object" });
    return object;
  });
  const deadline = Date.now() + timeoutMs;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 100)) {
    await measure(collect);
    tracked = tracked.filter(({ ref }) => ref.deref() !== undefined);
    if (tracked.length === 0 || Date.now() >= deadline) break;
    await delay(waitMs);
  }
  const counts = new Map<string, number>();
  for (const { name } of tracked) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ kind: "heap", what: `${name}, ${count} times, still referenced` }));
}

/** It exists in contexts that are made behind the flag. */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("typeof gc === 'function' ? gc : undefined");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect !== "function")
    throw new Error("This runtime gives no access to its garbage collector: use Node.");
  return () => {
    collect();
  };
}

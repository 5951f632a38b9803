import { quantile, startClock } from "./measure.ts";
import type { Cost } from "./row.ts";

/** The CLI writes a handful of entries at a time; the mirror gathers up to 500. */
export const batchSize = 50;
export const projectKey = "-home-user-project";

/** An entry of about 1 KB. */
export interface Entry {
  readonly [field: string]: unknown;
  readonly type: string;
}

/** Appends batches: each of the writers one after the other, all writers at once. */
export async function timeAppends(
  batches: number,
  writers: number,
  append: (writer: number, batch: Entry[]) => Promise<unknown>,
): Promise<Cost> {
  const work = Array.from({ length: batches }, (_, n) => entriesOf(n * batchSize, batchSize));
  const latencies: number[] = [];
  const stop = startClock();
  const writing = Array.from({ length: writers }, async (_, writer) => {
    for (let n = writer; n < batches; n += writers) {
      const began = performance.now();
      await append(writer, work[n] ?? []);
      latencies.push(performance.now() - began);
    }
  });
  await Promise.all(writing);
  const { ms, "ms CPU": cpu } = stop();
  return {
    "entries/s": (batches * batchSize * 1000) / ms,
    "ms median": quantile(latencies, 0.5),
    "ms 99th": quantile(latencies, 0.99),
    "ms CPU": cpu,
  };
}

/** Reads, and checks that all came. */
export async function timeRead(count: number, read: () => Promise<readonly unknown[]>): Promise<Cost> {
  const stop = startClock();
  const found = await read();
  if (found.length !== count) throw new Error(`${found.length} instead of ${count} came back.`);
  return stop();
}

/** Makes so many sessions, some at once, each with two entries and a title. */
export async function fillProject(
  count: number,
  atOnce: number,
  append: (session: { projectKey: string; sessionId: string }, entries: Entry[]) => Promise<unknown>,
): Promise<void> {
  const title = { type: "custom-title", customTitle: "What this session is about, in a few words" };
  for (let n = 0; n < count; n += atOnce) {
    const sessions = Array.from({ length: atOnce }, (_, i) => ({ projectKey, sessionId: uuidOf(n + i) }));
    await Promise.all(sessions.map((session) => append(session, [...entriesOf(0, 2), title])));
  }
}

/** Entries as the CLI writes them. */
export function entriesOf(from: number, count: number): Entry[] {
  return Array.from({ length: count }, (_, n) => ({
    parentUuid: from + n === 0 ? null : uuidOf(from + n - 1),
    isSidechain: false,
    type: n % 2 === 0 ? "user" : "assistant",
    message: { role: n % 2 === 0 ? "user" : "assistant", content: `Line ${from + n}: "quoted" text\n`.repeat(20) },
    uuid: uuidOf(from + n),
    timestamp: new Date(1.7e12 + from + n).toISOString(),
    cwd: "/home/user/project",
    sessionId: uuidOf(0),
    version: "2.1.328",
    gitBranch: "main",
  }));
}

function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { alternate } from "./measure.ts";
import type { Cost, Effort, Row, Samples } from "./row.ts";
import { createCorpus, type SessionCorpus } from "./session-corpus.ts";

/**
 * What reading and forking transcripts costs beside the official SDK: the same files, each call in a process of its own, the contenders in
 * turn. Memory is the highest resident size above that of the process before the call.
 */
export const sessionRows: readonly Row[] = [
  ...[1_000, 10_000].map(
    (count): Row => ({
      name: `list-${count}`,
      title: `listSessions() over ${count} sessions of 70 KB, a tenth if quick`,
      measure: (effort) => beside(effort, listed(effort.quick ? count / 10 : count), () => ["list"]),
    }),
  ),
  {
    name: "info",
    title: "200 times getSessionInfo() among 10,000 sessions, 1,000 if quick",
    measure: (effort) => infos(effort, "info"),
  },
  {
    name: "info-in-folder",
    title: "the same with the option dir",
    measure: (effort) => infos(effort, "info-in-folder"),
  },
  ...[50, 200].map(
    (megabytes): Row => ({
      name: `messages-${megabytes}mb`,
      title: `getSessionMessages() of ${megabytes} MB, a tenth if quick`,
      measure: (effort) =>
        beside(effort, single(effort.quick ? megabytes / 10 : megabytes), ({ ids }) => ["messages", ids[0] ?? ""]),
    }),
  ),
  {
    name: "fork-50mb",
    title: "forkSession() of 50 MB, a tenth if quick",
    measure: (effort) => beside(effort, single(effort.quick ? 5 : 50), ({ ids }) => ["fork", ids[0] ?? ""]),
  },
  {
    name: "lines-200mb",
    title: "readTranscript() of 200 MB, a tenth if quick, for which the official SDK has nothing",
    measure: async (effort) => {
      using corpus = single(effort.quick ? 20 : 200)();
      const args = ["stream", corpus.ids[0] ?? ""];
      return await alternate(fewRounds(effort), { "@reins/sessions": () => measure("own", corpus, args) });
    },
  },
  {
    name: "memory-store-append",
    title: "MemorySessionStore: 2,000 appends of 50 entries, 200 if quick (the official one is InMemorySessionStore)",
    measure: (effort) => {
      return beside(effort, listed(1), () => ["append", effort.quick ? "200" : "2000"]);
    },
  },
];

/** Sessions of a few turns: longer than what is read of one end, so that both ends count. */
function listed(count: number): () => SessionCorpus {
  return () => createCorpus(count, 70_000);
}

function single(megabytes: number): () => SessionCorpus {
  return () => createCorpus(1, megabytes * 1e6);
}

async function infos(effort: Effort, call: string): Promise<Samples[]> {
  const count = effort.quick ? 1_000 : 10_000;
  return await beside(effort, listed(count), ({ ids }) => [call, ids[count >> 1] ?? "", "200"]);
}

/** Each round is a process and takes seconds. */
function fewRounds({ quick }: Effort): { readonly rounds: number } {
  return { rounds: quick ? 1 : 3 };
}

async function beside(
  effort: Effort,
  create: () => SessionCorpus,
  argsOf: (corpus: SessionCorpus) => readonly string[],
): Promise<Samples[]> {
  using corpus = create();
  const args = argsOf(corpus);
  return await alternate(fewRounds(effort), {
    "@reins/sessions": () => measure("own", corpus, args),
    "official SDK": () => measure("peer", corpus, args),
  });
}

async function measure(contender: string, corpus: SessionCorpus, call: readonly string[]): Promise<Cost> {
  const child = fileURLToPath(new URL("session-child.ts", import.meta.url));
  const env = { PATH: process.env["PATH"], CLAUDE_CONFIG_DIR: corpus.configDir };
  const args = ["--import=tsx", child, contender, ...call];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 300_000 });
  return JSON.parse(stdout);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { GetObjectCommand, PutObjectCommand, paginateListObjectsV2, type S3Client } from "@aws-sdk/client-s3";
import type { SessionStoreEntry } from "@reins/sessions";
import { S3SessionStore } from "@reins/sessions-s3";
import { createS3Client } from "@reins/test-servers/s3";
import { alternate, quantile, startClock } from "./measure.ts";
import type { Cost, Row } from "./row.ts";

/** What the store costs over the bare client that sends the same bytes, to an imitation of S3 in another process on this machine. */
export const s3StoreRows: readonly Row[] = [
  {
    name: "s3-append",
    title:
      "S3SessionStore: appends of 50 entries of 300 bytes, one after the other; the bare client puts one object each",
    measure: async (effort) => {
      await using place = await startServer();
      const appends = effort.quick ? 50 : 200;
      return await alternate(effort, {
        "@reins/sessions-s3": () => timed(appends, appendTo(place, undefined)),
        "@reins/sessions-s3, subpath": () => timed(appends, appendTo(place, "subagents/agent-a")),
        "bare client": () => timed(appends, (n) => putObject(place, `bare/${n}`, linesOf(n * 50, 50))),
      });
    },
  },
  {
    name: "s3-load",
    title:
      "S3SessionStore: load() of 100 MB in 400 parts; the bare client gets the same objects, 16 at once, and parses them",
    measure: async ({ rounds, quick }) => {
      await using place = await startServer();
      const parts = quick ? 40 : 400;
      await using store = openStore(place);
      const [key, compacted] = ["parts", "compacted"].map((sessionId) => ({ projectKey: "-p", sessionId }));
      if (key === undefined || compacted === undefined) return [];
      for (const each of [key, compacted]) {
        for (let n = 0; n < parts; n++) await store.append({ ...each, subpath: "s" }, entriesOf(n * 50, 50, 5_000));
      }
      await store.compactSession(compacted);
      return await alternate(
        { rounds: Math.min(rounds, 3) },
        {
          "@reins/sessions-s3": () => loaded(place, { ...key, subpath: "s" }, parts * 50),
          "@reins/sessions-s3, compacted": () => loaded(place, { ...compacted, subpath: "s" }, parts * 50),
          "bare client": () => fetched(place, "parts/-p/parts/sub/s/"),
        },
      );
    },
  },
  {
    name: "s3-list",
    title: "S3SessionStore: lists of 2,000 sessions; the bare client lists as many keys",
    measure: async ({ rounds, quick }) => {
      await using place = await startServer();
      const count = quick ? 500 : 2_000;
      await using writer = openStore(place);
      // Some at once: as many as the client has sockets would only queue.
      for (let n = 0; n < count; n += 100) {
        const some = Array.from({ length: 100 }, (_, i) => ({ projectKey: "-p", sessionId: `session-${n + i}` }));
        await Promise.all(some.map((key) => writer.append(key, entriesOf(n, 1))));
      }
      return await alternate(
        { rounds: Math.min(rounds, 3) },
        {
          "@reins/sessions-s3, listSessions": () => counted(place, count, (store) => store.listSessions("-p")),
          // The first round reads each summary; what is measured behind it finds them in the cache.
          "@reins/sessions-s3, summaries": () => counted(place, count, (store) => store.listSessionSummaries("-p")),
          "bare client": async () => {
            const stop = startClock();
            let keys = 0;
            const pages = paginateListObjectsV2({ client: place.client }, { Bucket: place.bucket, Prefix: "list/-p/" });
            for await (const { Contents = [] } of pages) keys += Contents.length;
            if (keys !== count) throw new Error(`There are ${keys} keys.`);
            return stop();
          },
        },
      );
    },
  },
];

interface Place extends AsyncDisposable {
  readonly client: S3Client;
  readonly bucket: string;
}

/** Starts the server in a process of its own, which ends with its stdin. */
async function startServer(): Promise<Place> {
  const program =
    'const { startS3 } = await import("@reins/test-servers/s3"); const { endpoint, bucket } = await startS3();' +
    "console.log(JSON.stringify({ endpoint, bucket })); process.stdin.resume().on('end', () => process.exit());";
  const argv = ["--import=tsx", "--input-type=module", "--eval", program];
  const child = spawn(process.execPath, argv, { cwd: import.meta.dirname, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const [said] = await once(child.stdout, "data");
  const { endpoint, bucket } = JSON.parse(String(said));
  const client = createS3Client(endpoint);
  return {
    client,
    bucket,
    async [Symbol.asyncDispose]() {
      client.destroy();
      child.stdin.end();
      await exited;
    },
  };
}

function openStore({ client, bucket }: Place): S3SessionStore {
  return new S3SessionStore({ client, bucket, leases: false });
}

function appendTo(place: Place, subpath: string | undefined): (n: number) => Promise<void> {
  const store = openStore(place);
  const key = { projectKey: "-p", sessionId: crypto.randomUUID(), ...(subpath !== undefined && { subpath }) };
  return (n) => store.append(key, entriesOf(n * 50, 50));
}

async function timed(appends: number, append: (n: number) => Promise<void>): Promise<Cost> {
  await append(appends);
  const times: number[] = [];
  const stop = startClock();
  for (let n = 0; n < appends; n++) {
    const began = performance.now();
    await append(n);
    times.push(performance.now() - began);
  }
  const { ms, "ms CPU": cpu } = stop();
  return {
    "entries/s": (appends * 50 * 1_000) / ms,
    "ms, median": quantile(times, 0.5),
    "ms, p99": quantile(times, 0.99),
    "ms CPU each": cpu / appends,
  };
}

async function loaded(place: Place, key: Parameters<S3SessionStore["load"]>[0], count: number): Promise<Cost> {
  await using store = openStore(place);
  const stop = startClock();
  const entries = await store.load(key);
  if (entries?.length !== count) throw new Error(`There are ${entries?.length} entries.`);
  return stop();
}

async function fetched({ client, bucket }: Place, prefix: string): Promise<Cost> {
  const stop = startClock();
  const keys: string[] = [];
  const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix });
  for await (const { Contents = [] } of pages) keys.push(...Contents.map(({ Key = "" }) => Key));
  const objects: unknown[][] = [];
  const next = keys.entries();
  const work = async () => {
    for (const [index, Key] of next) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key }));
      const lines = (await Body?.transformToString())?.trimEnd().split("\n") ?? [];
      objects[index] = lines.map((line) => JSON.parse(line));
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return stop();
}

async function counted(
  place: Place,
  count: number,
  list: (store: S3SessionStore) => Promise<readonly unknown[]>,
): Promise<Cost> {
  await using store = openStore(place);
  const stop = startClock();
  const rows = await list(store);
  if (rows.length !== count) throw new Error(`There are ${rows.length} rows.`);
  return stop();
}

async function putObject({ client, bucket }: Place, Key: string, Body: string): Promise<void> {
  await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body }));
}

function linesOf(first: number, count: number): string {
  return entriesOf(first, count)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join("");
}

function entriesOf(first: number, count: number, size = 150): SessionStoreEntry[] {
  return Array.from({ length: count }, (_, i) => ({
    type: "user",
    uuid: `5e551011-0000-4000-8000-${String(first + i).padStart(12, "0")}`,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "user", content: "x".repeat(size) },
  }));
}

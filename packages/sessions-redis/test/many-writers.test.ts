import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { foldSessionSummary } from "@reins/sessions";
import { startRedis } from "@reins/test-servers/redis";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RedisSessionStore } from "../src/index.ts";

const processes = 8;
const batches = Number(process.env["REINS_STORE_BATCHES"] ?? 40);
const writer = join(import.meta.dirname, "fixtures", "append-batches.ts");

test("eight processes that write one session and many lose, mix and repeat nothing", async () => {
  await using server = await startRedis();
  const names = Array.from({ length: processes }, (_, n) => `w${n}`);
  const acknowledged = await Promise.all(names.map((name) => write(server.port, name)));
  const client = new Redis(server.port);
  try {
    const store = new RedisSessionStore({ client, prefix: "many:" });
    const session = { projectKey: "-project", sessionId: "shared" };
    const found = (await store.load(session))?.map(({ n }) => String(n)) ?? [];
    const own = found.filter((name) => !name.startsWith("shared-"));
    expect(found).toHaveLength(processes * batches * 3 + batches);
    expect(new Set(found).size).toBe(found.length);
    for (const [index, name] of names.entries()) {
      // The batches of a process in its order, each in one piece.
      expect(own.filter((each) => each.startsWith(`${name}-`))).toEqual(acknowledged[index]?.flat());
      expect((await store.load({ ...session, subpath: `subagents/agent-${name}` }))?.map(({ n }) => n)).toEqual(
        acknowledged[index]?.flat(),
      );
    }
    for (const batch of acknowledged.flat()) {
      const start = own.indexOf(batch[0] ?? "");
      expect(own.slice(start, start + 3)).toEqual(batch);
    }
    const summaries = await store.listSessionSummaries("-project");
    expect(summaries).toHaveLength(1 + processes * 3);
    for (const { sessionId, data } of summaries) {
      const key = { projectKey: "-project", sessionId };
      expect(data).toEqual(foldSessionSummary(undefined, key, (await store.load(key)) ?? []).data);
    }
  } finally {
    client.disconnect();
  }
}, 120_000);

/** Gives the batches that a process wrote. */
async function write(port: number, name: string): Promise<string[][]> {
  const argv = ["--conditions=@reins/source", "--import=tsx", writer, String(port), "many:", name, String(batches)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 100_000 });
  expect(stderr).toBe("");
  const lines = stdout.split("\n").slice(0, -1);
  expect(lines).toHaveLength(batches);
  // Only the writer writes here.
  return lines.map((line) => JSON.parse(line) as string[]);
}

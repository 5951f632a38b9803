import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { foldSessionSummary } from "@reins/sessions";
import { expect, test, vi } from "vitest";
import { numbers, openPlace, type Place, session } from "./open-store.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

const program = join(import.meta.dirname, "fixtures", "append-many.ts");
const writers = 8;
const batches = Number(process.env["REINS_S3_BATCHES"] ?? 10);

/** Runs eight processes at once and gives what each said was acknowledged. */
async function runWriters({ server }: Place, prefix: string): Promise<string[][]> {
  const names = Array.from({ length: writers }, (_, n) => `w${n}`);
  const runs = names.map(async (name) => {
    const argv = ["--conditions=@reins/source", "--import=tsx", program];
    const args = [server.endpoint, server.bucket, prefix, name, String(batches)];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...argv, ...args], { timeout: 200_000 });
    expect(stderr).toBe("");
    return stdout.trim().split("\n");
  });
  return await Promise.all(runs);
}

test("eight processes that write one session and many at once lose nothing and keep their order and their batches", async () => {
  await using place = await openPlace();
  const acknowledged = (await runWriters(place, "w/")).flat();
  const store = place.open({ prefix: "w/" });
  const before = await store.load({ projectKey: "-p", sessionId: "shared" });
  const check = async () => {
    const summaries = new Map((await store.listSessionSummaries("-p")).map(({ sessionId, data }) => [sessionId, data]));
    expect(new Set(summaries.keys())).toEqual(new Set(acknowledged.map((line) => line.split(" ")[0])));
    for (const [sessionId, data] of summaries) {
      const key = { projectKey: "-p", sessionId };
      const loaded = (await store.load(key)) ?? [];
      const found = numbers(loaded)?.map(String) ?? [];
      expect(found.filter((n) => n === "of-all")).toHaveLength(1);
      expect(data).toEqual(foldSessionSummary(undefined, key, loaded).data);
      const own = found.filter((n) => n !== "of-all");
      for (let n = 0; n < writers; n++) {
        const batchesOf = acknowledged.filter((line) => line.startsWith(`${sessionId} w${n}-`));
        const expected = batchesOf.flatMap((line) => [0, 1, 2].map((index) => `${line.split(" ")[1]}-${index}`));
        expect(own.filter((name) => name.startsWith(`w${n}-`))).toEqual(expected);
      }
      // The entries of a batch stand together.
      for (const [index, name] of own.entries()) {
        if (name.endsWith("-0")) expect(own[index + 1]).toBe(name.replace(/0$/, "1"));
      }
    }
  };
  await check();
  const key = { projectKey: "-p", sessionId: "shared" };
  expect(before).toHaveLength(writers * batches * 3 + 1);
  await store.compactSession(key);
  await check();
  expect(await store.load(key)).toEqual(before);
  // The next writer takes the marks of all the others away.
  await store.append(key, [{ type: "user", n: "later" }]);
  await store.close();
  expect(await place.keys("w/list/-p/shared/")).toHaveLength(1);
});

test("what is written behind what was read stands behind it, however wrong the clock of the second writer is", async () => {
  await using place = await openPlace();
  const now = Date.now();
  const clock = vi.spyOn(Date, "now");
  const write = async (text: string, skewMs: number) => {
    clock.mockReturnValue(now + skewMs);
    await place.open().append(session, [{ type: "user", n: text }]);
  };
  await write("first, an hour ahead", 3_600_000);
  await write("second, a day behind", -86_400_000);
  await write("third, right", 0);
  expect(numbers(await place.open().load(session))).toEqual([
    "first, an hour ahead",
    "second, a day behind",
    "third, right",
  ]);
});

test("two stores that take turns, and load before each, keep the order of the turns within a millisecond and with a clock behind", async () => {
  await using place = await openPlace();
  const now = Date.now();
  const clock = vi.spyOn(Date, "now");
  const stores = [place.open(), place.open()];
  for (let turn = 0; turn < 10; turn++) {
    clock.mockReturnValue(now - (turn % 2) * 60_000);
    const store = stores[turn % 2];
    await store?.load(session);
    await store?.append(session, [{ type: "user", n: turn }]);
  }
  expect(numbers(await place.open().load(session))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a lease that goes to another store keeps the order although nobody loads", async () => {
  await using place = await openPlace({ enforceConditions: true });
  const now = Date.now();
  const clock = vi.spyOn(Date, "now");
  const stores = [place.open({ leases: true }), place.open({ leases: true })];
  for (let turn = 0; turn < 6; turn++) {
    // The second machine's clock is half a second behind.
    clock.mockReturnValue(now + turn - (turn % 2) * 500);
    const store = stores[turn % 2];
    const lease = await store?.acquireSessionLease(session, { ttlMs: 60_000 });
    if (lease === undefined) continue;
    await store?.append(session, [{ type: "user", n: turn }], { lease });
    await store?.releaseSessionLease(lease);
  }
  expect(numbers(await place.open().load(session))).toEqual([0, 1, 2, 3, 4, 5]);
});

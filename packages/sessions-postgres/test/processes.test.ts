import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { foldSessionSummary } from "@reins/sessions";
import type { MigrationReport } from "@reins/sessions-postgres";
import { startPostgres } from "@reins/test-servers/postgres";
import { expect, test } from "vitest";
import { createPlace } from "./postgres-places.ts";

const writer = join(import.meta.dirname, "fixtures", "write-sessions.ts");
const names = Array.from({ length: 8 }, (_, n) => `writer${n}`);

test("eight processes migrate at once, and write one session and many of their own: all is there once, in order", async () => {
  await using server = await startPostgres();
  await using place = await createPlace(server, { migrated: false });
  const reports = await Promise.all(
    names.map(async (name): Promise<MigrationReport> => {
      const argv = ["--conditions=@reins/source", "--import=tsx", writer, server.url, place.schema, name];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 110_000 });
      expect(stderr).toBe("");
      return JSON.parse(stdout);
    }),
  );
  expect(reports.filter(({ from }) => from === 0)).toHaveLength(1);
  expect(new Set(reports.map(({ to }) => to)).size).toBe(1);

  const store = place.open();
  const shared = { projectKey: "-project", sessionId: "shared" };
  const entries = (await store.load(shared)) ?? [];
  expect(entries).toHaveLength(8 * 20 * 4);
  // Each batch stands together, and those of a process in their order.
  const seen = new Map(names.map((name) => [name, 0]));
  for (let start = 0; start < entries.length; start += 4) {
    const name = entries[start]?.uuid?.split("-")[0] ?? "";
    const n = seen.get(name) ?? -1;
    const batch = entries.slice(start, start + 4).map(({ uuid, customTitle }) => uuid ?? customTitle);
    expect(batch).toEqual([`${name}-${n}-0`, `${name}-${n}-1`, `${name}-${n}-2`, `${name} ${n}`]);
    seen.set(name, n + 1);
  }
  const summaries = await store.listSessionSummaries("-project");
  const summary = summaries.find(({ sessionId }) => sessionId === "shared");
  expect(summary?.data).toEqual(foldSessionSummary(undefined, shared, entries).data);
  expect(summaries).toHaveLength(1 + 8 * 5);

  const common = await store.load({ ...shared, subpath: "subagents/agent-a" });
  expect(common?.map(({ uuid }) => uuid).sort()).toEqual(Array.from({ length: 20 }, (_, n) => `common-${n}`).sort());
  for (const name of names) {
    for (let session = 0; session < 5; session++) {
      const own = await store.load({ projectKey: "-project", sessionId: `${name}-${session}` });
      const numbers = [0, 1, 2, 3].flatMap((round) => [0, 1, 2].map((i) => `${name}-${round * 5 + session}-${i}`));
      expect(own?.map(({ uuid }) => uuid)).toEqual(numbers);
    }
  }
}, 150_000);

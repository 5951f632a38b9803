import { mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSystemSessionStore } from "@reins/sessions";
import { expect, onTestFinished, test, vi } from "vitest";

const key = { projectKey: "-project", sessionId: "5e551011-0000-4000-8000-000000000001" };
const hour = 3_600_000;

test.each([
  ["forward", hour],
  ["back", -hour],
])("a lock is kept from getting stale although the clock jumps %s, and lists keep their order", async (_, jump) => {
  const root = await mkdtemp(join(tmpdir(), `reins-clock-${process.pid}-`));
  const store = new FileSystemSessionStore({ root, fsync: "never" });
  onTestFinished(async () => {
    vi.useRealTimers();
    await store.close();
    await rm(root, { recursive: true });
  });
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  const lock = join(root, "projects", key.projectKey, key.sessionId, "lock.1");
  const mtimeOf = async (): Promise<number> => (await store.listSessions(key.projectKey))[0]?.mtime ?? 0;
  await store.append(key, [{ type: "user", uuid: "1" }]);
  const before = await mtimeOf();
  await utimes(lock, new Date(0), new Date(0));
  vi.setSystemTime(Date.now() + jump);

  await store.append(key, [{ type: "user", uuid: "2" }]);

  // It is too early to write the lock again, whatever the clock says.
  expect((await stat(lock)).mtimeMs).toBe(0);
  expect(await mtimeOf()).toBeGreaterThan(before);
  vi.advanceTimersByTime(30_000);
  await store.append(key, [{ type: "user", uuid: "3" }]);
  expect((await stat(lock)).mtimeMs).toBeGreaterThan(0);
  expect(await store.load(key)).toHaveLength(3);
});

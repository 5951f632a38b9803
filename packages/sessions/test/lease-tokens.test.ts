import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileSystemSessionStore } from "@reins/sessions";
import { expect, onTestFinished, test, vi } from "vitest";

test("a token is greater than the one before it in another process too, although its clock is behind", async () => {
  const root = await mkdtemp(join(tmpdir(), `reins-tokens-${process.pid}-`));
  const stores = [1, 2].map(() => new FileSystemSessionStore({ root, fsync: "never", lockIdleMs: 0 }));
  onTestFinished(async () => {
    vi.useRealTimers();
    await Promise.all(stores.map((store) => store.close()));
    await rm(root, { recursive: true });
  });
  const [first, second] = stores as [FileSystemSessionStore, FileSystemSessionStore];
  const session = { projectKey: "-project", sessionId: "5e551011-0000-4000-8000-000000000001" };
  const lease = await first.acquireSessionLease(session);
  await first.releaseSessionLease(lease);
  await first.close();

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  const next = await second.acquireSessionLease(session);

  expect(next.token).toBeGreaterThan(lease.token);
  expect(next.token).toBeLessThan(lease.token + 1_000);
});

import { MemorySessionStore } from "@reins/sessions";
import { type SessionStoreFactory, sessionStoreChecks } from "@reins/sessions/conformance";
import { test } from "vitest";

const factory: SessionStoreFactory = {
  capabilities: ["listSessions", "listSessionSummaries", "delete", "listSubkeys", "leases"],
  create: () => new MemorySessionStore(), // your store, on a folder, prefix or schema of its own
};

for (const { name, title, skip, run } of sessionStoreChecks(factory)) {
  test(`${name}: ${title}`, { timeout: 150_000 }, (context) => (skip === undefined ? run() : context.skip(skip)));
}

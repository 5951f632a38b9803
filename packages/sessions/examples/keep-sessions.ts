import { randomUUID } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySession, FileSystemSessionStore, MemorySessionStore, verifySession } from "@reins/sessions";

await using store = new FileSystemSessionStore({ root: await mkdtemp(join(tmpdir(), "sessions-")) });
const session = { projectKey: "-home-me-project", sessionId: randomUUID() };

const question = { type: "user", uuid: randomUUID(), parentUuid: null, message: { role: "user", content: "Hello" } };
await store.append(session, [question, { type: "custom-title", customTitle: "A first try" }]);
await store.append(session, [question]); // a retry: the uuid is known

for (const { sessionId, data } of await store.listSessionSummaries(session.projectKey)) {
  console.log(`${sessionId === session.sessionId}: ${data["customTitle"]}, began with ${data["firstPrompt"]}`);
}

const elsewhere = new MemorySessionStore();
await copySession(store, elsewhere, session);
const { ok, transcripts } = await verifySession(elsewhere, session);
console.log(`${transcripts[0]?.entries} entries, ${ok ? "in order" : "damaged"}`);

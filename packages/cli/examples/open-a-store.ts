import { openSessionStore } from "@reins/cli";
import { listSessions } from "@reins/sessions";

const url = process.argv[2] ?? "file:./sessions";
await using opened = await openSessionStore(url, { create: true });
for (const { sessionId, summary } of await listSessions({ sessionStore: opened.store, dir: process.cwd() })) {
  console.log(sessionId, summary);
}
console.log(`That was ${url}`);

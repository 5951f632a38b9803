import { randomUUID } from "node:crypto";
import { PostgresSessionStore, PostgresStoreError } from "@reins/sessions-postgres";
import { Pool } from "pg";

const pool = new Pool(); // PGHOST, PGUSER and so on, as for psql
pool.on("error", (error) => console.error(`An idle connection died: ${error.message}`));

const store = new PostgresSessionStore({ pool, schema: "agent" });
await store.migrate();

const session = { projectKey: "-home-me-project", sessionId: randomUUID() };
const question = { type: "user", uuid: randomUUID(), parentUuid: null, message: { role: "user", content: "Hello" } };
try {
  await store.append(session, [question, { type: "custom-title", customTitle: "A first try" }]);
} catch (error) {
  if (error instanceof PostgresStoreError && error.retryable) console.log(`Try again: ${error.message}`);
  else throw error;
}

for (const { data } of await store.listSessionSummaries(session.projectKey)) {
  console.log(`${data["customTitle"]}, began with ${data["firstPrompt"]}`);
}
await pool.end();

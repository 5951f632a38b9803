import { randomUUID } from "node:crypto";
import { RedisSessionStore } from "@reins/sessions-redis";
import { Redis } from "ioredis";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");
client.on("error", (error) => console.error(error.message));
const store = new RedisSessionStore({ client, ttlSeconds: 30 * 24 * 3600 });
const session = { projectKey: "-home-me-project", sessionId: randomUUID() };

const question = { type: "user", uuid: randomUUID(), parentUuid: null, message: { role: "user", content: "Hello" } };
await store.append(session, [question, { type: "custom-title", customTitle: "A first try" }]);
await store.append(session, [question]); // a retry: the uuid is known

const entries = await store.load(session);
const summaries = await store.listSessionSummaries(session.projectKey);
const summary = summaries.find(({ sessionId }) => sessionId === session.sessionId);
console.log(
  `${entries?.length} entries, "${summary?.data["customTitle"]}", began with ${summary?.data["firstPrompt"]}`,
);

await store.delete(session);
await client.quit();

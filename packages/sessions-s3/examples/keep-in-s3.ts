import { randomUUID } from "node:crypto";
import { S3Client } from "@aws-sdk/client-s3";
import { S3SessionStore } from "@reins/sessions-s3";

// Region, endpoint and credentials come from the environment; buckets that are no domain names need the path style.
const client = new S3Client({ forcePathStyle: true });
const bucket = process.env["BUCKET"] ?? "sessions";

const store = new S3SessionStore({ client, bucket, prefix: "agents/" });
const session = { projectKey: "-home-me-project", sessionId: randomUUID() };

const question = { type: "user", uuid: randomUUID(), parentUuid: null, message: { role: "user", content: "Hello" } };
await store.append(session, [question]);
await store.append(session, [question]); // a retry: the uuid is known
await store.append(session, [{ type: "custom-title", customTitle: "A first try" }]);

const [{ partsBefore, partsAfter } = {}] = await store.compactSession(session);
console.log(`${partsBefore} parts became ${partsAfter}`);
const entries = await store.load(session);
const [summary] = await store.listSessionSummaries(session.projectKey);
console.log(
  `${entries?.length} entries, "${summary?.data["customTitle"]}", began with "${summary?.data["firstPrompt"]}"`,
);

await store.delete(session);
await store.close();
client.destroy();

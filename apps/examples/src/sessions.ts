import { collect, getSessionInfo, getSessionMessages, listSessions, renameSession, tagSession } from "@reins/sdk";
import { text } from "@reins/testkit";
import { openPlace } from "./place.ts";

await using place = await openPlace(({ userText, body }) =>
  text(userText.startsWith("Remember") ? "I will." : `It was 7, as you said ${body.messages.length - 1} messages ago.`),
);
const { options, location } = place;

const { result } = await collect({ prompt: "Remember the number 7.", options });
const { session_id: sessionId } = result;

// Another process, the same conversation. `forkSession: true` would leave the old one as it is.
const { text: answer } = await collect({ prompt: "Which number?", options: { ...options, resume: sessionId } });
console.log(answer);

// Transcripts are read and changed without a CLI.
await renameSession(sessionId, "Numbers", location);
await tagSession(sessionId, "example", location);
const info = await getSessionInfo(sessionId, location);
console.log(`${info?.customTitle} (${info?.tag}), began with: ${info?.firstPrompt}`);
console.log(`sessions here: ${(await listSessions(location)).length}`);
for (const { type } of await getSessionMessages(sessionId, location)) console.log(`- ${type}`);

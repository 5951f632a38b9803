// Measures one call in a process of its own, so that its memory is its own. Prints the cost as JSON.
import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sessions";
import { startClock } from "./measure.ts";
import { corpusFolder } from "./session-corpus.ts";

const [contender, call, argument = "", times = "1"] = process.argv.slice(2);

const before = process.memoryUsage().rss;
const stop = startClock();
for (let index = 0; index < Number(times); index++) await run();
const cost = stop();
// The kernel counts in KiB, and its maximum covers what the imports took, which is no cost of the call.
const MB = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
console.log(JSON.stringify({ ...cost, MB }));

async function run(): Promise<unknown> {
  const api = contender === "own" ? own : peer;
  if (call === "list") return await api.listSessions();
  if (call === "info") return await api.getSessionInfo(argument);
  if (call === "info-in-folder") return await api.getSessionInfo(argument, { dir: corpusFolder });
  if (call === "messages") return await api.getSessionMessages(argument);
  if (call === "fork") return await api.forkSession(argument);
  if (call === "append") return await append(Number(argument));
  let count = 0;
  const key = { projectKey: own.projectKeyForPath(corpusFolder), sessionId: argument };
  for await (const line of own.readTranscript(key)) if (line.type === "user") count++;
  return count;
}

/** Entries as a turn makes them: unique, of some hundred bytes. */
async function append(batches: number): Promise<void> {
  const store = contender === "own" ? new own.MemorySessionStore() : new peer.InMemorySessionStore();
  const key = { projectKey: "-home-user-project", sessionId: "11111111-1111-4111-8111-111111111111" };
  for (let batch = 0; batch < batches; batch++) {
    const entries = Array.from({ length: 50 }, (_, index) => ({
      type: "user",
      uuid: `00000000-0000-4000-8000-${String(batch * 50 + index).padStart(12, "0")}`,
      timestamp: "2026-01-01T00:00:00.000Z",
      message: { role: "user", content: "x".repeat(400) },
    }));
    await store.append(key, entries);
  }
}

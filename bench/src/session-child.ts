// Measures one call in a process of its own, so that its memory is its own. Prints the cost as JSON.
import * as peer from "@anthropic-ai/claude-agent-sdk";
import * as own from "@reins/sessions";
import { startClock } from "./measure.ts";

const [contender, call, sessionId = "", times = "1"] = process.argv.slice(2);

const before = process.memoryUsage().rss;
const stop = startClock();
for (let index = 0; index < Number(times); index++) await run();
const cost = stop();
// The kernel counts in KiB, and its maximum covers what the imports took, which is no cost of the call.
const memoryMb = (process.resourceUsage().maxRSS * 1024 - before) / 1e6;
console.log(JSON.stringify({ ...cost, memoryMb }));

async function run(): Promise<unknown> {
  const api = contender === "own" ? own : peer;
  if (call === "list") return await api.listSessions();
  if (call === "info") return await api.getSessionInfo(sessionId);
  if (call === "messages") return await api.getSessionMessages(sessionId);
  if (call === "fork") return await api.forkSession(sessionId);
  let count = 0;
  const key = { projectKey: own.projectKeyForPath("/home/user/project"), sessionId };
  for await (const line of own.readTranscript(key)) if (line.type === "user") count++;
  return count;
}

import { getSessionMessages, listSessions, searchSessions, sessionUsage } from "@reins/sessions";

const sessions = await listSessions({ limit: 5, onProblem: (problem) => console.error(problem.message) });
for (const { sessionId, summary, cwd } of sessions) {
  const { tokens, totalCostUsd = 0 } = await sessionUsage(sessionId);
  const messages = await getSessionMessages(sessionId);
  console.log(`${summary} (${cwd}): ${messages.length} messages, ${tokens.outputTokens} tokens, $${totalCostUsd}`);
}

for await (const { sessionId, excerpt } of searchSessions("hello", { limit: 3 })) {
  console.log(`${sessionId}: ${excerpt}`);
}

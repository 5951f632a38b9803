import { getSessionInfo, getSessionMessages, listSessions, type SessionInfo } from "@reins/sessions";
import { ChoicePanel } from "../panels/choice-panel.ts";
import { plainLine } from "../text/plain-text.ts";
import { outputText } from "../text/tool-text.ts";
import type { CommandContext } from "./command-context.ts";

/** Messages of a resumed session that are shown. */
const replayed = 6;

/** `/resume`: goes on with a session of the past, and shows the end of it. */
export async function resume(context: CommandContext, argument: string): Promise<void> {
  const { conversation, location, say, replay } = context;
  const sessionId = await choose(context, argument);
  if (sessionId === undefined) return;
  const messages = await getSessionMessages(sessionId, location);
  await conversation.resume(sessionId);
  const shown = messages.flatMap(({ type, message }) => {
    if (type !== "user" && type !== "assistant") return [];
    const content =
      typeof message === "object" && message !== null && "content" in message ? message.content : undefined;
    const text = typeof content === "string" ? content : textBlocks(content);
    return text === "" || isNote(text) ? [] : [{ role: type, text }];
  });
  if (shown.length > replayed) say(`… ${shown.length - replayed} earlier messages`);
  for (const { role, text } of shown.slice(-replayed)) replay(role, text);
  say(`Resumed \`${sessionId}\`.`);
  await conversation.refreshContext();
}

/** The session that is meant; `undefined` where there is none, which has been said, or nobody has chosen one. */
async function choose(context: CommandContext, argument: string): Promise<string | undefined> {
  const { conversation, location, ask, say } = context;
  const current = conversation.session.sessionId;
  if (argument !== "") {
    if (argument !== current && (await getSessionInfo(argument, location)) !== undefined) return argument;
    say(`There is no session \`${plainLine(argument)}\` of this folder.`);
    return undefined;
  }
  const sessions = await listSessions({ ...location, limit: 100, onProblem: () => {} });
  const others = sessions.filter(({ sessionId }) => sessionId !== current);
  if (others.length === 0) {
    say("There is no other session of this folder.");
    return undefined;
  }
  if (ask === undefined) {
    say("Say which: `/resume <id>`.");
    return undefined;
  }
  const answer = await ask<{ values: readonly SessionInfo[] }>(
    (onAnswer) =>
      new ChoicePanel<SessionInfo>({
        title: "Which session?",
        hasFilter: true,
        choices: others.map((value) => ({ label: value.summary, value, description: about(value) })),
        onAnswer,
      }),
  );
  return answer?.values[0]?.sessionId;
}

function about({ sessionId, lastModified, gitBranch }: SessionInfo): string {
  const time = new Date(lastModified).toLocaleString("sv");
  return [time, gitBranch, sessionId.slice(0, 8)].filter(Boolean).join(" · ");
}

/** What the CLI itself has written into the conversation. */
function isNote(text: string): boolean {
  return /^(\[Request interrupted by user|<(command|local-command|task-notification)\b)/.test(text);
}

/** What was said, without what tools gave. */
function textBlocks(content: unknown): string {
  if (!Array.isArray(content)) return "";
  const blocks: readonly unknown[] = content;
  const texts = blocks.filter(
    (block) => typeof block === "object" && block !== null && "type" in block && block.type === "text",
  );
  return outputText(texts) ?? "";
}

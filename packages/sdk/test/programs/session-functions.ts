import {
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  listSessions,
  query,
  renameSession,
  tagSession,
} from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ userText }) => text(`About: ${userText}`);

export const needsHostEnv = true;

export async function run({ options, cwd }: Place): Promise<unknown> {
  const seen = await record(query({ prompt: "Remember 7.", options }));
  const id = seen.messages.find((message) => message.type === "result")?.session_id ?? "";
  const location = { dir: cwd };
  await renameSession(id, "Seven", location);
  await tagSession(id, "numbers", location);
  const list = await listSessions(location);
  const info = await getSessionInfo(id, location);
  const messages = await getSessionMessages(id, location);
  const fork = await forkSession(id, { ...location, title: "Copy" });
  const copy = await getSessionMessages(fork.sessionId, location);
  await deleteSession(id, location);
  const gone = await getSessionInfo(id, location);
  const errors: string[] = [];
  for (const wrong of [id, "no-id"])
    await deleteSession(wrong, location).catch((error: Error) => errors.push(error.message));
  return { list, info, messages, copies: copy.length, gone, errors };
}

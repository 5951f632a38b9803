import { homedir } from "node:os";
import { join } from "node:path";
import { exportSession, projectKeyForDirectory, type SessionStore, type SessionStoreEntry } from "@reins/sessions";
import type { TranscriptEntry } from "./protocol.ts";

/**
 * Writes a session with the given past where the CLI finds it, to be resumed.
 *
 * @param env That of the CLI.
 * @param cwd Working directory of the session.
 * @returns The id of the session.
 */
export async function writeHistory(
  history: readonly TranscriptEntry[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<string> {
  const sessionId = crypto.randomUUID();
  const entries = toEntries(history, sessionId, cwd);
  const store: SessionStore = { append: async () => {}, load: async () => entries };
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  const configDir = env["CLAUDE_CONFIG_DIR"] || join(home, ".claude");
  const projectKey = projectKeyForDirectory(cwd, { configDir: env["CLAUDE_CONFIG_DIR"] });
  await exportSession(store, { projectKey, sessionId }, { directory: join(configDir, "projects", projectKey) });
  return sessionId;
}

/** As the CLI writes them, as far as it reads them again. See contracts/transcripts.md, "Entries". */
function toEntries(history: readonly TranscriptEntry[], sessionId: string, cwd: string): SessionStoreEntry[] {
  let parentUuid: string | null = null;
  const begin = Date.now();
  return history.map(({ role, content }, i) => {
    const uuid = crypto.randomUUID();
    const entry = {
      parentUuid,
      isSidechain: false,
      userType: "external",
      cwd,
      sessionId,
      type: role,
      uuid,
      timestamp: new Date(begin + i).toISOString(),
      message: role === "user" ? { role, content } : assistantMessage(content, i),
    };
    parentUuid = uuid;
    return entry;
  });
}

function assistantMessage(content: TranscriptEntry["content"], i: number): Record<string, unknown> {
  return {
    id: `msg_history_${i}`,
    type: "message",
    role: "assistant",
    // What the CLI calls answers that no model gave.
    model: "<synthetic>",
    content: typeof content === "string" ? [{ type: "text", text: content }] : content,
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

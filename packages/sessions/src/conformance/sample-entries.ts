import type { SessionKey } from "@reins/messages";
import type { SessionStoreEntry } from "../store/session-store.ts";

export const projectKey = "-home-user-project";
export const otherProjectKey = "-home-user-project-2";

/** Id of the nth session. */
export function sessionIdOf(n: number): string {
  return `5e551011-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** Key of the nth session of the project. */
export function mainKey(n = 0): SessionKey {
  return { projectKey, sessionId: sessionIdOf(n) };
}

/** Key of a subagent of the nth session. */
export function subagentKey(agent: string, n = 0): SessionKey {
  return { ...mainKey(n), subpath: `subagents/agent-${agent}` };
}

/** The nth entry of a conversation. Its uuid does not grow with n, so that sorting would show. */
export function entryOf(n: number, fields: Record<string, unknown> = {}): SessionStoreEntry {
  return {
    type: n % 2 === 0 ? "user" : "assistant",
    uuid: uuidOf(n),
    parentUuid: n === 0 ? null : uuidOf(n - 1),
    timestamp: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
    isSidechain: false,
    message: { role: n % 2 === 0 ? "user" : "assistant", content: `Text ${n}` },
    ...fields,
  };
}

/** Entries `from` to before `to`. */
export function entriesOf(from: number, to: number, fields: Record<string, unknown> = {}): SessionStoreEntry[] {
  return Array.from({ length: to - from }, (_, i) => entryOf(from + i, fields));
}

/** The uuid of the nth entry. */
export function uuidOf(n: number): string {
  // An odd factor permutes the 32-bit numbers.
  const scrambled = (Math.imul(n + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
  return `${scrambled}-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

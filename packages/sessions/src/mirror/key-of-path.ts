import type { SessionKey } from "@reins/messages";
import { isSessionId } from "../transcript/session-id.ts";

/**
 * The key of a transcript file of the CLI, from the shape of its path alone: the host need not know the folders that the child uses, which
 * may be another user's or on another machine.
 *
 * `.../projects/KEY/SESSION.jsonl` is a main transcript, `.../projects/KEY/SESSION/.../NAME.jsonl` one beside it.
 *
 * @returns `undefined` for a path of another shape.
 * @see contracts/session-store.md; verified against CLI 2.1.328
 */
export function sessionKeyOfPath(path: string): SessionKey | undefined {
  const parts = path.split(/[/\\]/);
  for (let index = parts.lastIndexOf("projects"); index >= 0; index = parts.lastIndexOf("projects", index - 1)) {
    const key = keyOf(parts.slice(index + 1));
    if (key !== undefined) return key;
    if (index === 0) break;
  }
  return undefined;
}

function keyOf([projectKey, session, ...rest]: readonly string[]): SessionKey | undefined {
  if (!projectKey || session === undefined) return undefined;
  if (rest.length === 0) {
    const sessionId = withoutEnding(session);
    return sessionId !== undefined && isSessionId(sessionId) ? { projectKey, sessionId } : undefined;
  }
  const last = withoutEnding(rest.at(-1) ?? "");
  // Directly in the session's folder lie files of other kinds.
  if (!isSessionId(session) || rest.length < 2 || !last || rest.some((part) => part === "" || part === ".."))
    return undefined;
  return { projectKey, sessionId: session, subpath: [...rest.slice(0, -1), last].join("/") };
}

function withoutEnding(name: string): string | undefined {
  return name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : undefined;
}

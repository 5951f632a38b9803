import { join } from "node:path";
import { firstPromptOf } from "../store/first-prompt.ts";
import { readEnds, type TranscriptEnds } from "./ends.ts";
import { firstRaw, type LooseEntry, lastRaw, linesOf, parseEntry } from "./fields.ts";
import { isSessionId } from "./session-id.ts";

/** Tells whether no person held the session at a terminal. */
export function isProgrammatic({ head, tail }: TranscriptEnds): boolean {
  const entrypoint = firstRaw(head, "entrypoint") ?? lastRaw(tail, "entrypoint");
  if (entrypoint !== undefined && ["sdk-cli", "sdk-ts", "sdk-py"].includes(entrypoint)) return true;
  for (const line of linesOf(head, '"parentUuid"')) {
    const kind = /"sessionKind": ?"([^"]*)"/.exec(line)?.[1];
    return kind === "daemon" || kind === "daemon-worker";
  }
  return false;
}

/**
 * The session that goes on where this one ended, if it lies in the same project folder and has begun.
 *
 * A real message behind the record takes it back: then this session went on itself.
 */
export async function continuedInto({ tail }: TranscriptEnds, project: string): Promise<string | undefined> {
  if (tail.offsetsOf("continuedInSessionId").length === 0) return undefined;
  for (const line of [...linesOf(tail)].reverse()) {
    const entry = parseEntry(line);
    if (entry === undefined) continue;
    if (isRealMessage(entry)) return undefined;
    if (entry["type"] !== "continued-in") continue;
    const next = entry["continuedInSessionId"];
    return isSessionId(next) && (await hasBegun(join(project, `${next}.jsonl`))) ? next : undefined;
  }
  return undefined;
}

function isRealMessage(entry: LooseEntry): boolean {
  if (entry["type"] === "user") return firstPromptOf({ ...entry, type: "user" }).text !== undefined;
  if (entry["type"] !== "assistant" || entry["isApiErrorMessage"] === true) return false;
  const message = entry["message"];
  return (
    typeof message === "object" &&
    message !== null &&
    "stop_reason" in message &&
    typeof message.stop_reason === "string"
  );
}

/** An entry of a conversation is enough, which has a parent, be it null; records about the session alone have none. */
async function hasBegun(path: string): Promise<boolean> {
  const ends = await readEnds(path).catch(() => undefined);
  // Where nothing shows that it went on, the session stays in the list.
  return ends?.head.text.includes('"parentUuid":') ?? false;
}

import type { LooseEntry } from "./fields.ts";

/** An entry of the conversation: it has a uuid and hangs below another entry or at the top. */
export interface ChainEntry extends LooseEntry {
  readonly type: string;
  readonly uuid: string;
}

const chainTypes: ReadonlySet<unknown> = new Set(["user", "assistant", "progress", "system", "attachment"]);

/** Tells whether a line of a transcript belongs to the conversation; all others are records about the session. */
export function isChainEntry(entry: LooseEntry): entry is ChainEntry {
  return typeof entry["uuid"] === "string" && chainTypes.has(entry["type"]);
}

/** Tells whether it is a message: something that a person, a model or a tool said. */
export function isMessageEntry(entry: ChainEntry): boolean {
  return entry.type === "user" || entry.type === "assistant";
}

/** The blocks of a message; none where its content is plain text or no content at all. */
export function blocksOf(entry: LooseEntry): readonly LooseEntry[] {
  const content = fieldOf(entry["message"], "content");
  return Array.isArray(content) ? content.filter(isObject) : [];
}

/** Ids of the tool calls that an entry answers. */
export function answeredCalls(entry: LooseEntry): string[] {
  if (entry["type"] !== "user") return [];
  return blocksOf(entry).flatMap(({ type, tool_use_id: id }) =>
    type === "tool_result" && typeof id === "string" ? [id] : [],
  );
}

/** A member of an unknown value, if that is an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Narrows to an object that is no array. */
export function isObject(value: unknown): value is LooseEntry {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

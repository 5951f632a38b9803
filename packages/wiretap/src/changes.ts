import type { ModelCallBody } from "./model-call.ts";
import { isObject } from "./read-capture.ts";

/** What is different from an earlier call of the same conversation. Where the cache is told to begin does not count. */
export interface RequestChanges {
  /** Number of the earlier call. */
  readonly since: number;
  /** Messages at the beginning that are the same. */
  readonly messagesKept: number;
  /** Messages of the earlier call that are not there any more, or are different now. More than 0 makes the cache miss. */
  readonly messagesDropped: number;
  /** Messages behind those that are the same. */
  readonly messagesAdded: number;
  readonly isSystemChanged: boolean;
  readonly toolsAdded: readonly string[];
  readonly toolsRemoved: readonly string[];
  /** Tools of the same name whose definition is different now. */
  readonly toolsChanged: readonly string[];
  /** Other fields of the body that are different, such as `model` or `max_tokens`. */
  readonly otherFields: readonly string[];
}

/** A call of the model, ready to be compared with others. */
export interface ComparedCall {
  readonly number: number;
  readonly body: ModelCallBody;
  /** A number for each message: the same for the same message. */
  readonly messages: readonly number[];
}

/**
 * Makes a call ready to be compared.
 *
 * @param known The numbers of the messages of all calls. Each call repeats those before it: numbers are compared instead of texts.
 */
export function toComparedCall(number: number, body: ModelCallBody, known: Map<string, number>): ComparedCall {
  const messages = body.messages.map((message) => {
    const text = fingerprint(message);
    const id = known.get(text) ?? known.size;
    known.set(text, id);
    return id;
  });
  return { number, body, messages };
}

/** Against the earlier call with the longest beginning in common, the latest one of several; `undefined` when nothing is. */
export function changesBetween(
  earlier: readonly ComparedCall[],
  { body, messages }: ComparedCall,
): RequestChanges | undefined {
  let best: (ComparedCall & { readonly kept: number }) | undefined;
  for (const call of earlier) {
    const kept = commonLength(call.messages, messages);
    if (kept > 0 && kept >= (best?.kept ?? 0)) best = { ...call, kept };
  }
  if (best === undefined) return undefined;
  const before = best.body;
  const toolsBefore = toolsByName(before);
  const tools = toolsByName(body);
  const names = [...tools.keys()];
  return {
    since: best.number,
    messagesKept: best.kept,
    messagesDropped: before.messages.length - best.kept,
    messagesAdded: body.messages.length - best.kept,
    isSystemChanged: fingerprint(before["system"]) !== fingerprint(body["system"]),
    toolsAdded: names.filter((name) => !toolsBefore.has(name)),
    toolsRemoved: [...toolsBefore.keys()].filter((name) => !tools.has(name)),
    toolsChanged: names.filter((name) => toolsBefore.has(name) && toolsBefore.get(name) !== tools.get(name)),
    otherFields: otherFields(before, body),
  };
}

function toolsByName({ tools = [] }: ModelCallBody): Map<string, string> {
  return new Map(tools.map((tool) => [String(tool["name"] ?? tool["type"]), fingerprint(tool)]));
}

function otherFields(before: ModelCallBody, after: ModelCallBody): string[] {
  const compared = new Set(["messages", "system", "tools"]);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !compared.has(name) && fingerprint(before[name]) !== fingerprint(after[name]))
    .sort();
}

function commonLength(left: readonly number[], right: readonly number[]): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
}

/** The value as text, without what moves from call to call. A text and a list with it as the only block are the same to the API. */
function fingerprint(value: unknown): string {
  return JSON.stringify(plain(value)) ?? "";
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== "cache_control");
  return Object.fromEntries(
    entries.map(([name, field]): [string, unknown] => [
      name,
      name === "content" && typeof field === "string" ? [{ type: "text", text: field }] : plain(field),
    ]),
  );
}

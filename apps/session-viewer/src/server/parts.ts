import type { LooseEntry } from "@reins/sessions";
import type { Hunk, Json, Part, PartKind, Picture, Stub, Text } from "../protocol.ts";

/** How much of an entry is sent. What is longer is cut, and says so. */
export interface PartLimits {
  readonly textLength: number;
  readonly pictureBytes: number;
}

/** For rows of a list. 100,000 characters are some 1,500 lines: more than anyone reads in place. */
export const listLimits: PartLimits = { textLength: 100_000, pictureBytes: 2_000_000 };
/** For an entry that was asked for whole. */
export const wholeLimits: PartLimits = { textLength: 20_000_000, pictureBytes: 50_000_000 };

/** What `<img>` may show. SVG is left out: it is a document, not a picture. */
const pictureMimes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** What a command in the terminal leaves in place of a prompt. */
const commandEcho =
  /^<(?:command-name|command-message|local-command-stdout|local-command-stderr|bash-input|bash-stdout)>/;

/** Takes an entry apart. Whatever is not as it should be becomes a record, which is shown as it is. */
export function partsOf(entry: LooseEntry, limits: PartLimits): readonly Part[] {
  switch (entry["type"]) {
    case "user":
      return entry["isMeta"] === true ? [recordOf(entry, limits)] : userParts(entry, limits);
    case "assistant":
      return assistantParts(entry, limits);
    case "system":
      return [systemPart(entry, limits)];
    case "attachment": {
      const attachment = objectOf(entry["attachment"]);
      const prompt = attachment?.["type"] === "queued_command" ? plainText(attachment["prompt"]) : undefined;
      return [prompt === undefined ? recordOf(entry, limits) : { kind: "prompt", ...cut(prompt, limits) }];
    }
    default:
      return [recordOf(entry, limits)];
  }
}

/** The parts of an entry as the index has them. */
export function stubsOf(entry: LooseEntry, at: number): readonly Stub[] {
  const time = timeOf(entry["timestamp"]);
  const message = objectOf(entry["message"]);
  const context = entry["type"] === "assistant" ? contextTokens(message?.["usage"]) : undefined;
  const model = entry["type"] === "assistant" ? stringOf(message?.["model"]) : undefined;
  return partsOf(entry, indexLimits).map((part, index) => ({
    at,
    part: index,
    kind: part.kind,
    size: sizeOf(part),
    ...(time === undefined ? {} : { time }),
    ...("name" in part ? { name: part.name } : {}),
    ...("call" in part ? { call: part.call } : {}),
    ...("failed" in part && part.failed ? { failed: true } : {}),
    ...(index > 0 || context === undefined ? {} : { context }),
    ...(index > 0 || model === undefined ? {} : { model }),
  }));
}

/** The index has no text. */
const indexLimits: PartLimits = { textLength: 0, pictureBytes: 0 };

function userParts(entry: LooseEntry, limits: PartLimits): readonly Part[] {
  const content = objectOf(entry["message"])?.["content"];
  const kindOf = (text: string): PartKind & ("summary" | "notice" | "prompt") => {
    if (entry["isCompactSummary"] === true) return "summary";
    return commandEcho.test(text) ? "notice" : "prompt";
  };
  if (typeof content === "string") return [{ kind: kindOf(content), ...cut(content, limits) }];
  if (!Array.isArray(content)) return [recordOf(entry, limits)];
  return content.map((value: unknown): Part => {
    const block = objectOf(value);
    if (block?.["type"] === "text" && typeof block["text"] === "string") {
      return { kind: kindOf(block["text"]), ...cut(block["text"], limits) };
    }
    if (block?.["type"] === "image") return { kind: "image", picture: pictureOf(block, limits) };
    if (block?.["type"] === "tool_result") return resultPart(block, entry["toolUseResult"], limits);
    return recordOf(value, limits);
  });
}

function assistantParts(entry: LooseEntry, limits: PartLimits): readonly Part[] {
  const content = objectOf(entry["message"])?.["content"];
  if (typeof content === "string") return [{ kind: "text", ...cut(content, limits) }];
  if (!Array.isArray(content)) return [recordOf(entry, limits)];
  return content.map((value: unknown): Part => {
    const block = objectOf(value);
    const text = block?.["text"];
    const thinking = block?.["thinking"];
    if (block?.["type"] === "text" && typeof text === "string") {
      return { kind: entry["isApiErrorMessage"] === true ? "error" : "text", ...cut(text, limits) };
    }
    if (block?.["type"] === "thinking" && typeof thinking === "string") {
      return { kind: "thinking", ...cut(thinking, limits) };
    }
    if (block?.["type"] === "tool_use" && typeof block["id"] === "string" && typeof block["name"] === "string") {
      const { id: call, name, input } = block as { id: string; name: string; input?: unknown };
      return { kind: "call", call, name: name.slice(0, 200), input: jsonOf(input, limits), size: roughSize(input) };
    }
    return recordOf(value, limits);
  });
}

function resultPart(block: LooseEntry, details: unknown, limits: PartLimits): Part {
  const { content } = block;
  const texts: string[] = [];
  const pictures: Picture[] = [];
  if (typeof content === "string") texts.push(content);
  for (const value of Array.isArray(content) ? content : []) {
    const inner = objectOf(value);
    if (typeof inner?.["text"] === "string") texts.push(inner["text"]);
    else if (inner?.["type"] === "image") pictures.push(pictureOf(inner, limits));
    else texts.push(toText(value, limits));
  }
  const more = objectOf(details);
  const patch = hunksOf(more?.["structuredPatch"], limits);
  const agentId = stringOf(more?.["agentId"]);
  return {
    kind: "result",
    call: stringOf(block["tool_use_id"]) ?? "",
    failed: block["is_error"] === true,
    ...cut(texts.join("\n"), limits),
    pictures,
    ...(patch === undefined ? {} : { patch }),
    ...(agentId === undefined || !isAgentId(agentId) ? {} : { agentId }),
  };
}

function systemPart(entry: LooseEntry, limits: PartLimits): Part {
  if (entry["subtype"] === "compact_boundary") {
    const metadata = objectOf(entry["compactMetadata"]) ?? {};
    const before = numberOf(metadata["preTokens"]);
    const after = numberOf(metadata["postTokens"]);
    const durationMs = numberOf(metadata["durationMs"]);
    return {
      kind: "compaction",
      trigger: stringOf(metadata["trigger"])?.slice(0, 40) ?? "manual",
      ...(before === undefined ? {} : { tokensBefore: before }),
      ...(after === undefined ? {} : { tokensAfter: after }),
      ...(durationMs === undefined ? {} : { durationMs }),
    };
  }
  const { content } = entry;
  return typeof content === "string" ? { kind: "notice", ...cut(content, limits) } : recordOf(entry, limits);
}

function recordOf(value: unknown, limits: PartLimits): Part {
  const named = objectOf(value);
  const inner = stringOf(objectOf(named?.["attachment"])?.["type"]) ?? stringOf(named?.["subtype"]);
  const type = stringOf(named?.["type"]) ?? "record";
  const name = (inner === undefined ? type : `${type}: ${inner}`).slice(0, 100);
  return { kind: "record", name, ...cut(toText(value, limits), limits) };
}

function pictureOf(block: LooseEntry, limits: PartLimits): Picture {
  const source = objectOf(block["source"]);
  const mime = (stringOf(source?.["media_type"]) ?? "unknown").slice(0, 60);
  const data = stringOf(source?.["data"]) ?? "";
  const bytes = Math.floor((data.length * 3) / 4);
  if (!pictureMimes.has(mime)) return { mime, bytes, reason: "kind" };
  if (bytes > limits.pictureBytes) return { mime, bytes, reason: "size" };
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? { mime, bytes, data } : { mime, bytes, reason: "kind" };
}

function hunksOf(value: unknown, limits: PartLimits): readonly Hunk[] | undefined {
  if (!Array.isArray(value) || limits.textLength === 0) return undefined;
  let left = limits.textLength;
  const hunks: Hunk[] = [];
  for (const item of value) {
    const hunk = objectOf(item);
    const lines = hunk?.["lines"];
    if (!Array.isArray(lines)) return undefined;
    const kept: string[] = [];
    for (const line of lines) {
      if (typeof line !== "string") return undefined;
      if (left < line.length) break;
      left -= line.length + 1;
      kept.push(line);
    }
    hunks.push({
      oldStart: numberOf(hunk?.["oldStart"]) ?? 1,
      newStart: numberOf(hunk?.["newStart"]) ?? 1,
      lines: kept,
    });
  }
  return hunks.length === 0 ? undefined : hunks;
}

/** A copy of a value that is no larger than the limits, and no deeper than a page can show. */
export function jsonOf(value: unknown, limits: PartLimits): Json {
  let left = limits.textLength;
  let nodes = 2_000;
  const copy = (inner: unknown, depth: number): Json => {
    if (typeof inner === "string") {
      const kept = inner.slice(0, Math.max(left, 0));
      left -= kept.length;
      return kept.length === inner.length ? inner : `${kept}… (${inner.length - kept.length} more characters)`;
    }
    if (inner === null || typeof inner === "number" || typeof inner === "boolean") return inner;
    if (typeof inner !== "object") return null;
    nodes -= 1;
    if (nodes < 0 || depth > 20) return "…";
    if (Array.isArray(inner)) return inner.slice(0, 1_000).map((item) => copy(item, depth + 1));
    const entries = Object.entries(inner).slice(0, 1_000);
    // fromEntries defines properties: a name such as __proto__ is data here.
    return Object.fromEntries(entries.map(([name, item]) => [name.slice(0, 200), copy(item, depth + 1)]));
  };
  return limits.textLength === 0 ? null : copy(value, 0);
}

/** JSON for people. The index needs none of it. */
function toText(value: unknown, { textLength }: PartLimits): string {
  if (textLength === 0) return "";
  try {
    return JSON.stringify(value, undefined, 2) ?? "";
  } catch {
    // What was parsed can only be too deep.
    return "(nested too deeply to be shown)";
  }
}

function cut(text: string, { textLength }: PartLimits): Text {
  return { text: text.length <= textLength ? text : text.slice(0, textLength), length: text.length };
}

function sizeOf(part: Part): number {
  if ("length" in part) return part.length;
  return "size" in part ? part.size : 0;
}

/** Characters of the strings at the top of a tool's input: only a guess of a height is made of it. */
function roughSize(input: unknown): number {
  let size = 0;
  for (const value of Object.values(objectOf(input) ?? {})) size += typeof value === "string" ? value.length : 10;
  return size;
}

function contextTokens(usage: unknown): number | undefined {
  const counts = objectOf(usage);
  if (counts === undefined) return undefined;
  const fields = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"];
  const sum = fields.reduce((total, field) => total + (numberOf(counts[field]) ?? 0), 0);
  return sum > 0 ? sum : undefined;
}

function plainText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((block) => stringOf(objectOf(block)?.["text"]) ?? []).join("\n");
}

/** Tells whether a text can be the id of a subagent, which becomes part of a file name. */
export function isAgentId(value: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(value);
}

export function objectOf(value: unknown): LooseEntry | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as LooseEntry) : undefined;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function timeOf(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}

import { type SessionKey, SessionStoreError } from "@reins/sessions";
import type { Call } from "./bucket.ts";

/** What one append stored: its name, and one line of JSON per entry. */
export interface Section {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The first line of each part. */
export interface PartHeader {
  readonly key: SessionKey;
  /** Names and numbers of lines of the sections that follow. */
  readonly sections: readonly (readonly [name: string, lines: number])[];
  /** The sections were deleted, and there are no lines. */
  readonly isDeleted: boolean;
}

/** The layout that this version writes. */
const version = 1;

/** Writes a part of one section or, after a compaction, of several. */
export function encodePart({ projectKey, sessionId, subpath }: SessionKey, sections: readonly Section[]): string {
  const header = {
    v: version,
    key: { projectKey, sessionId, subpath },
    sections: sections.map(({ name, lines }) => [name, lines.length]),
  };
  return `${[JSON.stringify(header), ...sections.flatMap(({ lines }) => lines)].join("\n")}\n`;
}

/** Writes the part that takes the place of deleted ones until they are gone. */
export function encodeDeletion({ projectKey, sessionId, subpath }: SessionKey, names: readonly string[]): string {
  const sections = names.map((name) => [name, 0]);
  return `${JSON.stringify({ v: version, key: { projectKey, sessionId, subpath }, sections, deleted: true })}\n`;
}

/** @throws {@link SessionStoreError} when it is not what this version writes. */
export function decodeHeader(call: Call, objectKey: string, line: string): PartHeader {
  const header = parseObject(line);
  const { v, key, sections, deleted } = header ?? {};
  if (typeof v === "number" && v > version) {
    throw partError(call, objectKey, `has layout ${v}, which a later version of this package writes. Update it`);
  }
  const isWhole = v === version && typeof key === "object" && key !== null && Array.isArray(sections);
  if (!isWhole) throw partError(call, objectKey, "has no header that this package wrote. Move it away");
  // Whoever writes v 1 writes these.
  return { key: key as SessionKey, sections: sections as PartHeader["sections"], isDeleted: deleted === true };
}

/** @throws {@link SessionStoreError} when it is not what this version writes. */
export function decodePart(call: Call, objectKey: string, text: string): { header: PartHeader; sections: Section[] } {
  const [first = "", ...lines] = text.split("\n");
  const header = decodeHeader(call, objectKey, first);
  const sections: Section[] = [];
  let next = 0;
  for (const [name, count] of header.isDeleted ? [] : header.sections) {
    sections.push({ name, lines: lines.slice(next, next + count) });
    next += count;
  }
  // The last newline ends the last line.
  if (next !== lines.length - 1) {
    throw partError(call, objectKey, `has ${lines.length - 1} lines, not the ${next} of its header. Restore it`);
  }
  return { header, sections };
}

export function partError(call: Call, objectKey: string, what: string): SessionStoreError {
  return new SessionStoreError(`The object ${objectKey} ${what}.`, { operation: call.operation, key: call.key });
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

import {
  foldSessionSummary,
  type SessionKey,
  type SessionStoreEntry,
  SessionStoreError,
  type SessionSummaryEntry,
} from "@reins/sessions";
import type { Call } from "./bucket.ts";
import { parseObject, partError, type Section } from "./part.ts";
import { parsePartName } from "./part-name.ts";

/**
 * What is known of a transcript: the sum of the sections that were read, in their order.
 *
 * Later sections can be added, so a writer keeps one and adds what it stores.
 */
export class Transcript {
  readonly key: SessionKey;
  /** Position of the last section, 0 when there is none. */
  position = 0;
  /** Name of the last part that was listed or written; lists go on behind it. */
  listedUpTo: string;
  /** The fold of all entries; absent for subpaths. */
  summary: SessionSummaryEntry | undefined;
  readonly #uuids = new Set<string>();
  readonly #names = new Set<string>();
  /** The highest position of each writer. */
  readonly #writers = new Map<string, number>();

  constructor(key: SessionKey, listedUpTo = "") {
    this.key = key;
    this.listedUpTo = listedUpTo;
  }

  /** Whether any section was read, also one without entries. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  has(uuid: string | undefined): boolean {
    return uuid !== undefined && this.#uuids.has(uuid);
  }

  /** Whether a section is part of this. */
  hasSection(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether everything that a writer had acknowledged up to a position is part of this. */
  covers(writer: string, position: number): boolean {
    return (this.#writers.get(writer) ?? 0) >= position;
  }

  /** Adds entries behind the others and gives those that were new. */
  add(name: string, entries: readonly SessionStoreEntry[]): SessionStoreEntry[] {
    const { position = 0, writer = "" } = parsePartName(name) ?? {};
    const fresh: SessionStoreEntry[] = [];
    for (const entry of entries) {
      const uuid = uuidOf(entry);
      if (this.has(uuid)) continue;
      if (uuid !== undefined) this.#uuids.add(uuid);
      fresh.push(entry);
    }
    this.#names.add(name);
    if (!this.covers(writer, position)) this.#writers.set(writer, position);
    this.position = Math.max(this.position, position);
    if (name > this.listedUpTo) this.listedUpTo = name;
    if (this.key.subpath === undefined && fresh.length > 0) {
      this.summary = foldSessionSummary(this.summary, this.key, fresh);
    }
    return fresh;
  }
}

/** Puts sections in their order and reads their entries. */
export function readSections(
  call: Call,
  key: SessionKey,
  { sections, listedUpTo }: { readonly sections: readonly Section[]; readonly listedUpTo: string },
): { transcript: Transcript; entries: SessionStoreEntry[] } {
  const transcript = new Transcript(key, listedUpTo);
  const entries: SessionStoreEntry[] = [];
  for (const section of [...sections].sort(byName)) {
    // Not spread into a call, which has a limit of arguments.
    for (const entry of transcript.add(section.name, parseLines(call, section))) entries.push(entry);
  }
  return { transcript, entries };
}

export function parseLines(call: Call, { name, lines }: Section): SessionStoreEntry[] {
  return lines.map((line, index) => {
    const entry = parseObject(line);
    if (typeof entry?.["type"] === "string") return entry as SessionStoreEntry;
    throw partError(call, name, `has a line that is no entry, the ${index + 1}. of its section. Restore it`);
  });
}

/** The `uuid` of an entry, if it has one that can name it. */
export function uuidOf(entry: SessionStoreEntry): string | undefined {
  return typeof entry.uuid === "string" && entry.uuid !== "" ? entry.uuid : undefined;
}

export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Somebody compacts or deletes faster than this can be read. */
export function unsettledError({ operation, key }: Call): SessionStoreError {
  return new SessionStoreError("The transcript was rewritten again and again while it was read. Try again.", {
    operation,
    key,
    retryable: true,
  });
}

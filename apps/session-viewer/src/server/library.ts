import type { LooseEntry, SessionInfo, SessionKey, SessionUsage } from "@reins/sessions";
import type { AgentRow, Match } from "../protocol.ts";

/** An entry and its place. */
export interface PlacedEntry {
  /** Where it begins: a byte offset in a file, a count of entries in a store. */
  readonly at: number;
  /** Where the next one begins. */
  readonly next: number;
  /** None: the line cannot be read, and `problem` says why. */
  readonly entry?: LooseEntry;
  readonly problem?: string;
}

/** Where a session works, and since when it is as it is. */
export interface Whereabouts {
  /** None: nothing says so, or what says so contradicts the place where the session was found. */
  readonly cwd?: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/**
 * Where sessions come from. Ids that reach a library were checked to be ids; what they name is looked up among what is there, and no other text of
 * a client becomes part of a path.
 */
export interface Library {
  /** What the page calls it. */
  readonly source: string;
  list(): Promise<readonly SessionInfo[]>;
  /** Finds the transcript of a session, or of one of its subagents. */
  find(sessionId: string, agentId?: string): Promise<SessionKey | undefined>;
  /** All entries from a place on. Records that are large and say nothing to a person are left out. */
  read(key: SessionKey, start: number, signal: AbortSignal): AsyncIterable<PlacedEntry>;
  /** The same, without an end: goes on with what is appended. A transcript that was replaced begins at 0 again. */
  follow(key: SessionKey, start: number, signal: AbortSignal): AsyncIterable<PlacedEntry>;
  whereabouts(key: SessionKey): Promise<Whereabouts>;
  agents(key: SessionKey): Promise<readonly AgentRow[]>;
  usage(key: SessionKey, signal: AbortSignal): Promise<SessionUsage>;
  search(query: string, signal: AbortSignal): AsyncIterable<Match>;
}

/** Requests of the API in full, and copies of edited files: most of a transcript, and nothing to read. */
export function isBulk(type: string | undefined): boolean {
  return type !== undefined && /^(?:api-request|file-history|attribution-snapshot)/.test(type);
}

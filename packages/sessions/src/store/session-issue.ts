import type { SessionKey } from "@reins/messages";

/**
 * What can be wrong with a stored session.
 *
 * Of the entries: `no-messages` (nothing to resume), `unknown-parent`, `cycle`, `duplicate-uuid`, `second-root` (a message that begins
 * another chain), `foreign-session` (an entry names another session), `bad-timestamp`. Of what a store keeps beside them:
 * `stale-summary`, `not-listed`. Of files: `broken-line`, `torn-end`, `index-behind`, `index-ahead`, `draft`.
 */
export type SessionIssueKind =
  | "no-messages"
  | "unknown-parent"
  | "cycle"
  | "duplicate-uuid"
  | "second-root"
  | "foreign-session"
  | "bad-timestamp"
  | "stale-summary"
  | "not-listed"
  | "broken-line"
  | "torn-end"
  | "index-behind"
  | "index-ahead"
  | "draft";

/** One thing that is wrong with a stored session. */
export interface SessionIssue {
  readonly kind: SessionIssueKind;
  /** `error`: something is lost or will be read wrongly. `warning`: unusual, or mended by the next write. */
  readonly severity: "error" | "warning";
  readonly key: SessionKey;
  /** What is wrong, as a sentence. */
  readonly message: string;
  /** Of the entry that it is about. */
  readonly uuid?: string;
  /** Position of the entry in its transcript, from 0. */
  readonly index?: number;
  /** Where it is in the file. */
  readonly path?: string;
  /** Offset in that file. */
  readonly byteOffset?: number;
}

/** A store that can look at how it keeps a session. */
export interface InspectableSessionStore {
  /** Finds what is wrong with the files of a transcript. Changes nothing. */
  inspect(key: SessionKey): Promise<SessionIssue[]>;
}

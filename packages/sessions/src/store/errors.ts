import type { SessionKey } from "@reins/messages";
import { ReinsError } from "@reins/streamjson";
import type { SessionName } from "./session-store.ts";

/** What a store was doing when it failed. */
export type SessionStoreOperation =
  | "append"
  | "load"
  | "listSessions"
  | "listSessionSummaries"
  | "delete"
  | "listSubkeys"
  | "acquireSessionLease"
  | "renewSessionLease"
  | "releaseSessionLease"
  | "import"
  | "export"
  | "copy"
  | "verify";

/** Where a store failed. */
export interface SessionStoreErrorDetails {
  readonly operation: SessionStoreOperation;
  /** The transcript, the session, or for lists only the project. Absent when the failure concerns the store as a whole. */
  readonly key?: SessionKey | { readonly projectKey: string } | undefined;
  /** Default false. */
  readonly retryable?: boolean | undefined;
  readonly cause?: unknown;
}

/** A store could not do what it was asked for. Subclasses say what a caller can act on; `cause` has the original error. */
export class SessionStoreError extends ReinsError {
  readonly code: string = "REINS_SESSION_STORE";
  /** What the store was doing. */
  readonly operation: SessionStoreOperation;
  /** The transcript, the session, or for lists only the project. */
  readonly key: SessionKey | { readonly projectKey: string } | undefined;
  /** True when the same call may succeed later without anything being mended: disk full, too many open files, another writer. */
  readonly retryable: boolean;

  constructor(message: string, details: SessionStoreErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.operation = details.operation;
    this.key = details.key;
    this.retryable = details.retryable ?? false;
  }

  override get name(): string {
    return "SessionStoreError";
  }
}

/** A key has a part that is no string, or an empty one. Nothing was read or written. */
export class InvalidSessionKeyError extends SessionStoreError {
  override readonly code = "REINS_SESSION_KEY" as const;
  /** Which part. */
  readonly part: "projectKey" | "sessionId" | "subpath";

  constructor(operation: SessionStoreOperation, part: "projectKey" | "sessionId" | "subpath", value: unknown) {
    super(
      `The ${part} of a session key is ${value === "" ? "empty" : `no string (${typeof value})`}. Give a non-empty string${part === "subpath" ? ", or leave it out for the main transcript" : ""}.`,
      { operation },
    );
    this.part = part;
  }

  override get name(): string {
    return "InvalidSessionKeyError";
  }
}

/** An entry is not a JSON object with a string `type`. Nothing of its batch was written. */
export class InvalidEntryError extends SessionStoreError {
  override readonly code = "REINS_SESSION_ENTRY" as const;
  /** Position of the entry in its batch, from 0. */
  readonly index: number;

  constructor(key: SessionKey, index: number, reason: string, cause?: unknown) {
    super(`Entry ${index} of the batch for ${describeKey(key)} was not stored: ${reason}.`, {
      operation: "append",
      key,
      cause,
    });
    this.index = index;
  }

  override get name(): string {
    return "InvalidEntryError";
  }
}

/** Who writes a session at the moment. */
export interface SessionHolder {
  /** `lock`: a store writes the files now. `lease`: a worker has reserved the session. */
  readonly by: "lock" | "lease";
  /** Of a lock: host and process id, such as `host:4711`. Of a lease: its owner. */
  readonly owner: string;
  /** When a lease ends by itself, in ms since 1970. */
  readonly expiresAt?: number | undefined;
}

/** Somebody else writes the session. Nothing was written; try again later, or leave the session to the holder. */
export class SessionInUseError extends SessionStoreError {
  override readonly code = "REINS_SESSION_IN_USE" as const;
  /** Who has it. */
  readonly holder: SessionHolder;

  constructor(operation: SessionStoreOperation, key: SessionKey, holder: SessionHolder) {
    const until = holder.expiresAt === undefined ? "" : ` until ${new Date(holder.expiresAt).toISOString()}`;
    super(
      `${describeKey(key)} is in use: ${holder.owner} holds its ${holder.by}${until}. Try again later, or let the holder release it.`,
      { operation, key, retryable: true },
    );
    this.holder = holder;
  }

  override get name(): string {
    return "SessionInUseError";
  }
}

/** A lease is no longer valid: it was released, or another worker has got the session. Nothing was written. Stop working on the session. */
export class SessionLeaseLostError extends SessionStoreError {
  override readonly code = "REINS_SESSION_LEASE_LOST" as const;
  /** Fencing token of the lost lease. */
  readonly token: number;

  constructor(operation: SessionStoreOperation, key: SessionName, token: number) {
    super(`The lease ${token} on ${describeKey(key)} is lost. Stop writing, and acquire a new lease to go on.`, {
      operation,
      key,
    });
    this.token = token;
  }

  override get name(): string {
    return "SessionLeaseLostError";
  }
}

/** A line in the middle of a stored transcript is not JSON, so the transcript cannot be loaded whole. `verifySession` lists all such lines. */
export class CorruptTranscriptError extends SessionStoreError {
  override readonly code = "REINS_SESSION_CORRUPT" as const;
  /** The file. */
  readonly path: string;
  /** Offset of the line's first byte. */
  readonly byteOffset: number;

  constructor(
    operation: SessionStoreOperation,
    key: SessionKey,
    place: { path: string; byteOffset: number; cause?: unknown },
  ) {
    super(
      `The transcript of ${describeKey(key)} has a line at byte ${place.byteOffset} that is no JSON object. Mend or remove it in ${place.path}.`,
      { operation, key, cause: place.cause },
    );
    this.path = place.path;
    this.byteOffset = place.byteOffset;
  }

  override get name(): string {
    return "CorruptTranscriptError";
  }
}

/** Names a transcript in a message. */
export function describeKey(key: SessionKey | { readonly projectKey: string }): string {
  if (!("sessionId" in key)) return `project ${JSON.stringify(key.projectKey)}`;
  const part = key.subpath === undefined ? "" : `, ${JSON.stringify(key.subpath)}`;
  return `session ${JSON.stringify(key.sessionId)} (project ${JSON.stringify(key.projectKey)}${part})`;
}

import { type FrameError, ReinsError } from "@reins/streamjson";

/**
 * A file or folder of the CLI's transcripts could not be read or written, although it is there. `cause` has the system's error.
 *
 * Readers hand it to `onProblem` and go on with the rest; without `onProblem` they fail with it.
 */
export class TranscriptAccessError extends ReinsError {
  readonly code = "REINS_TRANSCRIPT_ACCESS" as const;
  /** What could not be read or written. */
  readonly path: string;

  constructor(action: "read" | "write" | "delete", path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `Could not ${action} ${path}: ${why}.${action === "read" ? " Mend it, or pass onProblem to get the rest." : ""}`,
      { cause },
    );
    this.path = path;
  }

  override get name(): string {
    return "TranscriptAccessError";
  }
}

/**
 * A line of a transcript holds no entry: a crash tore it, or something else wrote into the file. `cause` says what is wrong with it.
 *
 * Only ever handed to `onProblem`; the readers pass over the line, as the CLI does.
 */
export class TranscriptLineError extends ReinsError {
  readonly code = "REINS_TRANSCRIPT_LINE" as const;
  /** The file; for a stored session its id. */
  readonly path: string;
  /** Offset of the line's first byte in the file. */
  readonly byteOffset: number;
  declare readonly cause: FrameError;

  constructor(path: string, byteOffset: number, cause: FrameError) {
    super(`The line at byte ${byteOffset} of ${path} is no transcript entry: ${cause.message}`, { cause });
    this.path = path;
    this.byteOffset = byteOffset;
  }

  override get name(): string {
    return "TranscriptLineError";
  }
}

/** What a reader met and passed over. */
export type TranscriptProblem = TranscriptAccessError | TranscriptLineError;

/** There is no such session where it was looked for, or it has no line yet. */
export class SessionNotFoundError extends ReinsError {
  readonly code = "REINS_SESSION_NOT_FOUND" as const;
  readonly sessionId: string;
  /** The folder that was asked for, if one was. */
  readonly dir: string | undefined;

  constructor(sessionId: string, where: string, dir?: string) {
    super(`Session ${sessionId} not found${where}`);
    this.sessionId = sessionId;
    this.dir = dir;
  }

  override get name(): string {
    return "SessionNotFoundError";
  }
}

/** A session cannot be forked at the message that was asked for, or has no messages at all. */
export class SessionForkError extends ReinsError {
  readonly code = "REINS_SESSION_FORK" as const;
  readonly sessionId: string;
  /** The message that was asked for, if one was. */
  readonly messageId: string | undefined;

  constructor(message: string, sessionId: string, messageId?: string) {
    super(message);
    this.sessionId = sessionId;
    this.messageId = messageId;
  }

  override get name(): string {
    return "SessionForkError";
  }
}

/** The session store that was given has no method that the call needs. */
export class SessionStoreMethodError extends ReinsError {
  readonly code = "REINS_SESSION_STORE_METHOD" as const;
  readonly method: string;

  constructor(message: string, method: string) {
    super(message);
    this.method = method;
  }

  override get name(): string {
    return "SessionStoreMethodError";
  }
}

/** The code of a system error, such as `"ENOENT"`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Tells whether a file or folder is simply not there, or is no longer. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

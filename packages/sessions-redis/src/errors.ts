import { type SessionKey, SessionStoreError, type SessionStoreOperation } from "@reins/sessions";

/** Where a call failed: a transcript, a session, or for lists only the project. */
export type FailedKey = SessionKey | { readonly projectKey: string };

/** What is known of a call that failed. */
export interface RedisSessionStoreErrorDetails {
  readonly operation: SessionStoreOperation;
  readonly key: FailedKey;
  readonly retryable: boolean;
  /** Default false. */
  readonly mayBeDone?: boolean;
  readonly cause?: unknown;
}

/**
 * Redis refused a call, could not be reached, or was late.
 *
 * `retryable` says whether the same call may succeed later. Making it again through the same store object is always safe: what the first
 * one did is not done twice. Through another store object, entries without `uuid` may then be stored twice when `mayBeDone` is true.
 */
export class RedisSessionStoreError extends SessionStoreError {
  override readonly code = "REINS_SESSION_STORE_REDIS" as const;
  /** True when the call may have taken effect, or still may: the answer was late, or the connection was lost. */
  readonly mayBeDone: boolean;

  constructor(message: string, details: RedisSessionStoreErrorDetails) {
    super(message, details);
    this.mayBeDone = details.mayBeDone ?? false;
  }

  override get name(): string {
    return "RedisSessionStoreError";
  }
}

/** Codes with which a server refuses for a time: it starts, fails over, is full, or runs a long script. */
const passing = [
  "LOADING",
  "BUSY",
  "TRYAGAIN",
  "CLUSTERDOWN",
  "MASTERDOWN",
  "READONLY",
  "OOM",
  "MISCONF",
  "NOREPLICAS",
  "NOGOODSLAVE",
  "MOVED",
  "ASK",
  "UNBLOCKED",
];

/** Turns what a client rejected with into an error of the store. */
export function toStoreError(operation: SessionStoreOperation, key: FailedKey, error: unknown): RedisSessionStoreError {
  const reason = textOf(error);
  // Before Redis 7 the code of a command within a script stands behind where that was.
  const [refusal] =
    /(?<=^ERR .*user_script: ?\d+: -)[A-Z]{2,}(?= )/.exec(reason) ?? /^[A-Z]{2,}(?= |$)/.exec(reason) ?? [];
  const isRefused = refusal !== undefined;
  // The owner of the client closed it, or never connected it: nobody will open it for a retry.
  const isClosed = error instanceof Error && error.constructor.name === "ClientClosedError";
  const retryable = isRefused ? passing.includes(refusal) : !isClosed;
  const advice = retryable ? "It may be tried again." : "Trying again does not help.";
  return new RedisSessionStoreError(`${operation} failed for ${describeKey(key)}: ${reason}. ${advice}`, {
    operation,
    key,
    retryable,
    // A script that fails in the middle keeps what it did until then.
    mayBeDone: !isClosed && !(isRefused && !/\bscript\b/.test(reason)),
    cause: toCause(error, reason),
  });
}

/** Makes the error of an answer that did not come in time. */
export function toTimeoutError(
  operation: SessionStoreOperation,
  key: FailedKey,
  timeoutMs: number,
): RedisSessionStoreError {
  return new RedisSessionStoreError(
    `${operation} failed for ${describeKey(key)}: Redis did not answer within ${timeoutMs} ms. It may be tried again.`,
    { operation, key, retryable: true, mayBeDone: true },
  );
}

/** Names what a call was about. */
export function describeKey(key: FailedKey): string {
  if (!("sessionId" in key)) return `project ${JSON.stringify(key.projectKey)}`;
  const part = key.subpath === undefined ? "" : `, ${JSON.stringify(key.subpath)}`;
  return `session ${JSON.stringify(key.sessionId)} (project ${JSON.stringify(key.projectKey)}${part})`;
}

/**
 * A copy that holds name, text, code and stack. Clients put the command with all of its arguments on their errors: passwords, and the
 * entries of the session.
 */
function toCause(error: unknown, reason: string): unknown {
  if (!(error instanceof Error)) return undefined;
  const cause = new Error(reason);
  cause.name = error.name;
  if ("code" in error) Object.assign(cause, { code: error.code });
  // The first lines of a stack are the message as it was.
  const frames = error.stack?.split("\n").filter((line) => /^ +at /.test(line)) ?? [];
  cause.stack = [`${error.name}: ${reason}`, ...frames].join("\n");
  return cause;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return "the client rejected without an error";
  // Connections to several addresses fail with one error for all, whose own text is empty.
  const inner: unknown[] = [
    ...("errors" in error && Array.isArray(error.errors) ? error.errors : []),
    ...("lastNodeError" in error ? [error.lastNodeError] : []),
  ];
  const texts = [error.message, ...inner.map((each) => (each instanceof Error ? each.message : ""))];
  const text = texts.filter((each) => each !== "").join("; ");
  return withoutCredentials(text === "" ? error.name : text.replace(/\.$/, ""));
}

/** `redis://user:password@host` as a client may quote it. */
function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*(?:@[^\s/@]*)*@/gi, "$1***@");
}

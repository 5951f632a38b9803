import { type SessionKey, SessionStoreError, type SessionStoreOperation } from "@reins/sessions";

/** Where a request failed. */
export interface S3RequestErrorDetails {
  readonly operation: SessionStoreOperation;
  readonly key: SessionKey | { readonly projectKey: string } | undefined;
  /** Of the API of S3. */
  readonly request: S3RequestName;
  readonly bucket: string;
  /** Key of the object, or the prefix of a list. */
  readonly objectKey: string;
}

/** The requests that the store makes. */
export type S3RequestName = "PutObject" | "GetObject" | "ListObjectsV2" | "DeleteObjects";

/**
 * A request to S3 failed, after the retries that the client is set to.
 *
 * Trying again is always safe: what is appended a second time is stored once. `retryable` tells whether it may help: true for lost
 * connections, timeouts, throttling and failures of the server; false for refusals, such as missing rights or buckets. `cause` has what
 * the client said, without the fields in which signatures and keys may stand.
 */
export class S3RequestError extends SessionStoreError {
  override readonly code = "REINS_S3_REQUEST" as const;
  readonly request: S3RequestName;
  readonly bucket: string;
  /** Key of the object, or the prefix of a list. */
  readonly objectKey: string;
  /** HTTP status; absent when there was no answer. */
  readonly status: number | undefined;
  /** What S3 or the client calls the failure, such as `"NoSuchBucket"` or `"ECONNREFUSED"`. */
  readonly reason: string;
  /** What the operator of the endpoint can look up. */
  readonly requestId: string | undefined;

  /**
   * @param error What the client threw.
   * @param timeoutMs The time that ran out, when it was ended for that.
   */
  constructor(where: S3RequestErrorDetails, error: unknown, timeoutMs?: number) {
    const facts = factsOf(error);
    const { status } = facts;
    const reason = timeoutMs === undefined ? facts.reason : "Timeout";
    const said = timeoutMs === undefined ? facts.message : `there was no answer within ${timeoutMs} ms`;
    const answer = status === undefined ? reason : `${status} ${reason}`;
    const isRetryable = timeoutMs !== undefined || mayPass(status, reason);
    super(
      `${where.request} of ${where.objectKey} in bucket ${where.bucket} failed: ${answer}, ${said}. ${
        isRetryable ? "Try again: nothing is stored twice." : "Trying again will not help before this is mended."
      }`,
      { operation: where.operation, key: where.key, retryable: isRetryable, cause: cleanCause(facts) },
    );
    this.request = where.request;
    this.bucket = where.bucket;
    this.objectKey = where.objectKey;
    this.status = status;
    this.reason = reason;
    this.requestId = facts.requestId;
  }

  override get name(): string {
    return "S3RequestError";
  }
}

interface Facts {
  readonly name: string;
  readonly reason: string;
  readonly message: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
}

/** Takes of an error what is known to be harmless. */
export function factsOf(error: unknown): Facts {
  // Whatever a client throws; each field is looked at before it is used.
  const thrown = Object(error) as Record<string, unknown> & { $metadata?: Record<string, unknown> };
  const status = thrown.$metadata?.["httpStatusCode"];
  const requestId = thrown.$metadata?.["requestId"];
  const name = typeof thrown["name"] === "string" ? thrown["name"] : "Error";
  // Behind the first line the client tells its user where to look, which is not in what is kept here.
  const [message = ""] = (typeof thrown["message"] === "string" ? thrown["message"] : String(error)).split("\n", 1);
  const reason = [thrown["Code"], thrown["code"]].find((code) => typeof code === "string" && code !== "");
  return {
    name,
    reason: String(reason ?? name),
    message: withoutSecrets(message).replace(/\.$/, "") || "no message",
    status: typeof status === "number" ? status : undefined,
    requestId: typeof requestId === "string" ? requestId : undefined,
  };
}

/** Errors of S3 carry what they were sent, up to the access key and the text that was signed. */
function cleanCause({ name, message }: Facts): Error {
  const cause = new Error(message);
  cause.name = name;
  delete cause.stack;
  return cause;
}

function withoutSecrets(text: string): string {
  return text
    .replace(/\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}\b/g, "<access key>")
    .replace(
      /(signature|security-token|credential|secret(?:_?access_?key)?|password)(["']?\s*[=:]\s*)[^\s&,"']+/gi,
      "$1$2<removed>",
    )
    .replace(/\/\/[^/\s@]+@/g, "//<removed>@");
}

const passingStatus: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504];

function mayPass(status: number | undefined, reason: string): boolean {
  if (/^(RequestTimeout|SlowDown|Throttl|TooManyRequests|ConditionalRequestConflict|OperationAborted)/.test(reason))
    return true;
  if (status !== undefined && status >= 300) return passingStatus.includes(status);
  // No answer at all, or one whose body broke off: codes of the system, and what the client calls it when it gave up.
  return /^(E[A-Z]+|UND_ERR_[A-Z_]+|TimeoutError|NetworkingError|AbortError)$/.test(reason);
}

import { type SessionKey, SessionStoreError, type SessionStoreOperation } from "@reins/sessions";
import { ReinsError } from "@reins/streamjson";
import { adviceFor, isTransient, sqlStateOf } from "./failure.ts";

/** Postgres, or the way to it, failed while the store did something. `cause` has the error of the client library. */
export class PostgresStoreError extends SessionStoreError {
  override readonly code = "REINS_SESSION_POSTGRES" as const;
  /** What Postgres says of its error, such as `"57014"`; absent when the connection failed or no answer came. */
  readonly sqlState: string | undefined;
  /**
   * `"none"`: nothing was changed, so a repeated call cannot do anything twice. `"unknown"`: the connection was lost while Postgres
   * committed. Then a repeated append stores nothing twice that has a `uuid`; entries without one may come to stand there twice.
   */
  readonly effect: "none" | "unknown";

  constructor(
    operation: SessionStoreOperation,
    key: SessionKey | { readonly projectKey: string },
    cause: unknown,
    effect: "none" | "unknown",
  ) {
    const sqlState = sqlStateOf(cause);
    const retryable = isTransient(cause);
    super(
      `${operation} failed for ${describe(key)}: ${reasonOf(cause)}${sqlState === undefined ? "" : ` (SQLSTATE ${sqlState})`}. ` +
        (effect === "unknown"
          ? `Whether it was done is not known${operation === "append" ? "; entries with a uuid can be appended again" : ""}.`
          : `Nothing was changed; ${adviceFor(cause) ?? (retryable ? "try again" : "see the cause")}.`),
      { operation, key, retryable, cause },
    );
    this.sqlState = sqlState;
    this.effect = effect;
  }

  override get name(): string {
    return "PostgresStoreError";
  }
}

/** The tables could not be brought up to date. They are as they were before, unless the connection was lost at the very end. */
export class PostgresMigrationError extends ReinsError {
  readonly code = "REINS_SESSION_POSTGRES_MIGRATION" as const;
  /** What Postgres says of its error; absent when it was not Postgres that refused. */
  readonly sqlState: string | undefined;
  /** True when the same call may succeed later without anything being mended. */
  readonly retryable: boolean;

  constructor(reason: string, cause?: unknown) {
    super(`The tables were not migrated: ${reason}.`, cause === undefined ? undefined : { cause });
    this.sqlState = sqlStateOf(cause);
    this.retryable = isTransient(cause);
  }

  override get name(): string {
    return "PostgresMigrationError";
  }
}

/** What went wrong, in the words of the client library, which has no credentials in them. */
export function reasonOf(cause: unknown): string {
  // A refused connection to a name with several addresses is an AggregateError without a message.
  const [first] = cause instanceof AggregateError ? cause.errors : [];
  const reason = cause instanceof Error && cause.message === "" && first instanceof Error ? first : cause;
  return (reason instanceof Error ? reason.message : String(reason)).replace(/\.$/, "");
}

function describe(key: SessionKey | { readonly projectKey: string }): string {
  const project = `project ${JSON.stringify(key.projectKey)}`;
  if (!("sessionId" in key)) return project;
  const session = `session ${JSON.stringify(key.sessionId)} of ${project}`;
  return key.subpath === undefined ? session : `${JSON.stringify(key.subpath)} of ${session}`;
}

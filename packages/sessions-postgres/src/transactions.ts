import { isConnectionLost, NoAnswerError } from "./failure.ts";
import type { PostgresConnection, PostgresPool } from "./postgres-pool.ts";
import { quoteLiteral } from "./quote.ts";

/** A row as the client library gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** How a transaction begins. */
export interface TransactionMode {
  /** Snapshot: all statements see the same moment, and none may write. */
  readonly isolation: "read committed" | "snapshot";
  /** How long one statement may take, in ms. */
  readonly timeoutMs: number;
  /** How long the wait for a connection may take, in ms. */
  readonly connectTimeoutMs: number;
  /** What `reins.tenant` is in the transaction, for policies of row-level security. */
  readonly tenant?: string | undefined;
}

/** What became of a transaction that failed. */
export interface TransactionFailure {
  readonly error: unknown;
  /** True when the connection was lost while Postgres committed what was written. */
  readonly isInDoubt: boolean;
}

/** 3 s: how long the client waits beyond the server's own limit, whose error says more. Either may be busy. */
const graceMs = 3_000;

/**
 * Runs a transaction on a connection of the pool, and gives the connection back in a state in which others can use it.
 *
 * @param task Begins with {@link Transaction.begin} and ends with {@link Transaction.commit}; whatever it throws rolls back.
 * @param fail Makes the error to throw of one that came from Postgres or from the connection.
 */
export async function transact<T>(
  pool: PostgresPool,
  mode: TransactionMode,
  signal: AbortSignal | undefined,
  task: (transaction: Transaction) => Promise<T>,
  fail: (failure: TransactionFailure) => Error,
): Promise<T> {
  signal?.throwIfAborted();
  let connection: PostgresConnection;
  try {
    connection = await connect(pool, mode.connectTimeoutMs, signal);
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : fail({ error, isInDoubt: false });
  }
  // Without a listener the end of a connection that was taken out of the pool would end the process. Who waits gets the error anyway.
  connection.on("error", ignore);
  const transaction = new Transaction(connection, mode, signal);
  let isUsable = false;
  try {
    const result = await task(transaction);
    isUsable = true;
    return result;
  } catch (error) {
    const failure = transaction.failure;
    if (failure === undefined || !isConnectionLost(failure.error)) isUsable = await transaction.rollBack();
    if (failure !== undefined && signal?.aborted === true) throw signal.reason;
    throw failure === undefined ? error : fail(failure);
  } finally {
    if (isUsable) connection.removeListener("error", ignore);
    connection.release(!isUsable);
  }
}

/** One transaction. Each call is one round trip. */
export class Transaction {
  readonly #connection: PostgresConnection;
  readonly #mode: TransactionMode;
  readonly #signal: AbortSignal | undefined;
  #isOpen = false;
  #failure: TransactionFailure | undefined;

  constructor(connection: PostgresConnection, mode: TransactionMode, signal: AbortSignal | undefined) {
    this.#connection = connection;
    this.#mode = mode;
    this.#signal = signal;
  }

  /** The error that came from Postgres or the connection, if one did. */
  get failure(): TransactionFailure | undefined {
    return this.#failure;
  }

  /** Begins, and gives the rows of the last of the statements. They have no parameters: values are quoted. */
  begin(statements: string): Promise<readonly Row[]> {
    return this.#send(`${this.#prologue()} ${statements}`);
  }

  /** Runs one statement with parameters, or several without, and gives the rows of the last. */
  query(text: string, values?: unknown[]): Promise<readonly Row[]> {
    return this.#send(text, values);
  }

  /** Runs statements, if any, and commits. Gives the rows of the last of the statements. */
  async commit(statements = ""): Promise<readonly Row[]> {
    const rows = await this.#send(`${statements}${statements === "" ? "" : ";"} COMMIT`, undefined, true);
    this.#isOpen = false;
    return rows;
  }

  /** Begins, runs one statement and commits, all in one round trip. */
  async only(statement: string): Promise<readonly Row[]> {
    const rows = await this.#send(`${this.#prologue()} ${statement}; COMMIT`, undefined, true);
    this.#isOpen = false;
    return rows;
  }

  /** Ends the transaction, if there is one. Tells whether the connection can be used again. */
  async rollBack(): Promise<boolean> {
    if (!this.#isOpen) return true;
    try {
      await bounded("answer", this.#connection.query("ROLLBACK"), this.#mode.timeoutMs + graceMs, undefined);
      return true;
    } catch {
      return false;
    }
  }

  #prologue(): string {
    const { isolation, timeoutMs, tenant } = this.#mode;
    // Whatever the default of the database is: writes count on seeing what was committed while they waited for a lock.
    const level = isolation === "snapshot" ? "REPEATABLE READ READ ONLY" : "READ COMMITTED";
    const limits = ["statement_timeout", "idle_in_transaction_session_timeout"].map(
      (name) => `SET LOCAL ${name} = ${timeoutMs};`,
    );
    const tenantSetting = tenant === undefined ? "" : ` SET LOCAL reins.tenant = ${quoteLiteral(tenant)};`;
    return `BEGIN ISOLATION LEVEL ${level}; ${limits.join(" ")}${tenantSetting}`;
  }

  async #send(text: string, values?: unknown[], commits = false): Promise<readonly Row[]> {
    this.#isOpen = true;
    try {
      const answer = await bounded(
        "answer",
        this.#connection.query(text, values),
        this.#mode.timeoutMs + graceMs,
        this.#signal,
      );
      return rowsOf(answer, commits);
    } catch (error) {
      const writes = this.#mode.isolation !== "snapshot";
      this.#failure = { error, isInDoubt: commits && writes && isConnectionLost(error) };
      throw error;
    }
  }
}

async function connect(
  pool: PostgresPool,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<PostgresConnection> {
  const connecting = pool.connect();
  try {
    return await bounded("connection", connecting, timeoutMs, signal);
  } catch (error) {
    // One that comes too late goes back at once.
    connecting.then((connection) => connection.release(), ignore);
    throw error;
  }
}

/** Waits, but not longer than the signal allows. What comes later is ignored. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    promise.catch(ignore);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

/** Waits, but not for ever and not longer than the signal allows. What comes later is ignored. */
async function bounded<T>(
  what: "answer" | "connection",
  promise: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(`no ${what} within ${timeoutMs} ms`)), timeoutMs);
    timer.unref();
  });
  const inTime = Promise.race([promise, late]);
  try {
    return await (signal === undefined ? inTime : untilAborted(inTime, signal));
  } finally {
    promise.catch(ignore);
    clearTimeout(timer);
  }
}

/** The rows of the last statement, or of the one before COMMIT. */
function rowsOf(answer: unknown, commits: boolean): readonly Row[] {
  const results: unknown[] = Array.isArray(answer) ? answer : [answer];
  const result = results.at(commits ? -2 : -1);
  const rows: unknown = typeof result === "object" && result !== null && "rows" in result ? result.rows : [];
  // The shape of a result is the client library's.
  return Array.isArray(rows) ? (rows as readonly Row[]) : [];
}

function ignore(): void {}

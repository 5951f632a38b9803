import { SessionClosedError } from "@reins/control";
import { OptionError } from "@reins/process";
import type { Options } from "./options.ts";
import { type WarmQuery, warmQuery } from "./warm-query.ts";
import { startWarmSession, type WarmSession } from "./warm-session.ts";

/** Options of {@link createWarmPool}. */
export interface WarmPoolOptions {
  /** How many sessions wait, or are being started, at most. At least 1. One takes about 250 MB. */
  readonly size: number;
  /**
   * The options of every session. What belongs to one session is refused: `sessionId`, `resume`, `continue`, `forkSession`, `transport`,
   * `abortController`.
   */
  readonly options?: Options | undefined;
  /** Told why a session could not be started, or died while it waited. What it throws is ignored. Default: nobody. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Sessions that were started ahead of their prompts. */
export interface WarmPool extends AsyncDisposable {
  /** How many sessions are ready. */
  readonly ready: number;

  /**
   * Gives a session that is the caller's from then on: `query()`, `new Client(warm)`, or `close()`. Waits for one that is being
   * started when none is ready; callers are served in turn.
   *
   * @throws why the session could not be started that this call waited for; {@link SessionClosedError} when the pool was closed.
   */
  take(): Promise<WarmQuery>;

  /** Stops the sessions that nobody has taken. Settles when they are gone; never rejects. Those that were taken live on. */
  close(): Promise<void>;
}

/**
 * Keeps sessions started ahead, so that a prompt does not wait for the start of the CLI. Starts the first ones at once.
 *
 * For each session that is taken another is started, and for each that dies while it waits: at once the first time, then after 1 s, 2 s,
 * 4 s and so on up to a minute, until one can be taken again. A call that waits starts one without delay.
 *
 * Every session has a process, a transcript, an environment and a permission state of its own. Shared is what the options hold: callbacks
 * and hooks are called for all of them, and in-process tools see the calls of all of them (their context tells which session asks). A
 * server of the MCP SDK serves one session at a time, so give a function that makes it. What is read at the start (settings, files,
 * credentials) is as old as the session.
 *
 * Sessions that wait keep this process alive until the pool is closed.
 *
 * @throws {@link OptionError} for an option that cannot be shared, or cannot reach the CLI.
 * @example
 * await using pool = createWarmPool({ size: 2, options: { model: "haiku" } });
 * const warm = await pool.take();
 * for await (const message of warm.query("What is 2 + 2?")) console.log(message.type);
 */
export function createWarmPool(options: WarmPoolOptions): WarmPool {
  const { size, options: shared = {} } = options;
  if (!(Number.isInteger(size) && size >= 1))
    throw new OptionError("size", `must be a whole number above 0, not ${size}.`);
  for (const option of ofOneSession) {
    if (shared[option])
      throw new OptionError(option, "belongs to one session, and cannot be shared by those of a pool.");
  }
  return new Pool(size, shared, options.onError);
}

const ofOneSession = ["sessionId", "resume", "continue", "forkSession", "transport", "abortController"] as const;

/** A caller that waits for a session. */
interface Taker {
  readonly resolve: (warm: WarmQuery) => void;
  readonly reject: (error: unknown) => void;
}

class Pool implements WarmPool {
  readonly #size: number;
  readonly #options: Options;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #starting = new Set<WarmSession>();
  readonly #ready = new Set<WarmSession>();
  /** All whose processes may live, and that were not taken: those on their way out, too. */
  readonly #untaken = new Set<WarmSession>();
  readonly #takers: Taker[] = [];
  /** Sessions that ended untaken since the last one that was taken. */
  #failures = 0;
  #retry: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(size: number, options: Options, onError: ((error: unknown) => void) | undefined) {
    this.#size = size;
    this.#options = options;
    this.#onError = onError;
    // Options that cannot work throw with the first one.
    while (this.#starting.size < size) this.#start();
  }

  get ready(): number {
    return this.#ready.size;
  }

  take(): Promise<WarmQuery> {
    if (this.#closing !== undefined) return Promise.reject(poolClosed());
    return new Promise((resolve, reject) => {
      this.#takers.push({ resolve, reject });
      this.#serve();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    clearTimeout(this.#retry);
    for (const taker of this.#takers.splice(0)) taker.reject(poolClosed());
    this.#ready.clear();
    await Promise.all([...this.#untaken].map(stop));
  }

  /** Gives what is ready to those who wait, in turn, and starts what is missing. */
  #serve(): void {
    for (const session of this.#ready) {
      const taker = this.#takers.shift();
      if (taker === undefined) break;
      this.#ready.delete(session);
      this.#untaken.delete(session);
      this.#failures = 0;
      taker.resolve(warmQuery(session));
    }
    if (this.#failures === 0) this.#fill(this.#size);
    // Somebody waits, so what failed before is tried without delay.
    else this.#fill(Math.min(this.#takers.length, this.#size));
  }

  /** Starts sessions until so many are ready or on their way. */
  #fill(count: number): void {
    while (this.#closing === undefined && this.#ready.size + this.#starting.size < count) {
      try {
        this.#start();
      } catch (error) {
        this.#failed(error);
        return;
      }
    }
  }

  #start(): void {
    const session = startWarmSession(this.#options);
    this.#untaken.add(session);
    this.#starting.add(session);
    void session.done.then(() => this.#untaken.delete(session));
    session.ready.then(
      () => {
        this.#starting.delete(session);
        if (this.#closing !== undefined) return;
        this.#ready.add(session);
        void session.client.ended.then(() => this.#diedWaiting(session));
        this.#serve();
      },
      (error: unknown) => {
        this.#starting.delete(session);
        this.#failed(error);
      },
    );
  }

  async #diedWaiting(session: WarmSession): Promise<void> {
    // One that was taken is the taker's business.
    if (this.#ready.delete(session)) this.#failed(await reasonOfEnd(session));
  }

  /** Tells the one who has waited longest, or plans the next try. */
  #failed(error: unknown): void {
    if (this.#closing !== undefined) return;
    this.#failures++;
    try {
      this.#onError?.(error);
    } catch {
      // There is nobody else to tell.
    }
    this.#takers.shift()?.reject(error);
    this.#serve();
    clearTimeout(this.#retry);
    const delayMs = this.#failures === 1 ? 0 : Math.min(1_000 * 2 ** (this.#failures - 2), 60_000);
    this.#retry = setTimeout(() => this.#fill(this.#size), delayMs);
    this.#retry.unref();
  }
}

async function stop({ client, done }: WarmSession): Promise<void> {
  await client.close();
  await done;
}

/** Why a session has ended that nobody read. */
async function reasonOfEnd({ client }: WarmSession): Promise<unknown> {
  try {
    while (!(await client.messages.next()).done);
  } catch (error) {
    return error;
  }
  return new SessionClosedError("the session ended while it waited");
}

function poolClosed(): SessionClosedError {
  return new SessionClosedError("the pool was closed");
}

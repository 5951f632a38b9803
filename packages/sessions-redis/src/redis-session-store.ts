import { randomUUID } from "node:crypto";
import {
  type AcquireLeaseOptions,
  checkProjectKey,
  checkSessionKey,
  type LeaseOptions,
  type LeasingSessionStore,
  SessionInUseError,
  type SessionKey,
  type SessionLease,
  SessionLeaseLostError,
  type SessionName,
  type SessionStoreEntry,
  type SessionStoreRow,
  type SessionSummaryEntry,
  type SessionWriteOptions,
} from "@reins/sessions";
import { checkLeaseIsFor, checkPositive } from "./check-arguments.ts";
import { type NewLine, toElements, toNewLines, toParts } from "./entry-lines.ts";
import { escapePart, unescapePart } from "./escape-part.ts";
import { FailedCalls } from "./failed-calls.ts";
import { readPages } from "./read-pages.ts";
import { readTranscript } from "./read-transcript.ts";
import { type RedisClient, toScriptCaller } from "./redis-client.ts";
import { type ScriptCall, ScriptRunner, toText, toTexts } from "./script-runner.ts";
import { appendScript } from "./scripts/append.ts";
import { acquireScript, releaseScript, renewScript } from "./scripts/leases.ts";
import { listScript, subpathsScript, summariesScript } from "./scripts/reads.ts";
import { removeScript } from "./scripts/remove.ts";
import { entriesKeyOf, projectKeysOf, scriptKeysOf, subpathsKeyOf } from "./session-keys.ts";
import { parseSummary, type SummaryChange, summaryChangesOf } from "./summary-changes.ts";
import { WriteQueue } from "./write-queue.ts";

/** How a store behaves. */
export interface RedisSessionStoreOptions {
  /** A client of `ioredis` 5 or 6 or of `redis` 4 to 6, for one server or a cluster. Yours: the store neither connects nor closes it. */
  readonly client: RedisClient;
  /** Begin of all keys. Default `"reins:"`. Without braces, which mark what decides about the slot in a cluster. */
  readonly prefix?: string;
  /**
   * How long a session lives after its last write, in seconds; it may be a tenth longer. All of its keys go at the same moment. Default: for
   * ever. The last writer of a session decides for all of it.
   */
  readonly ttlSeconds?: number;
  /** How long Redis may take for one request, in ms. Default 10,000. A client that cannot connect would often wait for ever. */
  readonly timeoutMs?: number;
}

/** How a call can be given up. */
export interface RedisReadOptions {
  /** Rejects the call with the signal's reason. What was sent to Redis already may still take effect. */
  readonly signal?: AbortSignal;
}

/** How a write proves that it may be done, and how it can be given up. */
export interface RedisWriteOptions extends SessionWriteOptions, RedisReadOptions {}

/** 30 s, as in the other stores. */
const defaultLeaseMs = 30_000;

/** 30 years: beyond it numbers of the server overflow. */
const maxSeconds = 1e9;

/** The longest timer of Node.js. */
const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Keeps sessions in Redis. Has every optional capability, leases included.
 *
 * - An append is one round trip and atomic: idempotency by uuid, entries, summary and index. Several writers, in whichever processes, may
 *   write one session.
 * - It is acknowledged when Redis answers. What that is worth is a setting of the server: with `appendfsync always` the entries are on its
 *   disk, with `everysec` a power failure takes up to two seconds of them, without an append-only file all since the last snapshot.
 * - All keys of a project are in one slot of a cluster; projects spread over the slots.
 * - Errors are {@link RedisSessionStoreError}; a retry through the same store is always safe. The store keeps no connection and needs no
 *   closing.
 *
 * @example
 * const client = new Redis("redis://127.0.0.1:6379");
 * const store = new RedisSessionStore({ client, ttlSeconds: 30 * 24 * 3600 });
 * query({ prompt, options: { sessionStore: store } });
 */
export class RedisSessionStore implements LeasingSessionStore {
  readonly #runner: ScriptRunner;
  readonly #prefix: string;
  readonly #ttlMs: number;
  readonly #writes = new WriteQueue();
  readonly #failed = new FailedCalls();

  /** @throws TypeError or RangeError for options that cannot work. */
  constructor(options: RedisSessionStoreOptions) {
    const { client, prefix = "reins:", ttlSeconds, timeoutMs = 10_000 } = options;
    if (typeof prefix !== "string" || /[{}]/.test(prefix)) throw new TypeError("prefix must be a text without braces.");
    if (ttlSeconds !== undefined) checkPositive("ttlSeconds", ttlSeconds, maxSeconds);
    checkPositive("timeoutMs", timeoutMs, maxTimeoutMs);
    this.#runner = new ScriptRunner(toScriptCaller(client), timeoutMs);
    this.#prefix = prefix;
    this.#ttlMs = ttlSeconds === undefined ? 0 : Math.ceil(ttlSeconds * 1000);
  }

  /**
   * @throws {@link RedisSessionStoreError} when Redis refuses or does not answer.
   * @throws SessionInUseError while a lease is valid that is not the one of the options; SessionLeaseLostError when that one no longer counts.
   */
  async append(key: SessionKey, entries: SessionStoreEntry[], options: RedisWriteOptions = {}): Promise<void> {
    checkSessionKey("append", key);
    checkLeaseIsFor("append", key, options.lease);
    // Taken now, since the caller may change its objects as soon as this returns.
    const parts = toParts(toNewLines(key, entries)).map((lines) => ({ lines, changes: changesOf(key, lines) }));
    if (parts.length === 0) return;
    await this.#write(key, options.signal, async () => {
      for (const { lines, changes } of parts) await this.#appendPart(key, lines, changes, options);
    });
  }

  /** @throws {@link RedisSessionStoreError} when Redis refuses or does not answer, and when an entry is no JSON. */
  async load(key: SessionKey, options: RedisReadOptions = {}): Promise<SessionStoreEntry[] | null> {
    checkSessionKey("load", key);
    const call = { operation: "load", key, signal: options.signal } as const;
    return untilAborted(options.signal, () => readTranscript(this.#runner, call, entriesKeyOf(this.#prefix, key)));
  }

  async listSessions(projectKey: string, options: RedisReadOptions = {}): Promise<SessionStoreRow[]> {
    checkProjectKey("listSessions", projectKey);
    const { index, expiry } = projectKeysOf(this.#prefix, projectKey);
    const call = { operation: "listSessions", key: { projectKey }, signal: options.signal } as const;
    const rows = await untilAborted(options.signal, () => readPages(this.#runner, call, listScript, [index, expiry]));
    return rows.map(([member, mtime]) => ({ sessionId: unescapePart(member), mtime: Number(mtime) }));
  }

  async listSessionSummaries(projectKey: string, options: RedisReadOptions = {}): Promise<SessionSummaryEntry[]> {
    checkProjectKey("listSessionSummaries", projectKey);
    const { summaries, expiry } = projectKeysOf(this.#prefix, projectKey);
    const call = { operation: "listSessionSummaries", key: { projectKey }, signal: options.signal } as const;
    const keys = [summaries, expiry];
    const rows = await untilAborted(options.signal, () => readPages(this.#runner, call, summariesScript, keys));
    return rows.map(([member, text]) => ({ sessionId: unescapePart(member), ...parseSummary(text) }));
  }

  /** A main key takes the subpaths, the summary and a lease along. */
  async delete(key: SessionKey, options: RedisWriteOptions = {}): Promise<void> {
    checkSessionKey("delete", key);
    checkLeaseIsFor("delete", key, options.lease);
    const args = [...namesOf(key), ...proofOf(options.lease)];
    await this.#write(key, options.signal, async () => {
      const call = { operation: "delete", key, signal: options.signal } as const;
      refuseUnless(
        call,
        options.lease,
        await this.#runner.run(call, removeScript, scriptKeysOf(this.#prefix, key), args),
      );
    });
  }

  async listSubkeys(key: { projectKey: string; sessionId: string }, options: RedisReadOptions = {}): Promise<string[]> {
    const session = sessionOf(key);
    checkSessionKey("listSubkeys", session);
    const call = { operation: "listSubkeys", key: session, signal: options.signal } as const;
    const keys = [subpathsKeyOf(this.#prefix, session)];
    const names = await untilAborted(options.signal, () => this.#runner.run(call, subpathsScript, keys, []));
    return toTexts(names).map(unescapePart);
  }

  /**
   * Times are those of the server's clock. A lease that ran out a week ago, and was not followed by another, is forgotten.
   *
   * @throws SessionInUseError while another lease is valid.
   */
  async acquireSessionLease(name: SessionName, options: AcquireLeaseOptions = {}): Promise<SessionLease> {
    const session = sessionOf(name);
    checkSessionKey("acquireSessionLease", session);
    const owner = options.owner ?? randomUUID();
    const call = { operation: "acquireSessionLease", key: session } as const;
    const reply = await this.#lease(call, acquireScript, [JSON.stringify(owner), leaseMsOf(options), randomUUID()]);
    return { ...session, owner, token: Number(reply[1]), expiresAt: Number(reply[2]) };
  }

  /** @throws SessionLeaseLostError when the lease was released or another was given out. */
  async renewSessionLease(lease: SessionLease, options: LeaseOptions = {}): Promise<SessionLease> {
    const session = sessionOf(lease);
    checkSessionKey("renewSessionLease", session);
    const call = { operation: "renewSessionLease", key: session } as const;
    const reply = await this.#lease(call, renewScript, [...proofOf(lease), leaseMsOf(options)], lease);
    return { ...session, owner: lease.owner, token: lease.token, expiresAt: Number(reply[2]) };
  }

  /** Comes behind the writes that were begun before. */
  async releaseSessionLease(lease: SessionLease): Promise<void> {
    const session = sessionOf(lease);
    checkSessionKey("releaseSessionLease", session);
    const call = { operation: "releaseSessionLease", key: session } as const;
    await this.#write(session, undefined, async () => {
      await this.#lease(call, releaseScript, proofOf(lease));
    });
  }

  async #lease(
    call: ScriptCall & { readonly key: SessionName },
    script: string,
    args: string[],
    lease?: SessionLease,
  ): Promise<unknown[]> {
    const reply = await this.#runner.run(call, script, scriptKeysOf(this.#prefix, call.key), args);
    refuseUnless(call, lease, reply);
    return reply;
  }

  async #appendPart(
    key: SessionKey,
    lines: readonly NewLine[],
    allChanges: readonly SummaryChange[],
    { lease, signal }: RedisWriteOptions,
  ): Promise<void> {
    const call = { operation: "append", key, signal } as const;
    const keys = scriptKeysOf(this.#prefix, key);
    const list = entriesKeyOf(this.#prefix, key);
    const id = this.#failed.idOf(list, lines);
    const head = [...namesOf(key), String(this.#ttlMs), ...proofOf(lease), id, `1 ${randomUUID()}`];
    let rest = lines;
    let changes = allChanges;
    let isSent = false;
    try {
      // Each round knows some entries more to be there, so it ends.
      while (rest.length > 0) {
        const elements = toElements(rest);
        const sizes = [String(changes.length), String(elements.length)];
        const args = [...head, ...sizes, ...changes.flat(), ...elements, ...rest.map(({ uuid }) => uuid)];
        signal?.throwIfAborted();
        isSent = true;
        const [answer, ...known] = await this.#runner.run(call, appendScript, keys, args);
        if (toText(answer) === "stored") break;
        refuseUnless(call, lease, [answer, ...known]);
        const positions = new Set(known.map(Number));
        rest = rest.filter((_, position) => !positions.has(position));
        changes = changesOf(key, rest.map(asItWas));
      }
    } catch (error) {
      if (isSent && !isRefusal(error)) this.#failed.keep(list, lines, id);
      throw error;
    }
    // Whoever gave up does not hear that it is stored, and may try again.
    if (signal?.aborted) this.#failed.keep(list, lines, id);
    else this.#failed.forget(list, lines);
  }

  #write<T>(key: SessionName, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    const name = entriesKeyOf(this.#prefix, sessionOf(key));
    return untilAborted(signal, () => this.#writes.run(name, task));
  }
}

function sessionOf({ projectKey, sessionId }: SessionName): SessionName {
  return { projectKey, sessionId };
}

/** Subpaths have no summary. */
function changesOf(key: SessionKey, lines: readonly NewLine[]): SummaryChange[] {
  const entries = lines.map(({ entry }) => entry);
  return key.subpath === undefined && entries.length > 0 ? summaryChangesOf(key, entries) : [];
}

function asItWas(line: NewLine): NewLine {
  // Written by JSON.stringify from an entry.
  return { ...line, entry: JSON.parse(line.json) as SessionStoreEntry };
}

/** Session and subpath as scripts take them. */
function namesOf(key: SessionKey): [session: string, subpath: string] {
  return [escapePart(key.sessionId), key.subpath === undefined ? "" : escapePart(key.subpath)];
}

/** A lease as scripts take it. JSON keeps owners apart that differ in halves of surrogate pairs. */
function proofOf(lease: SessionLease | undefined): [token: string, owner: string] {
  return lease === undefined ? ["", ""] : [String(lease.token), JSON.stringify(lease.owner)];
}

function leaseMsOf({ ttlMs = defaultLeaseMs }: LeaseOptions): string {
  checkPositive("ttlMs", ttlMs, maxSeconds * 1000);
  return String(Math.ceil(ttlMs));
}

function isRefusal(error: unknown): boolean {
  return error instanceof SessionInUseError || error instanceof SessionLeaseLostError;
}

/** Throws when the answer of a script is that the lease is lost, or that somebody else has one. */
function refuseUnless(
  { operation, key }: ScriptCall & { readonly key: SessionKey },
  lease: SessionLease | undefined,
  reply: readonly unknown[],
): void {
  const [answer, owner, ends] = toTexts(reply);
  if (answer === "lost") throw new SessionLeaseLostError(operation, sessionOf(key), lease?.token ?? 0);
  if (answer !== "held") return;
  throw new SessionInUseError(operation, key, {
    by: "lease",
    owner: String(JSON.parse(owner ?? '""')),
    expiresAt: Number(ends),
  });
}

/** Stops waiting for a task at an abort; the task goes on and sends nothing more. */
function untilAborted<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
  if (signal === undefined) return task();
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    task()
      .finally(() => signal.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

import { randomUUID } from "node:crypto";
import {
  type AcquireLeaseOptions,
  checkSessionLease,
  isLastLease,
  type LeaseOptions,
  type LeaseRecord,
  SessionInUseError,
  type SessionLease,
  type SessionName,
} from "@reins/sessions";
import type { Bucket, Call, WriteCondition } from "./bucket.ts";
import { type ConditionalWrites, S3LeasesUnavailableError, sessionOf } from "./conditional-writes.ts";
import type { Layout } from "./layout.ts";
import { parseObject, partError } from "./part.ts";

/** The last lease on a session. It stays when the session is deleted, so that tokens grow. */
interface StoredLease {
  readonly record: LeaseRecord;
  /** Differs with each write, so that a writer recognises its own. */
  readonly write: string;
  readonly etag: string;
}

/** 30 s: a turn renews it several times, and a worker that died does not block its session for long. */
const defaultTtlMs = 30_000;

/** Somebody else's write came in between so often only when very many ask. */
const maxTries = 20;

/** Leases: one object per session, replaced only by who has seen the version before. */
export class Leases {
  readonly #bucket: Bucket;
  readonly #layout: Layout;
  readonly #conditions: ConditionalWrites;
  readonly #areWanted: boolean;

  constructor(bucket: Bucket, layout: Layout, conditions: ConditionalWrites, areWanted: boolean) {
    this.#bucket = bucket;
    this.#layout = layout;
    this.#conditions = conditions;
    this.#areWanted = areWanted;
  }

  /** Throws unless a write may be done, with a lease or without. */
  async check(call: Call, session: SessionName, lease: SessionLease | undefined): Promise<void> {
    const missing = await this.#missing(call);
    if (missing !== undefined && lease !== undefined) throw new S3LeasesUnavailableError(missing, call);
    // Where leases cannot be given out none can be valid.
    if (missing !== undefined) return;
    const stored = await this.#read(call, session);
    checkSessionLease(call.operation, session, stored?.record, lease);
  }

  async acquire(call: Call, session: SessionName, options: AcquireLeaseOptions): Promise<SessionLease> {
    const ttlMs = ttlOf(options);
    const owner = options.owner ?? randomUUID();
    return await this.#change(call, session, (last) => {
      const now = Date.now();
      checkSessionLease(call.operation, session, last, undefined, now);
      // The clock makes tokens grow even when the object was removed by hand.
      return { owner, token: Math.max((last?.token ?? 0) + 1, now), expiresAt: now + ttlMs };
    });
  }

  async renew(call: Call, lease: SessionLease, options: LeaseOptions): Promise<SessionLease> {
    const ttlMs = ttlOf(options);
    return await this.#change(call, lease, (last) => {
      checkSessionLease(call.operation, lease, last, lease);
      return { owner: lease.owner, token: lease.token, expiresAt: Date.now() + ttlMs };
    });
  }

  async release(call: Call, lease: SessionLease): Promise<void> {
    const stored = await this.#read(call, lease);
    if (stored === undefined || !isLastLease(lease, lease, stored.record)) return;
    await this.#change(call, lease, (last) => {
      // Another was given out in between: there is nothing to give back any more.
      if (last === undefined || !isLastLease(lease, lease, last)) return last;
      return { owner: last.owner, token: last.token, expiresAt: 0 };
    });
  }

  /** Reads, decides and writes, again when somebody else wrote in between. */
  async #change(
    call: Call,
    session: SessionName,
    decide: (last: LeaseRecord | undefined) => LeaseRecord | undefined,
  ): Promise<SessionLease> {
    const missing = await this.#missing(call);
    if (missing !== undefined) throw new S3LeasesUnavailableError(missing, call);
    const objectKey = this.#layout.leaseOf(session);
    const write = randomUUID();
    for (let tries = 0; ; tries++) {
      const stored = await this.#read(call, session);
      // The client sent it a second time and was refused, since the first had been done.
      const isDone = tries > 0 && stored?.write === write;
      const next = isDone ? stored.record : decide(stored?.record);
      if (next === undefined || isDone || next === stored?.record) return toLease(session, next ?? stored?.record);
      const condition: WriteCondition = stored === undefined ? "new" : { etag: stored.etag };
      const body = JSON.stringify({ v: 1, ...sessionOf(session), ...next, write });
      if (await this.#bucket.putIf(call, objectKey, `${body}\n`, condition)) return toLease(session, next);
      if (tries >= maxTries) {
        throw new SessionInUseError(call.operation, session, { by: "lease", owner: stored?.record.owner ?? "many" });
      }
    }
  }

  async #read(call: Call, session: SessionName): Promise<StoredLease | undefined> {
    const objectKey = this.#layout.leaseOf(session);
    const object = await this.#bucket.get(call, objectKey);
    if (object === undefined) return undefined;
    const { v, owner, token, expiresAt, write } = parseObject(object.text) ?? {};
    if (v !== 1 || typeof owner !== "string" || typeof token !== "number" || typeof expiresAt !== "number") {
      throw partError(call, objectKey, "is no lease that this version writes. Remove it when nobody uses the session");
    }
    return { record: { owner, token, expiresAt }, write: String(write), etag: object.etag };
  }

  async #missing(call: Call): Promise<string | undefined> {
    return this.#areWanted ? await this.#conditions.missing(call) : "it was made with leases: false";
  }
}

function toLease(session: SessionName, record: LeaseRecord | undefined): SessionLease {
  const { owner = "", token = 0, expiresAt = 0 } = record ?? {};
  return { ...sessionOf(session), owner, token, expiresAt };
}

function ttlOf({ ttlMs = defaultTtlMs }: LeaseOptions): number {
  if (!(ttlMs > 0)) throw new RangeError(`ttlMs must be a positive number, not ${ttlMs}.`);
  return ttlMs;
}

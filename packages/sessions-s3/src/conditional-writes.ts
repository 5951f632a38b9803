import { randomUUID } from "node:crypto";
import { type SessionName, SessionStoreError, type SessionStoreErrorDetails } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import type { Layout } from "./layout.ts";
import { S3RequestError } from "./s3-request-error.ts";

/** Leases were asked for where they cannot hold. Everything else of the store works. */
export class S3LeasesUnavailableError extends SessionStoreError {
  override readonly code = "REINS_S3_LEASES" as const;
  /** Why. */
  readonly reason: string;

  constructor(reason: string, { operation, key }: SessionStoreErrorDetails) {
    super(`The store gives no leases: ${reason}.`, { operation, key });
    this.reason = reason;
  }

  override get name(): string {
    return "S3LeasesUnavailableError";
  }
}

/** Finds out, once, whether the endpoint enforces conditional writes. */
export class ConditionalWrites {
  readonly #bucket: Bucket;
  readonly #layout: Layout;
  #missing: Promise<string | undefined> | undefined;

  constructor(bucket: Bucket, layout: Layout) {
    this.#bucket = bucket;
    this.#layout = layout;
  }

  /** Why the endpoint cannot be relied on; `undefined` when it can. A probe that fails is made again by the next call. */
  missing({ operation, key }: Call): Promise<string | undefined> {
    // Others wait for it too, so the signal of one caller must not end it.
    const probing = this.#missing ?? this.#probe({ operation, key });
    this.#missing = probing;
    probing.catch(() => {
      if (this.#missing === probing) this.#missing = undefined;
    });
    return probing;
  }

  async #probe(call: Call): Promise<string | undefined> {
    const bucket = this.#bucket;
    const objectKey = this.#layout.probe(randomUUID());
    try {
      // A client that lost the answer sends it again, and is refused for what it wrote itself.
      const isMade =
        (await bucket.putIf(call, objectKey, "first\n", "new")) ||
        (await bucket.get(call, objectKey))?.text === "first\n";
      if (!isMade) return "the endpoint refuses to create an object under a condition";
      if (await bucket.putIf(call, objectKey, "second\n", "new")) return "the endpoint ignores If-None-Match: *";
      const other = '"00000000000000000000000000000000"';
      if (await bucket.putIf(call, objectKey, "third\n", { etag: other })) return "the endpoint ignores If-Match";
      return undefined;
    } catch (error) {
      const isUnknown = error instanceof S3RequestError && (error.status === 501 || error.reason === "NotImplemented");
      if (isUnknown) return "the endpoint does not know conditional writes";
      throw error;
    } finally {
      // Whether it can be removed says nothing about conditions; a lifecycle rule for the prefix does it as well.
      await bucket.remove(call, [objectKey]).catch(() => {});
    }
  }
}

/** The key of a call about a session. */
export function sessionOf({ projectKey, sessionId }: SessionName): SessionName {
  return { projectKey, sessionId };
}

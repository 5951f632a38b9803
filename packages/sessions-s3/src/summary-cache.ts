import type { SessionSummaryEntry } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import type { Layout } from "./layout.ts";
import type { Mark } from "./marks.ts";
import { newestOf } from "./marks.ts";
import { parseObject } from "./part.ts";
import { S3RequestError } from "./s3-request-error.ts";

/** Fewer summaries than this are read one by one for less than it costs to write the cache. */
const worthWriting = 20;

interface CachedSummary {
  readonly sessionId: string;
  readonly data: Record<string, unknown>;
}

/**
 * All summaries of a project in one object, each under the names of the marks that it was made of.
 *
 * Names of marks are not used twice, so what is found under them is right, however old the object is, and it does no harm when two write it
 * at once or when it is removed. The exception is the retry of an append that others have overtaken: what it adds shows with the next append.
 */
export class SummaryCache {
  readonly #bucket: Bucket;
  readonly #layout: Layout;
  #mayWrite = true;

  constructor(bucket: Bucket, layout: Layout) {
    this.#bucket = bucket;
    this.#layout = layout;
  }

  /** Gives the summaries of all sessions: from the cache, or else by reading them, and then writes it when that was much. */
  async complete(
    call: Call,
    projectKey: string,
    groups: readonly (readonly Mark[])[],
    read: (marks: readonly Mark[]) => Promise<SessionSummaryEntry | undefined>,
  ): Promise<SessionSummaryEntry[]> {
    const objectKey = this.#layout.cacheOf(projectKey);
    const cached = groups.length < worthWriting ? new Map<string, CachedSummary>() : await this.#read(call, objectKey);
    const next: [string, CachedSummary][] = [];
    let reads = 0;
    const summaries = await Promise.all(
      groups.map(async (marks) => {
        const id = idOf(marks);
        const known = cached.get(id);
        if (known === undefined) reads++;
        const summary = known === undefined ? await read(marks) : { ...known, mtime: newestOf(marks).position };
        if (summary !== undefined) next.push([id, { sessionId: summary.sessionId, data: summary.data }]);
        return summary ?? [];
      }),
    );
    if (reads >= worthWriting && this.#mayWrite) await this.#write(call, objectKey, next);
    return summaries.flat();
  }

  async #read(call: Call, objectKey: string): Promise<Map<string, CachedSummary>> {
    const object = await this.#bucket.get(call, objectKey);
    const { v, summaries } = parseObject(object?.text ?? "") ?? {};
    if (v !== 1 || !Array.isArray(summaries)) return new Map();
    // Whoever writes v 1 writes these.
    return new Map(summaries as [string, CachedSummary][]);
  }

  async #write(call: Call, objectKey: string, summaries: readonly [string, CachedSummary][]): Promise<void> {
    try {
      await this.#bucket.put(call, objectKey, `${JSON.stringify({ v: 1, summaries })}\n`);
    } catch (error) {
      call.signal?.throwIfAborted();
      // Whoever may only read does without.
      this.#mayWrite = error instanceof S3RequestError && error.retryable;
    }
  }
}

function idOf(marks: readonly Mark[]): string {
  return `${newestOf(marks).segment}/${marks.map(({ name }) => name).join("/")}`;
}

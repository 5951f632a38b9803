import type { SessionStoreRow, SessionSummaryEntry } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import type { Layout } from "./layout.ts";
import { bySession, isSettled, listMarks, type Mark, newestOf, readMark } from "./marks.ts";
import { fromSegment } from "./object-name.ts";
import { readParts } from "./read-parts.ts";
import { SummaryCache } from "./summary-cache.ts";
import { readSections, unsettledError } from "./transcript.ts";

/** How often a session is looked at again whose marks were replaced while they were read. */
const maxReadings = 10;

/** The lists of a project, made of its marks. */
export class SessionLists {
  readonly #bucket: Bucket;
  readonly #layout: Layout;
  readonly #cache: SummaryCache;

  constructor(bucket: Bucket, layout: Layout) {
    this.#bucket = bucket;
    this.#layout = layout;
    this.#cache = new SummaryCache(bucket, layout);
  }

  /** One list request per 1,000 sessions; what is more is read for session ids of more than 150 characters. */
  async sessions(call: Call, projectKey: string): Promise<SessionStoreRow[]> {
    const groups = bySession(await listMarks(this.#bucket, call, this.#layout, projectKey));
    const rows = await Promise.all(
      groups.map(async (marks) => {
        const { segment, position: mtime } = newestOf(marks);
        const sessionId = fromSegment(segment) ?? (await this.#summary(call, projectKey, marks))?.sessionId;
        return sessionId === undefined ? [] : [{ sessionId, mtime }];
      }),
    );
    return rows.flat();
  }

  /** The same, and one request for all summaries that did not change since somebody asked last, and one for each other. */
  async summaries(call: Call, projectKey: string): Promise<SessionSummaryEntry[]> {
    const groups = bySession(await listMarks(this.#bucket, call, this.#layout, projectKey));
    return await this.#cache.complete(call, projectKey, groups, (marks) => this.#summary(call, projectKey, marks));
  }

  async #summary(call: Call, projectKey: string, listed: readonly Mark[]): Promise<SessionSummaryEntry | undefined> {
    let marks = listed;
    for (let reading = 0; reading < maxReadings; reading++) {
      const newest = newestOf(marks);
      const body = await readMark(this.#bucket, call, newest.objectKey);
      if (body !== undefined) {
        const { sessionId, data } = body;
        const settled = isSettled(marks) ? data : await this.#fold(call, { projectKey, sessionId });
        return settled && { sessionId, mtime: newest.position, data: settled };
      }
      // Replaced in between, or deleted.
      const prefix = newest.objectKey.slice(0, newest.objectKey.lastIndexOf("/"));
      marks = await this.#listAgain(call, projectKey, newest, prefix);
      if (marks.length === 0) return undefined;
    }
    throw unsettledError(call);
  }

  async #listAgain(call: Call, projectKey: string, { segment }: Mark, prefix: string): Promise<Mark[]> {
    const sessionId = fromSegment(segment);
    if (sessionId !== undefined) return await listMarks(this.#bucket, call, this.#layout, { projectKey, sessionId });
    const all = await listMarks(this.#bucket, call, this.#layout, projectKey);
    return all.filter(({ objectKey }) => objectKey.startsWith(`${prefix}/`));
  }

  /** What two writers that did not know of each other left is folded from the transcript itself. */
  async #fold(
    call: Call,
    key: { projectKey: string; sessionId: string },
  ): Promise<Record<string, unknown> | undefined> {
    const parts = await readParts(this.#bucket, call, this.#layout.partsOf(key));
    return readSections(call, key, parts).transcript.summary?.data;
  }
}

import type { SessionKey, SessionName } from "@reins/sessions";
import { toSegment } from "./object-name.ts";

/** Where things are in the bucket. What ends with a slash is the beginning of the keys of several objects. */
export class Layout {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Parts of a transcript. */
  partsOf(key: SessionKey): string {
    return key.subpath === undefined
      ? `${this.sessionOf(key)}main/`
      : `${this.subpathsOf(key)}${toSegment(key.subpath)}/`;
  }

  /** Parts of all transcripts of a session. */
  sessionOf({ projectKey, sessionId }: SessionName): string {
    return `${this.#prefix}parts/${toSegment(projectKey)}/${toSegment(sessionId)}/`;
  }

  subpathsOf(session: SessionName): string {
    return `${this.sessionOf(session)}sub/`;
  }

  /** Marks of the sessions of a project. */
  projectMarks(projectKey: string): string {
    return `${this.#prefix}list/${toSegment(projectKey)}/`;
  }

  marksOf({ projectKey, sessionId }: SessionName): string {
    return `${this.projectMarks(projectKey)}${toSegment(sessionId)}/`;
  }

  cacheOf(projectKey: string): string {
    return `${this.#prefix}cache/${toSegment(projectKey)}`;
  }

  leaseOf({ projectKey, sessionId }: SessionName): string {
    return `${this.#prefix}leases/${toSegment(projectKey)}/${toSegment(sessionId)}`;
  }

  probe(id: string): string {
    return `${this.#prefix}probe/${id}`;
  }
}

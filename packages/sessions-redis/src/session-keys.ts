import type { SessionKey } from "@reins/sessions";
import { escapePart } from "./escape-part.ts";

/** The Redis keys of one project. All of them have the project as their hash tag, so they are in one slot of a cluster. */
export interface ProjectKeys {
  /** Sorted set: the sessions that have a main transcript, by the time of their last write. */
  readonly index: string;
  /** Hash: a summary for each of those. */
  readonly summaries: string;
  /** Sorted set: when sessions expire, of those that do. */
  readonly expiry: string;
  /** String: the last fencing token. */
  readonly fence: string;
}

/** Gives the names of the keys of a project. */
export function projectKeysOf(prefix: string, projectKey: string): ProjectKeys {
  const base = `${prefix}{${escapePart(projectKey)}}`;
  return { index: `${base}:index`, summaries: `${base}:summaries`, expiry: `${base}:expiry`, fence: `${base}:fence` };
}

/**
 * Gives the `KEYS` of the scripts that write a session, in the order that `prelude` in `scripts/prelude.ts` gives names to: first those of
 * the project, then those of the session, last the transcript that is meant and its uuids.
 */
export function scriptKeysOf(prefix: string, key: SessionKey): string[] {
  const project = projectKeysOf(prefix, key.projectKey);
  const base = `${prefix}{${escapePart(key.projectKey)}}`;
  const session = escapePart(key.sessionId);
  const suffix = key.subpath === undefined ? session : `${session}:${escapePart(key.subpath)}`;
  return [
    project.index,
    project.summaries,
    project.expiry,
    project.fence,
    `${base}:lease:${session}`,
    `${base}:subpaths:${session}`,
    `${base}:entries:${session}`,
    `${base}:uuids:${session}`,
    `${base}:entries:${suffix}`,
    `${base}:uuids:${suffix}`,
  ];
}

/** The list that holds a transcript. */
export function entriesKeyOf(prefix: string, key: SessionKey): string {
  const suffix = key.subpath === undefined ? "" : `:${escapePart(key.subpath)}`;
  return `${prefix}{${escapePart(key.projectKey)}}:entries:${escapePart(key.sessionId)}${suffix}`;
}

/** The set that holds the names of a session's subpaths. */
export function subpathsKeyOf(prefix: string, key: { projectKey: string; sessionId: string }): string {
  return `${prefix}{${escapePart(key.projectKey)}}:subpaths:${escapePart(key.sessionId)}`;
}

import type { SessionName, SessionSummaryEntry } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import type { Layout } from "./layout.ts";
import { parseObject, partError } from "./part.ts";
import { type PartName, parsePartName } from "./part-name.ts";

/** A summary mark as it is listed: that a session is there, when it was written, and by whom. */
export interface Mark extends PartName {
  readonly objectKey: string;
  /** The session's segment of the key. */
  readonly segment: string;
}

/** What a summary mark holds. */
export interface MarkBody {
  readonly sessionId: string;
  readonly data: Record<string, unknown>;
}

/** Lists marks, of a project or of one session, in the order of their keys. */
export async function listMarks(bucket: Bucket, call: Call, layout: Layout, of: SessionName | string): Promise<Mark[]> {
  const isProject = typeof of === "string";
  const prefix = isProject ? layout.projectMarks(of) : layout.marksOf(of);
  const depth = prefix.split("/").length - (isProject ? 1 : 2);
  return (await bucket.list(call, prefix)).flatMap(({ key }) => {
    if (key.endsWith("/")) return [];
    const segments = key.split("/");
    const name = parsePartName(segments[depth + 1] ?? "");
    const [segment] = segments.slice(depth);
    if (name === undefined || segment === undefined) {
      throw partError(call, key, "is none of this package's. Move it away");
    }
    return [{ ...name, objectKey: key, segment }];
  });
}

/** Writes the mark that goes with a part. */
export async function putMark(
  bucket: Bucket,
  call: Call,
  objectKey: string,
  { projectKey, sessionId }: SessionName,
  summary: SessionSummaryEntry | undefined,
): Promise<void> {
  await bucket.put(call, objectKey, `${JSON.stringify({ v: 1, projectKey, sessionId, data: summary?.data ?? {} })}\n`);
}

/** Reads a mark; `undefined` when it is gone. */
export async function readMark(bucket: Bucket, call: Call, objectKey: string): Promise<MarkBody | undefined> {
  const object = await bucket.get(call, objectKey);
  if (object === undefined) return undefined;
  const { v, sessionId, data } = parseObject(object.text) ?? {};
  if (v !== 1 || typeof sessionId !== "string" || typeof data !== "object" || data === null) {
    throw partError(
      call,
      objectKey,
      "is no summary that this version writes. Remove it: the next append writes another",
    );
  }
  // An object that was parsed from JSON.
  return { sessionId, data: data as Record<string, unknown> };
}

/** Groups the marks of a project by session. */
export function bySession(marks: readonly Mark[]): Mark[][] {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const group = groups.get(mark.segment);
    if (group === undefined) groups.set(mark.segment, [mark]);
    else group.push(mark);
  }
  return [...groups.values()];
}

/** The mark with the last position of a session. */
export function newestOf(marks: readonly Mark[]): Mark {
  // Groups are never empty, and listed in order.
  return marks.at(-1) as Mark;
}

/**
 * Whether the newest mark is the fold of everything that was acknowledged. A writer removes the marks of all that its own covers, so
 * another writer's beside it says that neither knew of the other.
 */
export function isSettled(marks: readonly Mark[]): boolean {
  return new Set(marks.map(({ writer }) => writer)).size === 1;
}

import { randomBytes } from "node:crypto";
import type { SessionKey } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import type { Layout } from "./layout.ts";
import { listMarks } from "./marks.ts";
import { fromSegment } from "./object-name.ts";
import { encodeDeletion } from "./part.ts";
import { compactedName } from "./part-name.ts";
import { type ListedPart, listParts, readHeader } from "./read-parts.ts";

/**
 * Removes a transcript, or all of a session.
 *
 * The marks go first, so the session is in no list any more. A transcript of several parts is replaced in one request by a part that says
 * they are deleted; then the parts are removed, and then that. Cut short, a transcript is there whole or not at all, and removing it again
 * goes on.
 */
export async function removeTranscripts(bucket: Bucket, layout: Layout, call: Call, key: SessionKey): Promise<void> {
  if (key.subpath === undefined) {
    const marks = await listMarks(bucket, call, layout, key);
    await bucket.remove(call, objectKeysOf(marks));
  }
  const prefixes = await transcriptPrefixes(bucket, layout, call, key);
  const removals = await Promise.all(prefixes.map((place) => beginRemoval(bucket, call, place)));
  await bucket.remove(
    call,
    removals.flatMap(({ parts }) => objectKeysOf(parts)),
  );
  const begun = removals.filter(({ deletion }) => deletion !== undefined);
  const left = await Promise.all(begun.map((removal) => leftByCompaction(bucket, call, removal)));
  await bucket.remove(call, left.flat());
  await bucket.remove(
    call,
    begun.flatMap(({ deletion }) => deletion ?? []),
  );
}

/** Where the transcripts of a session lie, each with the key that its parts name. */
export async function transcriptPrefixes(
  bucket: Bucket,
  layout: Layout,
  call: Call,
  key: SessionKey,
): Promise<{ key: SessionKey; prefix: string }[]> {
  const own = { key, prefix: layout.partsOf(key) };
  if (key.subpath !== undefined) return [own];
  const { projectKey, sessionId } = key;
  const below = layout.subpathsOf(key);
  const folders = await bucket.listFolders(call, below);
  const subpaths = folders.map((folder) => {
    const subpath = fromSegment(folder);
    return { key: { projectKey, sessionId, ...(subpath !== undefined && { subpath }) }, prefix: `${below}${folder}/` };
  });
  return [own, ...subpaths];
}

interface Removal {
  readonly prefix: string;
  readonly parts: readonly ListedPart[];
  readonly names: ReadonlySet<string>;
  /** Key of the part that stands for the removed ones; absent for a single part, whose removal is one step by itself. */
  readonly deletion?: string;
}

async function beginRemoval(
  bucket: Bucket,
  call: Call,
  { key, prefix }: { key: SessionKey; prefix: string },
): Promise<Removal> {
  const parts = await listParts(bucket, call, prefix);
  const last = parts.at(-1);
  if (last === undefined || parts.length === 1) return { prefix, parts, names: new Set() };
  const merged = parts.filter(({ generation }) => generation > 0);
  const headers = await Promise.all(merged.map(({ objectKey }) => readHeader(bucket, call, objectKey)));
  const names = new Set(parts.filter(({ generation }) => generation === 0).map(({ name }) => name));
  for (const header of headers) for (const [name] of header?.sections ?? []) names.add(name);
  const generation = Math.max(...parts.map((part) => part.generation)) + 1;
  const deletion = prefix + compactedName(last.position, generation, randomBytes(8).toString("hex"));
  await bucket.put(call, deletion, encodeDeletion(key, [...names]));
  return { prefix, parts, names, deletion };
}

/** What a compaction that ran at the same time made of the deleted parts. */
async function leftByCompaction(bucket: Bucket, call: Call, { prefix, names, deletion }: Removal): Promise<string[]> {
  const left: string[] = [];
  for (const { objectKey, generation } of await listParts(bucket, call, prefix)) {
    if (generation === 0 || objectKey === deletion) continue;
    const header = await readHeader(bucket, call, objectKey);
    if (header?.sections.every(([name]) => names.has(name)) === true) left.push(objectKey);
  }
  return left;
}

export function objectKeysOf(objects: readonly { readonly objectKey: string }[]): string[] {
  return objects.map(({ objectKey }) => objectKey);
}

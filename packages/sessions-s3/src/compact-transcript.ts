import { randomBytes } from "node:crypto";
import type { PutObjectCommandInput } from "@aws-sdk/client-s3";
import type { SessionKey } from "@reins/sessions";
import type { Bucket, Call } from "./bucket.ts";
import { decodePart, encodePart, type PartHeader, type Section } from "./part.ts";
import { compactedName } from "./part-name.ts";
import { type ListedPart, listParts, readHeader } from "./read-parts.ts";
import { objectKeysOf } from "./remove-transcripts.ts";
import { byName } from "./transcript.ts";

/** How a transcript is compacted. */
export interface CompactionTarget {
  readonly key: SessionKey;
  readonly prefix: string;
  /** Parts are merged up to about this size. */
  readonly maxPartBytes: number;
  readonly storageClass: PutObjectCommandInput["StorageClass"];
}

/**
 * Merges the parts of a transcript into few.
 *
 * First the merged part is written, which names what it holds, then the merged ones are removed. Readers take each section once, so it does
 * not matter where this is cut short, or that two run at the same time, or that something is appended meanwhile. What an earlier one left
 * is removed.
 *
 * @returns How many parts there were and are.
 */
export async function compactTranscript(
  bucket: Bucket,
  call: Call,
  target: CompactionTarget,
): Promise<{ partsBefore: number; partsAfter: number }> {
  const parts = await listParts(bucket, call, target.prefix);
  const headers = await readHeaders(bucket, call, parts);
  const isDeleting = [...headers.values()].some(({ isDeleted }) => isDeleted);
  // A deletion was cut short, or runs just now; it is not for this to end it.
  if (isDeleting) return { partsBefore: parts.length, partsAfter: parts.length };
  const replaced = replacedParts(parts, headers);
  await bucket.remove(call, objectKeysOf(replaced));
  const live = parts.filter((part) => !replaced.includes(part));
  let partsAfter = live.length;
  for (const group of groupsOf(live, target.maxPartBytes)) {
    if (await merge(bucket, call, target, group, headers)) partsAfter -= group.length - 1;
  }
  return { partsBefore: parts.length, partsAfter };
}

/** Headers of the merged parts, by name. */
async function readHeaders(bucket: Bucket, call: Call, parts: readonly ListedPart[]): Promise<Map<string, PartHeader>> {
  const headers = new Map<string, PartHeader>();
  await Promise.all(
    parts.map(async ({ name, generation, objectKey }) => {
      const header = generation > 0 ? await readHeader(bucket, call, objectKey) : undefined;
      if (header !== undefined) headers.set(name, header);
    }),
  );
  return headers;
}

/** What is in other parts already. Of two merged parts with the same sections the later one stays. */
function replacedParts(parts: readonly ListedPart[], headers: ReadonlyMap<string, PartHeader>): ListedPart[] {
  const kept = new Set<string>();
  const replaced: ListedPart[] = [];
  const merged = parts.filter(({ name }) => headers.has(name));
  // Higher generations hold what lower ones do, and more.
  merged.sort((a, b) => b.generation - a.generation || byName(b, a));
  for (const part of merged) {
    const names = headers.get(part.name)?.sections.map(([name]) => name) ?? [];
    if (names.every((name) => kept.has(name))) replaced.push(part);
    else for (const name of names) kept.add(name);
  }
  return [...replaced, ...parts.filter(({ name, generation }) => generation === 0 && kept.has(name))];
}

/** Neighbours that are to become one part. A part that is large already stays. */
function groupsOf(parts: readonly ListedPart[], maxPartBytes: number): ListedPart[][] {
  const groups: ListedPart[][] = [];
  let group: ListedPart[] = [];
  let bytes = 0;
  for (const part of parts) {
    if (bytes + part.bytes > maxPartBytes) {
      groups.push(group);
      group = [];
      bytes = 0;
    }
    group.push(part);
    bytes += part.bytes;
  }
  groups.push(group);
  return groups.filter(({ length }) => length > 1);
}

/** Gives whether it was done; not when somebody else was faster. */
async function merge(
  bucket: Bucket,
  call: Call,
  { key, prefix, storageClass }: CompactionTarget,
  group: readonly ListedPart[],
  headers: ReadonlyMap<string, PartHeader>,
): Promise<boolean> {
  const objects = await Promise.all(group.map(({ objectKey }) => bucket.get(call, objectKey)));
  const sections = new Map<string, Section>();
  for (const [index, object] of objects.entries()) {
    if (object === undefined) return false;
    const decoded = decodePart(call, group[index]?.objectKey ?? prefix, object.text);
    for (const section of decoded.sections) sections.set(section.name, section);
  }
  const generation = Math.max(...group.map((part) => part.generation)) + 1;
  const name = compactedName(group.at(-1)?.position ?? 0, generation, randomBytes(8).toString("hex"));
  await bucket.put(call, prefix + name, encodePart(key, [...sections.values()].sort(byName)), storageClass);
  if (await wasDeleted(bucket, call, prefix, group, name, headers)) {
    await bucket.remove(call, [prefix + name]);
    return false;
  }
  await bucket.remove(call, objectKeysOf(group));
  return true;
}

/** Whether the merged parts were deleted while they were merged, so that the new part would bring them back. */
async function wasDeleted(
  bucket: Bucket,
  call: Call,
  prefix: string,
  group: readonly ListedPart[],
  ownName: string,
  headers: ReadonlyMap<string, PartHeader>,
): Promise<boolean> {
  const now = await listParts(bucket, call, prefix);
  const strangers = now.filter(({ name }) => name !== ownName && !headers.has(name));
  const theirs = await readHeaders(bucket, call, strangers);
  if ([...theirs.values()].some(({ isDeleted }) => isDeleted)) return true;
  const there = new Set(now.map(({ name }) => name));
  const elsewhere = new Set([...theirs.values()].flatMap(({ sections }) => sections.map(([name]) => name)));
  const gone = group.filter(({ name }) => !there.has(name));
  // What is gone, but not into the part of another compaction, was deleted by a deletion that is through.
  return gone.some(({ name }) => {
    const sections = headers.get(name)?.sections.map(([section]) => section) ?? [name];
    return !sections.every((section) => elsewhere.has(section));
  });
}

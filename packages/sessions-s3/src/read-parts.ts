import type { Bucket, Call } from "./bucket.ts";
import { decodeHeader, decodePart, type PartHeader, partError, type Section } from "./part.ts";
import { type PartName, parsePartName } from "./part-name.ts";
import { unsettledError } from "./transcript.ts";

/** A part as it is listed. */
export interface ListedPart extends PartName {
  readonly objectKey: string;
  readonly bytes: number;
}

interface FetchedPart {
  readonly header: PartHeader;
  readonly sections: readonly Section[];
}

/** A reading begins anew when a compaction removes what it was about to fetch; more often than this only when something is wrong. */
const maxReadings = 10;

/** Lists the parts below a prefix, in order. */
export async function listParts(
  bucket: Bucket,
  call: Call,
  prefix: string,
  startAfter?: string,
): Promise<ListedPart[]> {
  const listed = await bucket.list(call, prefix, startAfter === undefined ? undefined : prefix + startAfter);
  return listed.flatMap(({ key, bytes }) => {
    // Consoles make an empty object when somebody opens a folder.
    if (key === prefix) return [];
    const name = parsePartName(key.slice(prefix.length));
    if (name === undefined) throw partError(call, key, "is none of this package's. Move it away");
    return [{ ...name, objectKey: key, bytes }];
  });
}

/**
 * Reads the sections of a transcript, each once and in any order.
 *
 * What a compaction made is fetched first, since what it replaces need not be read. An object that is listed and then gone was replaced
 * in between; its replacement was there before, so listing again finds it.
 */
export async function readParts(
  bucket: Bucket,
  call: Call,
  prefix: string,
): Promise<{ sections: Section[]; listedUpTo: string }> {
  const fetched = new Map<string, FetchedPart>();
  const fetch = async (parts: readonly ListedPart[]): Promise<boolean> => {
    const missing = parts.filter(({ name }) => !fetched.has(name));
    const found = await Promise.all(missing.map((part) => fetchPart(bucket, call, part, fetched)));
    return found.every((isThere) => isThere);
  };
  for (let reading = 0; reading < maxReadings; reading++) {
    const parts = await listParts(bucket, call, prefix);
    const merged = parts.filter(({ generation }) => generation > 0);
    if (!(await fetch(merged))) continue;
    const replaced = new Set(
      merged.flatMap(({ name }) => fetched.get(name)?.header.sections.map(([section]) => section)),
    );
    const appended = parts.filter(({ generation, name }) => generation === 0 && !replaced.has(name));
    if (!(await fetch(appended))) continue;
    const sections = join([...merged, ...appended].map(({ name }) => fetched.get(name)));
    return { sections, listedUpTo: parts.at(-1)?.name ?? "" };
  }
  throw unsettledError(call);
}

async function fetchPart(
  bucket: Bucket,
  call: Call,
  { name, objectKey }: ListedPart,
  fetched: Map<string, FetchedPart>,
): Promise<boolean> {
  const object = await bucket.get(call, objectKey);
  if (object === undefined) return false;
  fetched.set(name, decodePart(call, objectKey, object.text));
  return true;
}

/** Joins parts. A section counts once, however many compactions took it up, and not at all when one of them is its deletion. */
function join(parts: readonly (FetchedPart | undefined)[]): Section[] {
  const sections = new Map<string, Section>();
  for (const part of parts) for (const section of part?.sections ?? []) sections.set(section.name, section);
  for (const part of parts)
    if (part?.header.isDeleted) for (const [name] of part.header.sections) sections.delete(name);
  return [...sections.values()];
}

/** The sections of a part without its lines; `undefined` when it is gone. */
export async function readHeader(bucket: Bucket, call: Call, objectKey: string): Promise<PartHeader | undefined> {
  // Enough for some thousand sections.
  const beginning = await bucket.get(call, objectKey, 2 ** 18);
  const isWhole = beginning?.text.includes("\n") === true;
  const text = isWhole ? beginning.text : (await bucket.get(call, objectKey))?.text;
  return text === undefined ? undefined : decodeHeader(call, objectKey, text.slice(0, text.indexOf("\n")));
}

/**
 * The last segment of the key of a part, which decides its place in the transcript.
 *
 * - `<position>-a-<writer>`: what one append stored. Also the name of the summary mark that belongs to it.
 * - `<position>-c<generation>-<id>`: what a compaction made of several, with the position of the last one. It sorts behind everything that
 *   it replaces, so that whoever lists in order and misses one of those, since it was removed already, finds this.
 */
export interface PartName {
  readonly name: string;
  /** Whole ms since 1970 when it was written, but always more than that of every part which its writer knew of. */
  readonly position: number;
  /** 0 for what an append stored. */
  readonly generation: number;
  /** The store object that wrote it. */
  readonly writer: string;
}

export function appendedName(position: number, writer: string): string {
  return `${padded(position, 16)}-a-${writer}`;
}

export function compactedName(position: number, generation: number, id: string): string {
  return `${padded(position, 16)}-c${padded(generation, 6)}-${id}`;
}

/** Reads a name; `undefined` for one that is none. */
export function parsePartName(name: string): PartName | undefined {
  const match = /^(\d{16})-(?:a|c(\d{6}))-([0-9a-f]+)$/.exec(name);
  if (match === null) return undefined;
  const [, position, generation, writer = ""] = match;
  return { name, position: Number(position), generation: Number(generation ?? 0), writer };
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

import { encodeFrame } from "@reins/streamjson";
import { folderName } from "./folder-name.ts";
import { NeutralText } from "./neutral-text.ts";
import type { Place, Recording } from "./record.ts";
import type { RecordedLine } from "./recording-host.ts";
import { ScrubbedIds } from "./scrubbed-ids.ts";
import { scrubNumber } from "./scrubbed-numbers.ts";

/**
 * Takes out of a recording what belongs to this machine and this moment, and prose that is not ours; see contracts/captures/README.md.
 *
 * The lines keep the CLI's own way of writing JSON: a line of which decoding and encoding does not give the same bytes is refused
 * rather than changed without a word.
 */
export function scrub(recording: Recording): RecordedLine[] {
  const lines = recording.lines.map(({ dir, text }) => ({ dir, text: withoutPlaces(text, recording.places) }));
  const ids = new ScrubbedIds();
  const values = lines.map(({ dir, text }) => objectOn(dir, text));
  for (const value of values) ids.collect(value);
  const ours = recording.ours.map((text) => withoutMoment(ids.replace(withoutPlaces(text, recording.places))));
  const neutral = new NeutralText(ours);

  const scrubText = (text: string): string => withoutMoment(ids.replace(text));
  return lines.map(({ dir, text }, index) => {
    const value = values[index];
    if (value === undefined) return { dir, text: scrubText(text) };
    const prose = dir === "in" ? (part: string): string => neutral.of(scrubText(part)) : scrubText;
    // Still an object: only its members are replaced.
    const scrubbed = mapValue(value, "", { text: prose, key: scrubText, number: scrubNumber }) as object;
    return { dir, text: encodeFrame({ ...scrubbed }).slice(0, -1) };
  });
}

/** The object on a line; `undefined` for a line that holds none. */
function objectOn(dir: RecordedLine["dir"], text: string): object | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  if (dir === "in" && encodeFrame({ ...value }) !== `${text}\n`) {
    throw new Error(`Decoding and encoding changes this line of the CLI: ${text.slice(0, 400)}`);
  }
  return value;
}

interface Mapping {
  readonly text: (text: string) => string;
  readonly key: (key: string) => string;
  readonly number: (key: string, value: number) => number;
}

function mapValue(value: unknown, key: string, mapping: Mapping): unknown {
  if (typeof value === "string") return mapping.text(value);
  if (typeof value === "number") return mapping.number(key, value);
  if (Array.isArray(value)) return value.map((item) => mapValue(item, key, mapping));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [mapping.key(name), mapValue(item, name, mapping)]);
  return Object.fromEntries(members);
}

/** Also replaces a path in the form that the CLI makes a folder name of. */
function withoutPlaces(text: string, places: readonly Place[]): string {
  let result = text;
  for (const { path, name } of places) {
    result = result.replaceAll(path, name).replaceAll(folderName(path), folderName(name));
  }
  return result;
}

/** Replaces points in time, and names of files that hold a process id, a user id or words drawn by lot. */
function withoutMoment(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-01-01T00:00:00.000Z")
    .replace(/\/cc-socks\/\d+\.sock/g, "/cc-socks/1000.sock")
    .replace(/\/claude-\d+\//g, "/claude-1000/")
    .replace(/\/tool-results\/[a-z0-9]{9}\.txt/g, "/tool-results/b00000001.txt")
    .replace(/\/plans\/[a-z0-9-]+\.md/g, "/plans/plan.md");
}

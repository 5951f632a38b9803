import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SUPPORTED_CLI_VERSION } from "@reins/process";
import type { RecordedExit, RecordedLine } from "./recording-host.ts";

/** What the index of a folder of captures says about one of them. */
export interface CaptureFacts {
  /** What the capture shows. */
  readonly shows: string;
  /** All arguments of the CLI. */
  readonly argv: readonly string[];
  /** Environment beyond the sandbox's own; `null` for a variable that was taken out. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly exit: RecordedExit;
  /** The CLI exited though its input was open. Absent where it waited for the end of it. */
  readonly exitsByItself?: true;
}

/** A capture: what the index says, and its lines. */
export interface Capture {
  readonly name: string;
  readonly facts: CaptureFacts;
  readonly lines: readonly RecordedLine[];
}

/** The CLI version whose captures are the golden ones. */
export const goldenVersion: string = SUPPORTED_CLI_VERSION;

/** The folder of the golden captures. */
export const goldenFolder: string = join(import.meta.dirname, "..", "captures", goldenVersion);

/**
 * The text of a capture file: `{"dir":"in","frame":...}` with the line of the wire as it is in place of the dots, or
 * `{"dir":"in","raw":"..."}` for a line that is no JSON object.
 */
export function formatCapture(lines: readonly RecordedLine[]): string {
  return lines.map((line) => `${formatLine(line)}\n`).join("");
}

function formatLine({ dir, text }: RecordedLine): string {
  return isObject(text) ? `{"dir":"${dir}","frame":${text}}` : JSON.stringify({ dir, raw: text });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** The lines of a capture file, each with the exact text of the wire. */
export function parseCapture(content: string): RecordedLine[] {
  return content
    .split("\n")
    .filter((line) => line !== "")
    .map((line): RecordedLine => {
      const found = /^\{"dir":"(in|out)","(?:frame":(.*)|raw":(".*"))\}$/s.exec(line);
      if (found === null) throw new Error(`This line is no line of a capture: ${line.slice(0, 200)}`);
      const [, dir, frame, raw] = found;
      return { dir: dir === "in" ? "in" : "out", text: frame ?? String(JSON.parse(raw!)) };
    });
}

/** Reads all captures of a folder, or those of the names given. */
export async function readCaptures(folder: string, names?: readonly string[]): Promise<Capture[]> {
  const index = await readIndex(folder);
  const wanted = names ?? Object.keys(index);
  return Promise.all(
    wanted.map(async (name) => {
      const facts = index[name];
      if (facts === undefined) throw new Error(`There is no capture ${name} in ${folder}.`);
      return { name, facts, lines: parseCapture(await readFile(join(folder, `${name}.ndjson`), "utf8")) };
    }),
  );
}

/** Writes captures into a folder. Those that lie there and are not among `keep` are removed. */
export async function writeCaptures(
  folder: string,
  captures: readonly Capture[],
  keep: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const index: Record<string, CaptureFacts> = { ...(await readIndex(folder)) };
  for (const { name, facts, lines } of captures) {
    index[name] = facts;
    await writeFile(join(folder, `${name}.ndjson`), formatCapture(lines));
  }
  for (const file of await readdir(folder)) {
    const name = file.replace(/\.ndjson$/, "");
    if (name !== file && !keep.includes(name)) await rm(join(folder, file));
  }
  const kept = Object.entries(index).filter(([name]) => keep.includes(name));
  kept.sort(([left], [right]) => (left < right ? -1 : 1));
  await writeFile(join(folder, "index.json"), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

async function readIndex(folder: string): Promise<Readonly<Record<string, CaptureFacts>>> {
  try {
    // Written by writeCaptures.
    return JSON.parse(await readFile(join(folder, "index.json"), "utf8")) as Record<string, CaptureFacts>;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}

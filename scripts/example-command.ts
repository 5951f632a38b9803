// How tests start the programs that READMEs and guides show: from the sources of the workspace; or, where scripts/published says so, as a
// user would who pasted them beside installed packages.
import { appendFileSync, existsSync } from "node:fs";
import { join, relative } from "node:path";

/** What scripts/published/examples.mjs puts into `REINS_PASTED`, as JSON. */
interface Pasted {
  /** Where each block lies under the path that it has in the workspace. */
  readonly folder: string;
  /** What runs a program of TypeScript there. */
  readonly command: readonly [string, ...string[]];
  /** A file that gets a line for each block that was started, so that none is forgotten. */
  readonly log: string;
}

const root = join(import.meta.dirname, "..");

/** The file itself, or what a user pasted of it if it is shown somewhere. `file` is an absolute path. */
export function examplePath(file: string): string {
  const pasted = readPasted();
  if (pasted === undefined) return file;
  const path = relative(root, file);
  const copy = join(pasted.folder, path);
  if (!existsSync(copy)) return file;
  appendFileSync(pasted.log, `${path}\n`);
  return copy;
}

/** The command that runs an example, with its arguments, to be given to `spawn` or `execFile`. */
export function exampleCommand(
  file: string,
  args: readonly string[] = [],
  nodeArgs: readonly string[] = [],
): [command: string, args: string[]] {
  const fromSource = [
    process.execPath,
    "--conditions=@reins/source",
    `--import=${import.meta.resolve("tsx")}`,
  ] as const;
  const [command, ...options] = readPasted()?.command ?? fromSource;
  return [command, [...options, ...nodeArgs, examplePath(file), ...args]];
}

function readPasted(): Pasted | undefined {
  const given = process.env["REINS_PASTED"];
  // What our own script wrote.
  return given === undefined ? undefined : (JSON.parse(given) as Pasted);
}

import { type OnWarning, warn } from "./warnings.ts";

/**
 * Warns of options that nobody reads: misspelt ones, those of another SDK, those of another version. A member that is `undefined` is no
 * option.
 *
 * @param known All names that there are.
 */
export function warnOfUnknownOptions(
  options: object,
  known: readonly string[],
  onWarning: OnWarning | undefined,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const meant = nearest(name, known);
    const advice = meant === undefined ? "It is ignored." : `It is ignored. Did you mean ${meant}?`;
    warn(onWarning, {
      code: "REINS_OPTION_UNKNOWN",
      option: name,
      message: `There is no option ${JSON.stringify(name)}. ${advice}`,
    });
  }
}

/** Options of the Python SDK whose names are more than spelt in another way. */
const pythonNames: Readonly<Record<string, string>> = {
  add_dirs: "additionalDirectories",
  cli_path: "pathToClaudeCodeExecutable",
  continue_conversation: "continue",
  max_buffer_size: "maxLineBytes",
};

function nearest(name: string, known: readonly string[]): string | undefined {
  const python = Object.hasOwn(pythonNames, name) ? pythonNames[name] : undefined;
  if (python !== undefined) return known.includes(python) ? python : undefined;
  const plain = fold(name);
  const [best] = known
    .map((candidate) => ({ candidate, distance: editDistance(plain, fold(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  // Two slips in a name of eight letters are a misspelling, in one of three another word.
  return best !== undefined && best.distance <= Math.floor(plain.length / 4) ? best.candidate : undefined;
}

function fold(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

/** Letters to insert, remove or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}

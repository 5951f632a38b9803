import { type Argument, type Command, lineUnits } from "./argument-limits.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { encodeFlag } from "./option-encoding.ts";
import { optionRows } from "./option-table.ts";
import { canMove, type SettledOptions, settleOptions } from "./settle-options.ts";

/**
 * The length from which on values leave the command line, in UTF-16 units of the whole line. The same on every system, so that a start
 * that works on one works on the others: Windows has 32,767 units for the line, Linux 131,071 bytes for one argument.
 */
export const longLineUnits = 30_000;

/** What makes the CLI speak stream-json both ways. It refuses that output without `--verbose`, and it needs no `--print`. */
const baseArguments = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

/** Flags whose value the CLI also takes as the path of a file, and the flag for that. */
const fileFlags: Readonly<Record<string, string>> = {
  "--mcp-config": "--mcp-config",
  "--settings": "--settings",
  "--agents": "--agents",
  "--system-prompt": "--system-prompt-file",
  "--append-system-prompt": "--append-system-prompt-file",
};

/**
 * The arguments of the CLI. While the line is too long, the longest value that can leaves it: for the initialize request, for the settings
 * there, or for a private file.
 */
export function fitArguments(
  command: Command,
  options: LaunchOptions,
): { readonly args: readonly Argument[]; readonly settled: SettledOptions } {
  const moved = new Set<string>();
  for (;;) {
    const settled = settleOptions(options, moved);
    const args = argumentsOf(settled).map((argument) => (moved.has(nameOf(argument)) ? intoFile(argument) : argument));
    const longest = lineUnits(command, args) > longLineUnits ? longestMovable(args, options, moved) : undefined;
    if (longest === undefined) return { args, settled };
    moved.add(longest);
  }
}

function argumentsOf(settled: SettledOptions): Argument[] {
  const texts: Argument[] = baseArguments.map((text) => ({ option: "", text }));
  for (const { option, row } of optionRows()) {
    // Looked up by the names of the table.
    const value = (settled as unknown as Readonly<Record<string, unknown>>)[option];
    if (value == null) continue;
    const tokens = [
      ...(row.flag === undefined ? [] : encodeFlag(row.flag[1], row.flag[0], value)),
      ...(row.args?.(value, settled) ?? []),
    ];
    texts.push(...tokens.map((text) => ({ option, text })));
  }
  return texts;
}

/** The option, or the flag whose value can go into a file, that takes most of the line. */
function longestMovable(
  args: readonly Argument[],
  options: LaunchOptions,
  moved: ReadonlySet<string>,
): string | undefined {
  const sizes = new Map<string, number>();
  for (const argument of args) {
    const name = canMove(argument.option, options) ? argument.option : nameOf(argument);
    const canGo = name === argument.option || canBeFile(argument);
    if (canGo && !moved.has(name)) sizes.set(name, (sizes.get(name) ?? 0) + argument.text.length);
  }
  return [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** A path is not worth a file, and no path is so long. */
function canBeFile({ text }: Argument): boolean {
  return flagOf(text) in fileFlags && text.length > 4096;
}

function nameOf({ text }: Argument): string {
  return flagOf(text);
}

function flagOf(text: string): string {
  return /^--[\w-]+(?==)/.exec(text)?.[0] ?? "";
}

function intoFile(argument: Argument): Argument {
  const flag = flagOf(argument.text);
  return { ...argument, text: `${fileFlags[flag]}=`, file: argument.text.slice(flag.length + 1) };
}

import { OptionError, OptionTooLongError } from "./errors.ts";

/** An argument, and the option that it comes from. */
export interface Argument {
  readonly option: string;
  readonly text: string;
  /** Content of a file whose path belongs to the end of `text`. */
  readonly file?: string;
}

/** What is run, and what stands before the arguments of the CLI. */
export interface Command {
  readonly program: string;
  readonly cliPath: string;
  readonly before: readonly Argument[];
}

/** One string on Linux (MAX_ARG_STRLEN is 128 KiB with the NUL at its end); tried: 131,071 bytes start, 131,072 do not. */
const linuxStringBytes = 131_071;
/** The whole line on Windows, in UTF-16 units. */
const windowsLineUnits = 32_767;
/** Arguments and environment together on macOS (ARG_MAX). */
const macTotalBytes = 1_048_576;

/**
 * Refuses what the system would: too long, or with a NUL inside. A NUL ends a string there, so the rest would vanish.
 *
 * The total on Linux depends on the stack limit of the process and is left to the system.
 *
 * @throws {@link OptionTooLongError} {@link OptionError}
 */
export function checkArguments(
  platform: string,
  command: Command,
  own: readonly Argument[],
  env: Readonly<Record<string, string>>,
): void {
  const args = [...command.before, ...own];
  const variables = Object.entries(env).map(([name, value]) => ({ option: `env.${name}`, text: `${name}=${value}` }));
  for (const { option, text } of [...args, ...variables]) {
    if (text.includes("\0")) throw new OptionError(option, "has a NUL character, which no argument can hold.");
  }
  if (platform === "win32") checkTotal([program(command), ...args], windowsUnits, windowsLineUnits, "UTF-16 units");
  else if (platform === "darwin") checkTotal([...args, ...variables], bytes, macTotalBytes);
  else checkEach([...args, ...variables], linuxStringBytes);
}

/** The length of the whole line as Windows counts it, in UTF-16 units. */
export function lineUnits(command: Command, args: readonly Argument[]): number {
  return [program(command), ...command.before, ...args].reduce((sum, { text }) => sum + windowsUnits(text), 0);
}

function program({ program: text }: Command): Argument {
  return { option: "pathToClaudeCodeExecutable", text };
}

function checkEach(strings: readonly Argument[], limit: number): void {
  for (const { option, text } of strings) {
    // A UTF-16 unit is at most 3 bytes, so most need no exact count.
    if (text.length * 3 > limit && Buffer.byteLength(text) > limit)
      throw tooLong(option, Buffer.byteLength(text), limit);
  }
}

function checkTotal(
  strings: readonly Argument[],
  measure: (text: string) => number,
  limit: number,
  unit?: string,
): void {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const { option, text } of strings) {
    const size = measure(text);
    total += size;
    sizes.set(option, (sizes.get(option) ?? 0) + size);
  }
  if (total <= limit) return;
  const [option, size] = [...sizes].reduce((longest, next) => (next[1] > longest[1] ? next : longest));
  throw tooLong(option, size, limit, unit);
}

/** With the NUL at its end and the pointer to it, which count too. */
function bytes(text: string): number {
  return Buffer.byteLength(text) + 9;
}

/** With a space before, quotes around, and a backslash before each quote inside. */
function windowsUnits(text: string): number {
  return text.length + 3 + (text.match(/["\\]/g)?.length ?? 0);
}

function tooLong(option: string, size: number, limit: number, unit = "bytes"): OptionTooLongError {
  const remedy = remedies[option] ?? "Shorten it.";
  return new OptionTooLongError({ option, size, limit, unit, remedy });
}

const permissionsInFile = "Put the rules into the settings file, under permissions, and leave the option out.";

/** What is said of the options that could not leave the command line by themselves. */
const remedies: Readonly<Record<string, string>> = {
  allowedTools: permissionsInFile,
  additionalDirectories: permissionsInFile,
  managedSettings: 'Set managedSettingsDelivery to "initialize".',
  plugins: 'Set pluginDelivery to "initialize".',
  tools: "Name the tools that there shall not be, as disallowedTools.",
};

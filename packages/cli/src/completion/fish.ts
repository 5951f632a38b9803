import type { CompletedCommand, CompletedOption, CompletedValues } from "./describe-commands.ts";

/** Completions for fish 3 and newer. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const paths = commands.filter(({ path }) => path !== "").map(({ path }) => quote(path));
  return `# fish completion for reins
function __reins_at --description "whether these are the commands on the line"
    set -l words (commandline -opc)
    set -e words[1]
    set -l path
    for word in $words
        # No options behind it, and in "tap run" another command.
        test "$word" = --; and return 1
        contains -- "$path$word" ${paths.join(" ")}; and set path "$path$word "
    end
    test "$path" = "$argv "; or test "$path$argv" = ""
end
${commands.flatMap(commandLines).join("\n")}
`;
}

function commandLines({ path, subcommands, options, values }: CompletedCommand): string[] {
  const complete = `complete -c reins -n ${quote(`__reins_at ${path}`.trimEnd())}`;
  return [
    ...(values === "files" ? [] : [`${complete} -f`]),
    ...(typeof values === "string" || values.length === 0 ? [] : [`${complete} -a ${quote(values.join(" "))}`]),
    ...subcommands.map(({ name, description }) => `${complete} -a ${name} -d ${quote(description)}`),
    ...options.map((option) => `${complete} ${optionFlags(option)} -d ${quote(option.description)}`),
  ];
}

function optionFlags({ long, short, value }: CompletedOption): string {
  const names = `-l ${long.replace(/^--/, "")}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
  return value === undefined ? names : `${names} ${valueFlags(value)}`;
}

function valueFlags(values: CompletedValues): string {
  if (values === "files") return "-r -F";
  return values === "unknown" ? "-x" : `-x -a ${quote(values.join(" "))}`;
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`;
}

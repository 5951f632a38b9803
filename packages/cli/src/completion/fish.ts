import type { CompletedCommand } from "./describe-commands.ts";

/** Completions for fish 3 and newer. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ path, subcommands }) => path !== "" && subcommands.length > 0);
  const lines = commands.flatMap(({ path, subcommands, options }) => {
    const condition = quote(
      conditionOf(
        path,
        subcommands.map(({ name }) => name),
      ),
    );
    return [
      ...subcommands.map(
        ({ name, description }) => `complete -c reins -n ${condition} -f -a ${name} -d ${quote(description)}`,
      ),
      ...options.map(({ long, short, description, takesValue, choices }) => {
        const flags = `-l ${long.replace(/^--/, "")}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
        const value = !takesValue ? "" : choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : " -r";
        return `complete -c reins -n ${condition} ${flags}${value} -d ${quote(description)}`;
      }),
    ];
  });
  const noFiles = ["", ...groups.map(({ path }) => path)].map((path) => {
    const names = commands.find((command) => command.path === path)?.subcommands.map(({ name }) => name) ?? [];
    return `complete -c reins -n ${quote(conditionOf(path, names))} -f`;
  });
  return `# fish completion for reins\n${[...noFiles, ...lines].join("\n")}\n`;
}

/** The words of the path were given, and none of those below it. */
function conditionOf(path: string, below: readonly string[]): string {
  const seen = path
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => `__fish_seen_subcommand_from ${word}`);
  const notYet = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(" ")}`];
  const all = [...seen, ...notYet];
  return all.length === 0 ? "true" : all.join("; and ");
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`;
}

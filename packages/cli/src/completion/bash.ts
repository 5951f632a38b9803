import type { CompletedCommand } from "./describe-commands.ts";

/** Completions for bash 3.2 and newer, without the package bash-completion. Values of options and arguments are files. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const groups = commands.filter(({ path, subcommands }) => path !== "" && subcommands.length > 0);
  const valued = commands.flatMap(({ options }) => options.filter((option) => option.takesValue));
  const choices = valued.filter((option) => option.choices.length > 0);
  const files = valued.filter((option) => option.choices.length === 0);
  return `# bash completion for reins
_reins() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word index words=""
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "\${path:+$path }$word" in
${commands
  .filter(({ path }) => path !== "")
  .map(({ path }) => `      "${path}") path="${path}" ;;`)
  .join("\n")}
    esac
  done
  case "$previous" in
${choices.map(({ long, short, choices: values }) => `    ${flags(long, short)}) COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$current")); return ;;`).join("\n")}
    ${[...new Set(files.map(({ long, short }) => flags(long, short)))].join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "$path" in
${commands.map(({ path, subcommands, options }) => `    "${path}") words="${[...subcommands.map(({ name }) => name), ...options.map(({ long }) => long)].join(" ")}" ;;`).join("\n")}
  esac
  case "$path" in
    ""${groups.map(({ path }) => `|"${path}"`).join("")}) ;;
    *) [[ "$current" == -* ]] || { COMPREPLY=($(compgen -f -- "$current")); return; } ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _reins reins
`;
}

function flags(long: string, short: string | undefined): string {
  return short === undefined ? long : `${short}|${long}`;
}

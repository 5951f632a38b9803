import type { CompletedCommand, CompletedOption, CompletedValues } from "./describe-commands.ts";

/** Completions for bash 3.2 and newer, without the package bash-completion. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  const below = commands.filter(({ path }) => path !== "");
  return `# bash completion for reins
_reins() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word index
  local words="" files="" options=""
  COMPREPLY=()
  # bash takes --option=value for three words.
  if [[ "$current" == "=" ]]; then
    current=""
  elif [[ "$previous" == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # No options behind it, and in "tap run" another command.
    [[ "$word" == "--" ]] && { _reins_files "$current"; return; }
    case "\${path:+$path }$word" in
${below.map(({ path }) => `      "${path}") path="${path}" ;;`).join("\n")}
    esac
  done
  case "$path $previous" in
${commands.flatMap(({ path, options }) => options.flatMap((option) => optionCase(path, option))).join("\n")}
  esac
  case "$path" in
${commands.map(commandCase).join("\n")}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$files" ]]; then
    _reins_files "$current"
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
_reins_files() {
  # Names may have spaces. Only bash 4 and newer can tell the shell here that they are files.
  local IFS=$'\\n'
  compopt -o filenames 2> /dev/null
  COMPREPLY=($(compgen -f -- "$1"))
}
complete -F _reins reins
`;
}

function optionCase(path: string, { long, short, value }: CompletedOption): string[] {
  if (value === undefined) return [];
  const names = [long, ...(short === undefined ? [] : [short])].map((name) => `"${path} ${name}"`);
  return [`    ${names.join("|")}) ${offer(value)}return ;;`];
}

function offer(values: CompletedValues): string {
  if (values === "unknown") return "";
  return values === "files"
    ? '_reins_files "$current"; '
    : `COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$current")); `;
}

function commandCase({ path, subcommands, options, values }: CompletedCommand): string {
  const words = [...subcommands.map(({ name }) => name), ...(typeof values === "string" ? [] : values)];
  const files = values === "files" ? " files=yes" : "";
  return `    "${path}") words="${words.join(" ")}" options="${options.map(({ long }) => long).join(" ")}"${files} ;;`;
}

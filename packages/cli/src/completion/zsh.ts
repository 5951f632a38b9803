import type { CompletedCommand, CompletedOption } from "./describe-commands.ts";

/** Completions for zsh 5 and newer. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef reins
${commands.map(commandFunction).join("\n")}
if [[ "$funcstack[1]" == "_reins" ]]; then
  _reins "$@"
else
  compdef _reins reins
fi
`;
}

function commandFunction({ path, subcommands, options }: CompletedCommand): string {
  const specs = options.map((option) => `    ${quote(optionSpec(option))} \\`).join("\n");
  const name = functionName(path);
  if (subcommands.length === 0) {
    return `${name}() {
  _arguments -s -S \\
${specs}
    '*:file:_files'
}`;
  }
  return `${name}() {
  local state line
  local -a commands=(
${subcommands.map((each) => `    ${quote(`${each.name}:${each.description}`)}`).join("\n")}
  )
  _arguments -C -s \\
${specs}
    '1:command:->command' \\
    '*::argument:->argument'
  case "$state" in
    command) _describe command commands ;;
    argument)
      case "$line[1]" in
${subcommands.map((each) => `        ${each.name}) ${functionName(`${path} ${each.name}`.trim())} ;;`).join("\n")}
      esac ;;
  esac
}`;
}

function functionName(path: string): string {
  return `_reins${path === "" ? "" : `_${path.replaceAll(" ", "_")}`}`;
}

function optionSpec({ long, description, takesValue, choices }: CompletedOption): string {
  const text = description.replace(/[[\]:\\]/g, (character) => `\\${character}`);
  const value = !takesValue ? "" : choices.length > 0 ? `:value:(${choices.join(" ")})` : ":value:_files";
  return `${long}[${text}]${value}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

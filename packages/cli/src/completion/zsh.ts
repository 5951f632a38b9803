import type { CompletedCommand, CompletedOption, CompletedValues } from "./describe-commands.ts";

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

function commandFunction({ path, subcommands, options, values }: CompletedCommand): string {
  const specs = options.flatMap(optionSpecs).map((spec) => `    ${quote(spec)} \\`);
  const name = functionName(path);
  if (subcommands.length === 0) {
    return `${name}() {
  _arguments -s -S \\
${specs.join("\n")}
    ${quote(`*:argument:${action(values)}`)}
}`;
  }
  return `${name}() {
  local state line
  local -a commands=(
${subcommands.map((each) => `    ${quote(`${each.name}:${each.description}`)}`).join("\n")}
  )
  _arguments -C -s \\
${specs.join("\n")}
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

function optionSpecs({ long, short, description, value, mayRepeat }: CompletedOption): string[] {
  const text = description.replace(/[[\]:\\]/g, (character) => `\\${character}`);
  const end = `[${text}]${value === undefined ? "" : `:value:${action(value)}`}`;
  // Of two names for the same only one is offered; -o+ takes its value with a space or without, --output= with a space or an equals sign.
  const start = mayRepeat ? "*" : short === undefined ? "" : `(${short} ${long})`;
  const specs = [`${start}${long}${value === undefined ? "" : "="}${end}`];
  return short === undefined ? specs : [...specs, `${start}${short}${value === undefined ? "" : "+"}${end}`];
}

function action(values: CompletedValues): string {
  if (values === "files") return "_files";
  return values === "unknown" ? " " : `(${values.join(" ")})`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";

/** Declares `reins completion`. */
export function declareCompletion(host: CommandHost, program: Command): void {
  host.command<object>(program, {
    usage: "completion <shell>",
    description: "write completions for bash, zsh or fish",
    examples: [
      ['eval "$(reins completion bash)"', "in ~/.bashrc"],
      ["reins completion zsh > ~/.zfunc/_reins", "with ~/.zfunc in fpath, before compinit"],
      ["reins completion fish > ~/.config/fish/completions/reins.fish", "for fish"],
    ],
    hasJson: false,
    load: async () => {
      const { writeCompletion } = await import("./write-completion.ts");
      return (context, _options, [shell = ""]) => writeCompletion(context, program, shell);
    },
  });
}

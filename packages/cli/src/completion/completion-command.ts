import { Argument, type Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import type { Shell } from "./write-completion.ts";

const shells: readonly Shell[] = ["bash", "zsh", "fish"];

/** Declares `reins completion`. */
export function declareCompletion(host: CommandHost, program: Command): void {
  const command = host.command<object>(program, {
    usage: "completion",
    description: "write completions for bash, zsh or fish",
    examples: [
      ['eval "$(reins completion bash)"', "in ~/.bashrc"],
      ["reins completion zsh > ~/.zfunc/_reins", "with ~/.zfunc in fpath, before compinit"],
      ["reins completion fish > ~/.config/fish/completions/reins.fish", "for fish"],
    ],
    hasJson: false,
    load: async () => {
      const { writeCompletion } = await import("./write-completion.ts");
      // The parser has seen to it that it is one of these.
      return (context, _options, [shell]) => writeCompletion(context, program, shell as Shell);
    },
  });
  command.addArgument(new Argument("<shell>").choices(shells));
}

import type { Command } from "commander";

/** A command as a completion sees it. */
export interface CompletedCommand {
  /** The words behind `reins`: `""`, `"sessions"`, `"sessions ls"`. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
}

/** An option of it. */
export interface CompletedOption {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** All commands, the program itself first. */
export function describeCommands(program: Command): readonly CompletedCommand[] {
  return [...walk(program, "")];
}

function* walk(command: Command, path: string): Generator<CompletedCommand, undefined, undefined> {
  const help = command.createHelp();
  yield {
    path,
    subcommands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
    options: help.visibleOptions(command).map((option) => ({
      long: option.long ?? "",
      short: option.short,
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
  };
  for (const each of command.commands) yield* walk(each, `${path} ${each.name()}`.trimStart());
}

import type { Command, Option } from "commander";
import { each, list } from "../option-values.ts";

/** A command as a completion sees it. */
export interface CompletedCommand {
  /** The words behind `reins`: `""`, `"sessions"`, `"sessions ls"`. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** What its arguments are. */
  readonly values: CompletedValues;
}

/** An option of it. */
export interface CompletedOption {
  readonly long: string;
  readonly short: string | undefined;
  readonly description: string;
  /** `undefined` for one that takes no value. */
  readonly value: CompletedValues | undefined;
  readonly mayRepeat: boolean;
}

/** Some words, files and folders, or something that nothing is known of. */
export type CompletedValues = readonly string[] | "files" | "unknown";

/** All commands, the program itself first. */
export function describeCommands(program: Command): readonly CompletedCommand[] {
  return [...walk(program, "")];
}

function* walk(command: Command, path: string): Generator<CompletedCommand, undefined, undefined> {
  // One sort of arguments for all of them: no command has two of which something is known.
  const values = command.registeredArguments.map((argument) => valuesOf(argument.name(), argument.argChoices));
  yield {
    path,
    subcommands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
    options: command.createHelp().visibleOptions(command).map(describeOption),
    values: values.find((each) => each !== "unknown") ?? "unknown",
  };
  for (const each of command.commands) yield* walk(each, `${path} ${each.name()}`.trimStart());
}

function describeOption(option: Option): CompletedOption {
  const name = /[<[](.*)[>\]]/.exec(option.flags)?.[1];
  return {
    long: option.long ?? "",
    short: option.short,
    description: option.description,
    value: name === undefined ? undefined : valuesOf(name, option.argChoices),
    mayRepeat: option.parseArg === each || option.parseArg === list,
  };
}

/** The names of values in usages are the same for the same things: a test has all of them. */
function valuesOf(name: string, choices: readonly string[] | undefined): CompletedValues {
  if (choices !== undefined) return choices;
  return ["file", "folder", "path", "command"].includes(name) ? "files" : "unknown";
}

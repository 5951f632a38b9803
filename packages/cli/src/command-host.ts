import type { Command } from "commander";
import type { Context } from "./context.ts";

/** What a command does. Gives the exit code. */
type Run<Options> = (context: Context, options: Options, args: readonly string[]) => Promise<number>;

/** How a command is declared: what `--help` shows, and where its work is found. */
export interface Declaration<Options> {
  /** Name and arguments, as commander writes them: `"show <session>"`. */
  readonly usage: string;
  readonly description: string;
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Said below the options. */
  readonly remarks?: string;
  /** Default true. False for a command whose output has a form of its own. */
  readonly hasJson?: boolean;
  /** Loads what does the work, which `--help` does without. */
  readonly load: () => Promise<Run<Options>>;
}

/** Declares commands that run with one {@link Context}. */
export class CommandHost {
  /** Exit code of the command that ran. */
  exitCode = 0;
  /** What to do when the arguments are refused, by the parser or by the command. */
  nextStep = "reins --help";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Declares a command that does something. */
  command<Options>(parent: Command, declaration: Declaration<Options>): Command {
    const { usage, description, examples, remarks, hasJson = true, load } = declaration;
    const command = this.#below(parent, usage).description(description);
    if (hasJson) command.option("--json", "write JSON, one value a line");
    command.addHelpText("after", () => helpText(examples, remarks));
    command.action(async () => {
      // Which options there are is said beside the interface that `load` takes; commander knows them as a record of anything.
      const options = command.opts<Options & { json?: boolean }>();
      this.#context.json = options.json === true;
      this.nextStep = `${path(command)} --help`;
      this.exitCode = await (await load())(this.#context, options, command.args);
    });
    return command;
  }

  /** Declares a command that only has others below it. */
  group(parent: Command, name: string, description: string): Command {
    return this.#below(parent, name).description(description).helpCommand(false).enablePositionalOptions();
  }

  #below(parent: Command, usage: string): Command {
    const command = parent.command(usage);
    // Called when the arguments of this command are wrong; what is wrong is in the error that follows.
    return command.configureOutput({
      outputError: () => {
        this.nextStep = `${path(command)} --help`;
      },
    });
  }
}

function path(command: Command): string {
  return command.parent === null ? command.name() : `${path(command.parent)} ${command.name()}`;
}

function helpText(examples: Declaration<unknown>["examples"], remarks = ""): string {
  const lines = examples.map(([line, does]) => `  ${does}:\n    $ ${line}\n`);
  return `${remarks === "" ? "" : `\n${remarks}\n`}${lines.length === 0 ? "" : `\nExamples:\n${lines.join("")}`}`;
}

import { CommanderError } from "commander";
import { Context, Interrupted } from "./context.ts";
import type { DescribedError } from "./describe-error.ts";
import { exitCodes } from "./exit-codes.ts";
import { createProgram } from "./program.ts";
import { OutputGone } from "./terminal/output.ts";
import { jsonLine, printable } from "./terminal/printable.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Runs the command with the arguments behind its name, on the streams of this process.
 *
 * @returns The exit code. Never rejects: what went wrong was said on stderr.
 */
export async function run(args: readonly string[]): Promise<number> {
  const context = new Context();
  const { program, host } = createProgram(context);
  try {
    await program.parseAsync([...args], { from: "user" }).catch(passOverHelp);
    await context.out.flush();
    return context.interrupted?.exitCode ?? host.exitCode;
  } catch (error) {
    // The reader has all that it wanted. It may be the one of stderr, where that goes the same way.
    if (error instanceof OutputGone || context.out.gone.reason instanceof OutputGone) return exitCodes.ok;
    await context.progress.clear().catch(() => {});
    if (error instanceof CommanderError) return await refuse(context, error, args, host.nextStep);
    // Whatever it was, it came of the interruption.
    const interrupted = context.interrupted ?? (error instanceof Interrupted ? error : undefined);
    return interrupted?.exitCode ?? (await fail(context, error, host.nextStep));
  }
}

/** The parser ends a command with an error when help or the version were asked for, too. */
function passOverHelp(error: unknown): void {
  if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
}

/** The parser has ended the command because the arguments are wrong. */
async function refuse(context: Context, error: CommanderError, args: readonly string[], next: string): Promise<number> {
  // There was no command, so that the parser has written the help to stderr.
  if (error.code === "commander.help") return exitCodes.usage;
  context.json = args.includes("--json");
  const message = printable(error.message.replace(/^error: /, ""));
  await say(context, { code: "REINS_CLI_USAGE", message, next });
  return exitCodes.usage;
}

async function fail(context: Context, error: unknown, next: string): Promise<number> {
  const { describeError } = await import("./describe-error.ts");
  const described = describeError(error);
  if (error instanceof UsageError) {
    await say(context, { ...described, next });
    return exitCodes.usage;
  }
  await say(context, described);
  const isMissing = described.code === "REINS_CLI_NOT_FOUND" || described.code === "REINS_LAUNCH_FAILED";
  return isMissing ? exitCodes.notStarted : exitCodes.failed;
}

async function say(context: Context, error: DescribedError): Promise<void> {
  const { bold, red } = context.errStyle;
  const next = error.next === undefined ? "" : `Next: ${error.next}\n`;
  const text = context.json ? jsonLine({ error }) : `${red(bold("reins:"))} ${error.message}\n${next}`;
  // Who does not read the errors is not told.
  await context.err.write(text).catch(() => {});
}

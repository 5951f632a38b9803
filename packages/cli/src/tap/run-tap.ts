import { spawn } from "node:child_process";
import { constants } from "node:os";
import { startWiretap, type Wiretap } from "@reins/wiretap";
import type { Context } from "../context.ts";
import { printable } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";

/** Options of `tap run`. */
export interface TapRunOptions {
  readonly dir: string;
  readonly upstream?: string;
}

/** `reins tap run` */
export async function runTap(context: Context, options: TapRunOptions, command: readonly string[]): Promise<number> {
  const { dir, upstream } = options;
  if (command[0] === "") throw new UsageError("The name of the command is empty.");
  await using wiretap = await startWiretap({
    dir,
    ...(upstream !== undefined && { upstream }),
    onError: (error) => {
      context.note(`${context.errStyle.yellow("Warning:")} ${printable(error.message)}`).catch(() => {});
    },
  });
  const exitCode = await runUnder(wiretap, command);
  await context.note(context.errStyle.dim(`Recorded in ${dir}. Look at it: reins tap show ${dir}`));
  return exitCode;
}

/** Runs a command with the terminal as its own, until it ends. */
async function runUnder(wiretap: Wiretap, [program = "", ...args]: readonly string[]): Promise<number> {
  const child = spawn(program, args, { env: wiretap.env(), stdio: "inherit" });
  // A terminal sends these to both; whether they end anything is for the command to say. Others reach this process only.
  const leave = (): void => {};
  const pass = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  process.on("SIGINT", leave).on("SIGQUIT", leave).on("SIGTERM", pass).on("SIGHUP", pass);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(new Error(`${program} could not be started.`, { cause: error })));
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
    });
  } finally {
    process.off("SIGINT", leave).off("SIGQUIT", leave).off("SIGTERM", pass).off("SIGHUP", pass);
  }
}

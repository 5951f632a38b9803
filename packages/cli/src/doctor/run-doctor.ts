import type { ClaudeLocation } from "@reins/process";
import type { Context } from "../context.ts";
import { describeError } from "../describe-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { printable } from "../terminal/printable.ts";
import type { CheckResult, Finding } from "./check.ts";
import { checkConfigFolder } from "./config-folder.ts";
import { findProgram } from "./find-program.ts";
import { checkLogin } from "./login.ts";
import { checkNode } from "./node-version.ts";
import { checkRoundTrip } from "./round-trip.ts";
import { checkSandbox } from "./sandbox-tools.ts";
import { checkStores } from "./store-packages.ts";
import { checkVersion } from "./supported-version.ts";

/** Options of `doctor`. */
export interface DoctorOptions {
  readonly claude?: string;
  readonly roundTrip: boolean;
}

/** `reins doctor` */
export async function runDoctor(context: Context, options: DoctorOptions): Promise<number> {
  let failed = 0;
  const report = async (check: string, look: () => Finding | Promise<Finding>): Promise<void> => {
    context.signal.throwIfAborted();
    await context.progress.show(`Looking at: ${check} ...`);
    const result: CheckResult = { check, ...(await attempt(look, context.signal)) };
    await context.progress.clear();
    if (result.status === "failed") failed++;
    await (context.json ? context.writeJson(result) : context.out.write(asText(context, result)));
  };
  await report("Node.js", checkNode);
  let location: ClaudeLocation | undefined;
  await report("program", async () => {
    const found = await findProgram(options.claude);
    location = found.location;
    return found.finding;
  });
  // As a function: the compiler does not see that `report` has called the one above.
  const program = ((): ClaudeLocation | undefined => location)();
  if (program !== undefined) {
    await report("version", () => checkVersion(program));
    await report("login", () => checkLogin(program.path, context.signal));
  }
  await report("configuration folder", checkConfigFolder);
  await report("sandbox", checkSandbox);
  await report("stores", checkStores);
  if (program !== undefined && options.roundTrip) {
    await report("round trip", () => checkRoundTrip(program.path, context.signal));
  }
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}

/** A check that throws has failed. */
async function attempt(look: () => Finding | Promise<Finding>, signal: AbortSignal): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    signal.throwIfAborted();
    const { message, next } = describeError(error);
    return { status: "failed", message, ...(next !== undefined && { next }) };
  }
}

function asText({ style }: Context, { check, status, message, next }: CheckResult): string {
  const marks = {
    ok: style.green("ok     "),
    info: style.dim("info   "),
    warning: style.yellow("warning"),
    failed: style.red("failed "),
  };
  return `${marks[status]} ${style.bold(check)}: ${printable(message)}\n${next === undefined ? "" : `        Next: ${printable(next)}\n`}`;
}

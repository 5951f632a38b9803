import { runBridge } from "@reins/bridge";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";

/** Options of `bridge`. */
export interface BridgeCommandOptions {
  readonly model?: string;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly disallowedTools?: readonly string[];
  readonly cwd?: string;
  readonly claude?: string;
}

/** `reins bridge` */
export async function serveBridge(context: Context, given: BridgeCommandOptions): Promise<number> {
  const { signal } = context;
  const end = await runBridge({
    input: process.stdin,
    output: process.stdout,
    signal,
    options: {
      ...(given.model !== undefined && { model: given.model }),
      ...(given.maxTurns !== undefined && { maxTurns: given.maxTurns }),
      ...(given.maxBudgetUsd !== undefined && { maxBudgetUsd: given.maxBudgetUsd }),
      ...(given.disallowedTools && { disallowedTools: [...given.disallowedTools] }),
      ...(given.cwd !== undefined && { cwd: given.cwd }),
      ...(given.claude !== undefined && { pathToClaudeCodeExecutable: given.claude }),
    },
  });
  // At the end of its input nothing keeps the process; else stdin would.
  if (end !== "input-ended") process.stdin.destroy();
  signal.throwIfAborted();
  return end === "protocol-refused" ? exitCodes.failed : exitCodes.ok;
}

import { existsSync } from "node:fs";
import { harness, type Options } from "@reins/sdk";
import { isSessionId } from "@reins/sessions";
import { UsageError } from "../usage-error.ts";
import type { permissionModes } from "./permission-modes.ts";

/** What `query` and `chat` can say about a session. */
export interface SessionOptions {
  readonly model?: string;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly isolated?: boolean;
  readonly tools?: readonly string[];
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly permissionMode?: (typeof permissionModes)[number];
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly resume?: string;
  readonly continue?: boolean;
  readonly forkSession?: boolean;
  readonly store?: string;
  readonly cwd?: string;
  readonly addDir?: readonly string[];
  readonly claude?: string;
}

/**
 * The options of the sdk: Claude Code as in the terminal, unless something else was asked for.
 *
 * @throws UsageError for options that contradict each other.
 */
export function sdkOptions(given: SessionOptions): Options {
  check(given);
  const base = harness();
  const { permissionMode } = given;
  return {
    ...base,
    ...(given.isolated === true && { tools: [], settingSources: [], strictMcpConfig: true }),
    ...(given.tools && { tools: [...given.tools] }),
    ...(given.appendSystemPrompt !== undefined && {
      systemPrompt: { type: "preset", preset: "claude_code", append: given.appendSystemPrompt },
    }),
    ...(given.systemPrompt !== undefined && { systemPrompt: given.systemPrompt }),
    ...(given.model !== undefined && { model: given.model }),
    ...(given.allowedTools && { allowedTools: [...given.allowedTools] }),
    ...(given.disallowedTools && { disallowedTools: [...given.disallowedTools] }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(permissionMode === "bypassPermissions" && { allowDangerouslySkipPermissions: true }),
    ...(given.maxTurns !== undefined && { maxTurns: given.maxTurns }),
    ...(given.maxBudgetUsd !== undefined && { maxBudgetUsd: given.maxBudgetUsd }),
    ...(given.resume !== undefined && { resume: given.resume }),
    ...(given.continue === true && { continue: true }),
    ...(given.forkSession === true && { forkSession: true }),
    ...(given.cwd !== undefined && { cwd: given.cwd }),
    ...(given.addDir && { additionalDirectories: [...given.addDir] }),
    ...(given.claude !== undefined && { pathToClaudeCodeExecutable: given.claude }),
  };
}

function check(given: SessionOptions): void {
  if (given.cwd !== undefined && !existsSync(given.cwd)) throw new UsageError(`There is no folder ${given.cwd}.`);
  if (given.systemPrompt !== undefined && given.appendSystemPrompt !== undefined) {
    throw new UsageError("Give --system-prompt or --append-system-prompt, not both.");
  }
  if (given.resume !== undefined && given.continue === true)
    throw new UsageError("Give --resume or --continue, not both.");
  if (given.resume !== undefined && !isSessionId(given.resume)) {
    throw new UsageError("--resume takes the whole id of a session, which `reins sessions ls` shows.");
  }
  if (given.forkSession === true && given.resume === undefined && given.continue !== true) {
    throw new UsageError("--fork-session needs --resume or --continue.");
  }
}

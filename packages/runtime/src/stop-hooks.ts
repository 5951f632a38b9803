import { HookTimeoutError } from "./errors.ts";
import { type JsonRecord, recordOf, textsOf } from "./json-value.ts";
import { runCommand } from "./run-command.ts";
import { checkCommand } from "./shell-hooks.ts";

/** What a stop hook is told, when the model is about to stop. */
export interface StopHookContext {
  readonly sessionId: string | undefined;
  readonly turnId: string;
  /** How many times the model was called in this turn. */
  readonly iteration: number;
  readonly lastAssistantMessage: string | undefined;
  /** Whether the model goes on because of a stop hook already. */
  readonly stopHookActive: boolean;
  /** Work in the background, as the CLI lists it. */
  readonly backgroundTasks: readonly JsonRecord[];
  readonly signal: AbortSignal;
}

/** Asks for one more cycle of the loop, in which the model sees the messages. */
export interface StopHookResult {
  readonly continue: true;
  readonly messages: readonly string[];
}

/**
 * A command in the place of a stop hook. It finds the context as JSON on its standard input, with names in snake_case, and asks for
 * one more cycle by `{"continue":true,"messages":["..."]}` and exit code 0, or by exit code 2 and the message on stderr.
 */
export interface StopCommand {
  readonly command: string;
  /** Milliseconds; then it is killed with all that it started. Default 60,000. */
  readonly timeoutMs?: number | undefined;
}

/** Runs when the model is about to stop, in the main conversation. One that fails asks for nothing. */
export type StopHook =
  | StopCommand
  | ((
      context: StopHookContext,
    ) => StopHookResult | undefined | void | Promise<StopHookResult | undefined> | Promise<void>);

/** @throws {@link HookSettingError} for a command that cannot work. */
export function checkStopHooks(hooks: readonly StopHook[] = []): readonly StopHook[] {
  hooks.forEach((hook, index) => {
    if (typeof hook !== "function") checkCommand(`stopHooks[${index}]`, hook);
  });
  return hooks;
}

/**
 * Runs them one after the other, and gives the messages of those that want the model to go on; nothing when none does.
 *
 * @param onError Told of those that failed.
 */
export async function runStopHooks(
  hooks: readonly StopHook[],
  context: StopHookContext,
  cwd: string,
  onError: (error: unknown) => void,
): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const hook of hooks) {
    try {
      messages.push(...(typeof hook === "function" ? await call(hook, context) : await run(hook, context, cwd)));
    } catch (error) {
      onError(error);
    }
  }
  return messages;
}

async function call(hook: Exclude<StopHook, StopCommand>, context: StopHookContext): Promise<readonly string[]> {
  const { signal } = context;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new HookTimeoutError("stop", hookTimeoutMs)), hookTimeoutMs);
  const either = AbortSignal.any([signal, timeout.signal]);
  try {
    either.throwIfAborted();
    const ended = new Promise<never>((_, reject) => {
      either.addEventListener("abort", () => reject(either.reason), { once: true });
    });
    ended.catch(() => {});
    return messagesOf(await Promise.race([hook({ ...context, signal: either }), ended]));
  } finally {
    clearTimeout(timer);
  }
}

async function run(hook: StopCommand, context: StopHookContext, cwd: string): Promise<readonly string[]> {
  const { sessionId, turnId, iteration, lastAssistantMessage, stopHookActive, backgroundTasks, signal } = context;
  const input = JSON.stringify({
    session_id: sessionId,
    turn_id: turnId,
    iteration,
    last_assistant_message: lastAssistantMessage,
    stop_hook_active: stopHookActive,
    background_tasks: backgroundTasks,
    cwd,
  });
  const end = await runCommand(hook.command, { cwd, input, timeoutMs: hook.timeoutMs ?? 60_000, signal });
  const { exitCode, stdout, stderr, failure } = end;
  if (exitCode === 2) return [stderr.trim().slice(0, 10_000)].filter((message) => message !== "");
  if (exitCode !== 0)
    throw new Error(`The stop hook ${JSON.stringify(hook.command)} failed: ${failure ?? `exit code ${exitCode}`}`);
  return stdout.trimStart().startsWith("{") ? messagesOf(JSON.parse(stdout)) : [];
}

function messagesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const result = recordOf(value);
  if (result === undefined) throw new TypeError("A stop hook returned no object");
  return result["continue"] === true ? textsOf(result["messages"]).filter((message) => message !== "") : [];
}

/** As long as the CLI gives its own hooks. */
const hookTimeoutMs = 600_000;

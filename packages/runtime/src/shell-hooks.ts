import { HookSettingError } from "./errors.ts";
import { type JsonRecord, recordOf, textOf } from "./json-value.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";

/**
 * A command that looks at tool calls before they run, and answers by its exit code:
 *
 * | end | the call |
 * | --- | --- |
 * | 0 | goes ahead; where nothing else allows it, a person is asked |
 * | 0, `{"decision":"allow"}` on stdout | goes ahead without a question, unless a rule denies it or wants one |
 * | 0, `{"updatedInput":{...}}` | goes on with that input, whole; the next hook sees it |
 * | 0, `{"decision":"deny","reason":"..."}` | is denied, with that reason |
 * | 2 | is denied; the reason is what it wrote to stderr |
 * | 49 | is denied, and the whole turn ends |
 * | anything else | is denied, see `onError` |
 */
export interface PreToolHook {
  /** A regular expression, not anchored, on the name of the tool as the model sees it. Default: all tools. */
  readonly matcher?: string | RegExp | undefined;
  /** Runs through `/bin/sh -c` in the folder of the session, with the environment of this process. */
  readonly command: string;
  /** Milliseconds that it may take; then it is killed with all that it started. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * What it finds on its standard input, as JSON: `call` is an object with `tool_name`, `tool_input`, `tool_use_id`, `session_id`,
   * `cwd` and for a sub-agent `agent_id`; `input` the input of the tool alone. Default `call`.
   */
  readonly stdin?: "call" | "input" | undefined;
  /** What a command does that fails: cannot be started, takes too long, exits otherwise, or writes what is no answer. Default `deny`. */
  readonly onError?: "deny" | "allow" | undefined;
}

/** A tool call as the commands see it. */
export interface ShellHookCall {
  readonly tool_name: string;
  readonly tool_input: JsonRecord;
  readonly tool_use_id: string;
  readonly session_id: string | undefined;
  readonly cwd: string;
  readonly agent_id?: string;
}

/** What the commands have decided together. */
export interface ShellVerdict {
  /** `halt` denies and ends the turn. */
  readonly decision: "none" | "allow" | "deny" | "halt";
  readonly reason: string;
  readonly updatedInput: JsonRecord | undefined;
}

/** Entries whose matchers are known to be good. */
export interface ShellHooks {
  readonly entries: readonly (PreToolHook & { readonly pattern: RegExp | undefined })[];
}

/** @throws {@link HookSettingError} for an entry that cannot work. */
export function checkShellHooks(hooks: readonly PreToolHook[] = []): ShellHooks {
  const entries = hooks.map((hook, index) => {
    checkCommand(`preToolHooks[${index}]`, hook);
    try {
      // Without the flags that make a test depend on the one before.
      const pattern =
        hook.matcher instanceof RegExp
          ? new RegExp(hook.matcher.source, hook.matcher.flags.replace(/[gy]/g, ""))
          : hook.matcher && new RegExp(hook.matcher);
      return { ...hook, pattern: pattern || undefined };
    } catch (error) {
      throw new HookSettingError(`preToolHooks[${index}].matcher`, "is no regular expression", error);
    }
  });
  return { entries };
}

/** @throws {@link HookSettingError} for a command or a timeout that cannot be. */
export function checkCommand(
  what: string,
  hook: { readonly command: string; readonly timeoutMs?: number | undefined },
): void {
  if (typeof hook.command !== "string" || hook.command === "") throw new HookSettingError(what, "has no command");
  if (hook.timeoutMs !== undefined && !(hook.timeoutMs > 0))
    throw new HookSettingError(`${what}.timeoutMs`, "must be a number of milliseconds above 0");
}

/**
 * Runs the commands that match, one after the other. Denials and halts end the row.
 *
 * @param onError Told of commands that failed.
 */
export async function runShellHooks(
  { entries }: ShellHooks,
  call: ShellHookCall,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<ShellVerdict> {
  let verdict: ShellVerdict = { decision: "none", reason: "", updatedInput: undefined };
  for (const entry of entries) {
    if (entry.pattern?.test(call.tool_name) === false) continue;
    const seen = verdict.updatedInput === undefined ? call : { ...call, tool_input: verdict.updatedInput };
    const end = await runCommand(entry.command, {
      cwd: call.cwd,
      input: JSON.stringify(entry.stdin === "input" ? seen.tool_input : seen),
      timeoutMs: entry.timeoutMs ?? 60_000,
      signal,
    });
    const answer = readEnd(end);
    if (answer.decision === "failed") {
      onError(new Error(`The hook ${JSON.stringify(entry.command)} failed: ${answer.reason}`));
      if (entry.onError !== "allow") return { ...verdict, decision: "deny", reason: `hook failed: ${answer.reason}` };
      continue;
    }
    verdict = {
      decision: answer.decision === "none" ? verdict.decision : answer.decision,
      reason: answer.reason,
      updatedInput: answer.updatedInput ?? verdict.updatedInput,
    };
    if (answer.decision === "deny" || answer.decision === "halt") return verdict;
  }
  return verdict;
}

interface Answer {
  readonly decision: ShellVerdict["decision"] | "failed";
  readonly reason: string;
  readonly updatedInput?: JsonRecord | undefined;
}

function readEnd({ exitCode, stdout, stderr, failure }: CommandEnd): Answer {
  const told = stderr.trim().slice(0, maxReason);
  if (failure !== undefined) return { decision: "failed", reason: failure };
  if (exitCode === 2) return { decision: "deny", reason: told || "denied by a hook" };
  if (exitCode === 49) return { decision: "halt", reason: told || "halted by a hook" };
  if (exitCode !== 0) return { decision: "failed", reason: `exit code ${exitCode}${told && `: ${told}`}` };
  // Anything else that a command prints is its own business.
  if (!stdout.trimStart().startsWith("{")) return { decision: "none", reason: "" };
  return readAnswer(stdout);
}

function readAnswer(stdout: string): Answer {
  let answer: JsonRecord | undefined;
  try {
    answer = recordOf(JSON.parse(stdout));
  } catch {
    // Told below.
  }
  if (answer === undefined) return { decision: "failed", reason: "its answer is not one JSON object" };
  const { decision, updatedInput: input } = answer;
  const reason = textOf(answer["reason"])?.slice(0, maxReason) ?? "";
  const updatedInput = recordOf(input);
  if (input !== undefined && updatedInput === undefined)
    return { decision: "failed", reason: "its updatedInput is no object" };
  switch (decision) {
    case undefined:
      return { decision: "none", reason, updatedInput };
    case "allow":
    case "approve":
      return { decision: "allow", reason, updatedInput };
    case "deny":
    case "block":
      return { decision: "deny", reason: reason || "denied by a hook" };
    default:
      return { decision: "failed", reason: `its decision ${JSON.stringify(decision)} is unknown` };
  }
}

/** As much as a model is told of an error, in UTF-16 units. */
const maxReason = 10_000;

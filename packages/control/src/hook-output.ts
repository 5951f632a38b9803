import type { HookEvent, HookSpecificOutputs, SyncHookOutput } from "@reins/messages";
import { textOf } from "./inbound-requests.ts";

/** The output of a hook as the CLI should get it, and what of it the CLI would not know. */
export interface CheckedHookOutput {
  readonly output: Readonly<Record<string, unknown>>;
  /** Names of members that were dropped, those within `hookSpecificOutput` with that in front. */
  readonly dropped: readonly string[];
}

/**
 * Checks what a hook returned, names its event, and drops what no answer to this event has.
 *
 * @throws TypeError for what is no output, and where a decision has a value that the CLI does not know or stands in the wrong place:
 * it would be passed over, and what was meant to be refused would go on.
 */
export function checkHookOutput(event: HookEvent, output: unknown): CheckedHookOutput {
  if (output === undefined) return { output: {}, dropped: [] };
  if (typeof output !== "object" || output === null || Array.isArray(output)) {
    const what = output === null ? "null" : Array.isArray(output) ? "an array" : `a ${typeof output}`;
    throw new TypeError(`a hook returned ${what}, not an object`);
  }
  // Written, a map or an instance with accessors alone would be `{}`: no opinion, whatever it was meant to say.
  if (Object.keys(output).length === 0 && !isPlain(output))
    throw new TypeError("a hook returned an object without members of its own");
  const specificNames = specificMembers(event);
  const common = known(event, output, commonMembers, specificNames, "");
  // The answer to another question, such as `{ behavior: "deny" }`: without its members it would be no opinion.
  if (common.dropped.length > 0 && Object.keys(common.members).length === 0)
    throw new TypeError(`a ${event} hook returned ${common.dropped.join(", ")}, and nothing that a hook can answer`);
  checkValue(event, "decision", common.members["decision"], ["approve", "block"]);
  const { hookSpecificOutput: specific, ...rest } = common.members;
  if (specific == null) return { output: rest, dropped: common.dropped };
  if (!isRecord(specific)) throw new TypeError("a hook returned a hookSpecificOutput that is no object");
  checkValue(event, "hookEventName", specific["hookEventName"], [event]);
  const { members, dropped } = known(event, specific, specificNames, commonMembers, "hookSpecificOutput.");
  if (event === "PreToolUse")
    checkValue(event, "permissionDecision", members["permissionDecision"], ["allow", "deny", "ask", "defer"]);
  // The CLI checks the other members.
  return {
    output: { ...rest, hookSpecificOutput: { ...members, hookEventName: event } },
    dropped: [...common.dropped, ...dropped],
  };
}

/** What every hook can answer. */
const commonMembers: readonly string[] = [
  "continue",
  "stopReason",
  "suppressOutput",
  "decision",
  "reason",
  "systemMessage",
  "terminalSequence",
  "hookSpecificOutput",
  "async",
  "asyncTimeout",
] satisfies readonly (keyof SyncHookOutput | "async" | "asyncTimeout")[];

const context = ["hookEventName", "additionalContext"] as const;

/** What the hooks of an event can answer beyond. An event that is not listed: nothing. */
const membersByEvent: { readonly [Event in keyof HookSpecificOutputs]: readonly (keyof HookSpecificOutputs[Event])[] } =
  {
    PreToolUse: [...context, "permissionDecision", "permissionDecisionReason", "updatedInput"],
    PostToolUse: [...context, "classifierContext", "updatedToolOutput", "updatedMCPToolOutput"],
    PostToolUseFailure: context,
    PostToolBatch: context,
    Notification: context,
    UserPromptSubmit: [...context, "sessionTitle", "suppressOriginalPrompt"],
    UserPromptExpansion: [...context, "suppressOriginalPrompt"],
    SessionStart: [...context, "initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"],
    Stop: context,
    SubagentStart: context,
    SubagentStop: context,
    PreModelSwitch: ["hookEventName", "permissionDecision", "permissionDecisionReason"],
    PostModelSwitch: context,
    PermissionRequest: ["hookEventName", "decision"],
    PermissionDenied: ["hookEventName", "retry"],
    Setup: context,
    Elicitation: ["hookEventName", "action", "content"],
    ElicitationResult: ["hookEventName", "action", "content"],
    WorktreeCreate: ["hookEventName", "worktreePath"],
    CwdChanged: ["hookEventName", "watchPaths"],
    FileChanged: ["hookEventName", "watchPaths"],
    MessageDisplay: ["hookEventName", "displayContent"],
  };

function specificMembers(event: HookEvent): readonly string[] {
  const byEvent: { readonly [Event in HookEvent]?: readonly string[] } = membersByEvent;
  return byEvent[event] ?? ["hookEventName"];
}

/** What decides. In the wrong place it must not be dropped: the CLI would go on as if nothing had been said. */
const decisions: readonly string[] = ["permissionDecision", "updatedInput", "decision", "continue"];

function known(
  event: HookEvent,
  output: object,
  names: readonly string[],
  elsewhere: readonly string[],
  prefix: string,
): { readonly members: Record<string, unknown>; readonly dropped: readonly string[] } {
  const members: Record<string, unknown> = {};
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(output)) {
    if (names.includes(name)) members[name] = value;
    else if (value !== undefined && decisions.includes(name) && elsewhere.includes(name)) {
      const place = prefix === "" ? "in hookSpecificOutput" : "beside hookSpecificOutput";
      throw new TypeError(`a ${event} hook returned ${prefix}${name}, which belongs ${place}`);
    } else if (value !== undefined) dropped.push(prefix + name);
  }
  return { members, dropped };
}

/** The CLI would take an answer with a value that it does not know for no answer, or refuse the tool without saying why. */
function checkValue(event: HookEvent, member: string, value: unknown, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value as string)) return;
  throw new TypeError(`a ${event} hook returned the ${member} ${textOf(value)}; known are ${allowed.join(", ")}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also true for an object literal of another realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

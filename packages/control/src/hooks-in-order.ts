import type { HookEvent, HookInput, HookOutput } from "@reins/messages";
import { checkHookOutput } from "./hook-output.ts";
import type { HookCallback } from "./hooks.ts";

/**
 * One callback that calls others one after the other, for those that rewrite the same thing or depend on each other: the CLI calls all
 * callbacks of an event at the same time, each with the original input, and of several rewritings the last to answer wins.
 *
 * Each callback gets the input as those before have changed it (`updatedInput`, `updatedToolOutput`, `displayContent`). One that denies,
 * blocks, defers or says `continue: false` is the last to be called. Of the other decisions the strictest counts, texts for the model
 * and for people are joined, and of everything else the later one counts. One that throws fails them all, as if it stood alone.
 *
 * @example
 * const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [hooksInOrder(expandAliases, addTimeout, refuseSudo)] }] };
 */
export function hooksInOrder<Event extends HookEvent>(
  ...callbacks: readonly HookCallback<Event>[]
): HookCallback<Event> {
  return async (input, toolUseID, options) => {
    let current: HookInput<Event> = input;
    let merged: Output = {};
    for (const callback of callbacks) {
      options.signal.throwIfAborted();
      const { output, dropped } = checkHookOutput(input.hook_event_name, await callback(current, toolUseID, options));
      // Nobody waits for it, so it changes nothing here.
      if (output["async"] === true) continue;
      merged = mergedOutput(merged, output, dropped);
      if (isFinal(merged)) break;
      current = rewritten(current, output);
    }
    // Checked against the event, all of them.
    return merged as HookOutput<Event>;
  };
}

type Output = Readonly<Record<string, unknown>>;

/** From the strictest to the mildest, as the CLI ranks them. */
const ranks: readonly unknown[] = ["deny", "defer", "ask", "allow"];

function isFinal(output: Output): boolean {
  const { permissionDecision: decision } = specificOf(output);
  const isRefused = decisionOf(output)["behavior"] === "deny";
  return (
    output["continue"] === false ||
    output["decision"] === "block" ||
    decision === "deny" ||
    decision === "defer" ||
    isRefused
  );
}

function mergedOutput(before: Output, output: Output, dropped: readonly string[]): Output {
  const { hookSpecificOutput: _, ...own } = output;
  const texts = joined(before, output, "systemMessage");
  // Kept, so that whoever calls this callback tells of them.
  const unknown = Object.fromEntries(dropped.map((name) => [name, null]));
  const first = specificOf(before);
  const second = specificOf(output);
  const specific: Record<string, unknown> = { ...first, ...second, ...joined(first, second, "additionalContext") };
  if (Array.isArray(first["watchPaths"]) && Array.isArray(second["watchPaths"]))
    specific["watchPaths"] = [...first["watchPaths"], ...second["watchPaths"]];
  if (isStricter(first["permissionDecision"], second["permissionDecision"])) {
    specific["permissionDecision"] = first["permissionDecision"];
    specific["permissionDecisionReason"] = first["permissionDecisionReason"];
  }
  return {
    ...before,
    ...own,
    ...texts,
    ...unknown,
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: specific }),
  };
}

function isStricter(first: unknown, second: unknown): boolean {
  return first !== undefined && second !== undefined && ranks.indexOf(first) < ranks.indexOf(second);
}

function joined(before: Output, output: Output, name: string): Output {
  const texts = [before[name], output[name]].filter((text) => typeof text === "string" && text !== "");
  return texts.length === 2 ? { [name]: texts.join("\n") } : {};
}

/** The input as the next one should see it. */
function rewritten<Event extends HookEvent>(input: HookInput<Event>, output: Output): HookInput<Event> {
  const specific = specificOf(output);
  const changes: Record<string, unknown> = {};
  const toolInput = specific["updatedInput"] ?? decisionOf(output)["updatedInput"];
  const toolOutput = specific["updatedToolOutput"] ?? specific["updatedMCPToolOutput"];
  if (toolInput !== undefined) changes["tool_input"] = toolInput;
  if (toolOutput !== undefined) changes["tool_response"] = toolOutput;
  if (specific["displayContent"] !== undefined) changes["delta"] = specific["displayContent"];
  return Object.keys(changes).length === 0 ? input : { ...input, ...changes };
}

function specificOf(output: Output): Output {
  return recordOf(output["hookSpecificOutput"]);
}

/** The answer of a PermissionRequest hook. */
function decisionOf(output: Output): Output {
  return recordOf(specificOf(output)["decision"]);
}

function recordOf(value: unknown): Output {
  return typeof value === "object" && value !== null ? (value as Output) : {};
}

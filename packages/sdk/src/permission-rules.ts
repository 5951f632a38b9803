import type { CanUseTool } from "@reins/control";
import type { HookOutput, PermissionResult, PermissionUpdate } from "@reins/messages";
import type { Options } from "./options.ts";
import { covers, parseRule, type Rule, touches, wholeToolOf } from "./rule-matching.ts";

/**
 * Which tools `canUseTool` is never asked about, since the options already allow them.
 *
 * Rules in settings files allow tools too and cannot be seen here. For every call of every tool use a PreToolUse hook.
 *
 * @returns Rules without their parentheses, in order; `["*"]` in a mode that asks about nothing.
 */
export function canUseToolShadowed({ canUseTool, permissionMode, allowedTools = [], skills }: Options): string[] {
  if (canUseTool === undefined) return [];
  if (permissionMode === "bypassPermissions") return ["*"];
  const names = allowedTools.flatMap((entry) => wholeToolOf(entry.trim()) ?? []);
  if (skills === "all") names.push("Skill");
  return [...new Set(names)];
}

/** Rules of a {@link permissionPolicy}, in the CLI's own syntax: `Read`, `Bash(git log:*)`, `mcp__files`, `WebFetch(domain:example.com)`. */
export interface PolicyRules {
  /** Calls that are denied, whatever else is said. */
  readonly deny?: readonly string[];
  /** Calls that `onAsk` decides about, even where `allow` covers them. */
  readonly ask?: readonly string[];
  /** Calls that may run. */
  readonly allow?: readonly string[];
  /** Decides about what `ask` covers, and about what no rule does. Default: it is denied. */
  readonly onAsk?: CanUseTool;
  /** The folder that file rules are relative to. Default: that of this process. */
  readonly cwd?: string;
}

/**
 * A `canUseTool` callback made of rules: deny before ask before allow, and `onAsk` for the rest.
 *
 * The rules are matched here, on the calls that the CLI asks about, and in doubt do not allow: a Bash rule allows a command only if it
 * covers each part of a compound one, and none that substitutes, redirects or has a comment. It denies whatever has a part that it is
 * about, also behind quotes, assignments and programs such as `sudo`, but it reads a text: what a variable or a script stands for it
 * cannot know. A file pattern without a slash means that name in any folder, `//` begins an absolute path, `~/` one in the home folder,
 * all others are relative to `cwd`; links are not followed. To deny, case does not count and brackets may be a set; to allow, all is
 * taken to the letter.
 *
 * @throws TypeError for a rule that is none, or that no call could match.
 * @example
 * const options = { canUseTool: permissionPolicy({ allow: ["Bash(git log:*)"], deny: ["Read(.env)"], onAsk: askTheUser }) };
 */
export function permissionPolicy({ allow = [], ask = [], deny = [], onAsk, cwd }: PolicyRules): CanUseTool {
  const parse = (rule: string): Rule => parseRule(rule, cwd ?? process.cwd());
  const rules = { allow: allow.map(parse), ask: ask.map(parse), deny: deny.map(parse) };
  return (toolName, input, options): Promise<PermissionResult> | PermissionResult => {
    const denied = rules.deny.find((rule) => touches(rule, toolName, input));
    if (denied !== undefined) return { behavior: "deny", message: `Denied by the rule ${denied.text}.` };
    const isAsked = rules.ask.some((rule) => touches(rule, toolName, input));
    if (!isAsked && rules.allow.some((rule) => covers(rule, toolName, input)))
      return { behavior: "allow", updatedInput: input };
    return (
      onAsk?.(toolName, input, options) ?? { behavior: "deny", message: `No rule allows this call of ${toolName}.` }
    );
  };
}

/**
 * The answer to a permission question that also spares the next ones like it: "always allow".
 *
 * @param suggestions What the question suggested.
 * @param destination Where the rules go: `"session"` lasts as long as the process and writes no file. Default `"session"`.
 * @example
 * const canUseTool: CanUseTool = (name, input, { suggestions }) => allowAlways(input, suggestions);
 */
export function allowAlways(
  input: Readonly<Record<string, unknown>>,
  suggestions: readonly PermissionUpdate[] = [],
  destination: PermissionUpdate["destination"] = "session",
): PermissionResult {
  return {
    behavior: "allow",
    updatedInput: input,
    updatedPermissions: suggestions.map((update) => ({ ...update, destination })),
  };
}

/**
 * The answer of a PreToolUse hook that keeps the tool from running and ends the turn.
 *
 * `continue: false` alone would let the tool run first, a denial alone would let the turn go on. The other tools of the same message are
 * asked about on their own. In a sub-agent only that ends. [verified on CLI 2.1.328]
 *
 * @param reason For the model, and for you: the result message does not carry it.
 */
export function haltTurn(reason: string): HookOutput<"PreToolUse"> {
  return {
    continue: false,
    stopReason: reason,
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

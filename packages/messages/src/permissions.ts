import type { OpenString } from "./open.ts";

/** How tool calls are permitted where no rule decides. */
export type PermissionMode = OpenString<"default" | "acceptEdits" | "bypassPermissions" | "plan" | "dontAsk" | "auto">;

/** What a rule does with the calls that it covers. */
export type PermissionBehavior = "allow" | "deny" | "ask";

/** Where a change of the rules goes. The first three write files; `session` lasts as long as the process. */
export type PermissionUpdateDestination = "userSettings" | "projectSettings" | "localSettings" | "session" | "cliArg";

/** A rule: a tool, and optionally which of its calls, such as `git log:*` for Bash. */
export interface PermissionRule {
  readonly toolName: string;
  readonly ruleContent?: string | undefined;
}

/**
 * A change of the permission rules. The CLI suggests some with a question, and applies what the answer hands back; suggestions mostly
 * name `localSettings`, so change the destination to `session` to leave the files alone. At most 4,096 in one answer.
 */
export type PermissionUpdate =
  | {
      readonly type: "addRules" | "replaceRules" | "removeRules";
      readonly rules: readonly PermissionRule[];
      readonly behavior: PermissionBehavior;
      readonly destination: PermissionUpdateDestination;
    }
  | {
      readonly type: "setMode";
      readonly mode: PermissionMode;
      readonly destination: PermissionUpdateDestination;
    }
  | {
      readonly type: "addDirectories" | "removeDirectories";
      readonly directories: readonly string[];
      readonly destination: PermissionUpdateDestination;
    };

/** Tells the CLI's records what kind of decision it was. Changes nothing else. */
export type PermissionDecisionClassification = "user_temporary" | "user_permanent" | "user_reject";

/** The answer to a permission question. Whatever is no valid answer refuses the tool. [verified on CLI 2.1.328] */
export type PermissionResult = PermissionAllow | PermissionDeny;

/** The tool may run. */
export interface PermissionAllow {
  readonly behavior: "allow";
  /** A whole input that replaces the model's. Default: the original. CLIs before 2.1.328 may want it always. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
  /** Changes of the rules to apply, and to write where they say so. */
  readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
  readonly toolUseID?: string | undefined;
  readonly decisionClassification?: PermissionDecisionClassification | undefined;
}

/** The tool may not run. */
export interface PermissionDeny {
  readonly behavior: "deny";
  /** What the model reads as the tool's result. Required: a denial without it is no valid answer. */
  readonly message: string;
  /** Ends the turn, with `error_during_execution`. Default false: the model goes on with the message. */
  readonly interrupt?: boolean | undefined;
  readonly toolUseID?: string | undefined;
  readonly decisionClassification?: PermissionDecisionClassification | undefined;
}

/** Why the CLI asks or refuses. */
export type DecisionReasonType = OpenString<
  | "rule"
  | "mode"
  | "subcommandResults"
  | "permissionPromptTool"
  | "hook"
  | "asyncAgent"
  | "sandboxOverride"
  | "workingDir"
  | "safetyCheck"
  | "classifier"
  | "other"
>;

/** The MCP server of a tool. Trust `source: "sdk"` only: a server of another source can bear any name. */
export interface McpServerProvenance {
  readonly name: string;
  /** `sdk`, `plugin`, `dynamic` (from `--mcp-config`), or the scope of the configuration. */
  readonly source: string;
}

import type { PermissionUpdate } from "../permissions.ts";
import type { HookEvent } from "./hook-event.ts";

/**
 * What a hook of an event can answer beyond the common fields. Events that are not listed can answer nothing more.
 */
export interface HookSpecificOutputs {
  readonly PreToolUse: PreToolUseHookSpecificOutput;
  readonly PostToolUse: PostToolUseHookSpecificOutput;
  readonly PostToolUseFailure: ContextOutput<"PostToolUseFailure">;
  readonly PostToolBatch: ContextOutput<"PostToolBatch">;
  readonly Notification: ContextOutput<"Notification">;
  readonly UserPromptSubmit: UserPromptSubmitHookSpecificOutput;
  readonly UserPromptExpansion: UserPromptExpansionHookSpecificOutput;
  readonly SessionStart: SessionStartHookSpecificOutput;
  readonly Stop: ContextOutput<"Stop">;
  readonly SubagentStart: ContextOutput<"SubagentStart">;
  readonly SubagentStop: ContextOutput<"SubagentStop">;
  readonly PreModelSwitch: PreModelSwitchHookSpecificOutput;
  readonly PostModelSwitch: ContextOutput<"PostModelSwitch">;
  readonly PermissionRequest: PermissionRequestHookSpecificOutput;
  readonly PermissionDenied: PermissionDeniedHookSpecificOutput;
  readonly Setup: ContextOutput<"Setup">;
  readonly Elicitation: ElicitationHookSpecificOutput<"Elicitation">;
  readonly ElicitationResult: ElicitationHookSpecificOutput<"ElicitationResult">;
  readonly WorktreeCreate: WorktreeCreateHookSpecificOutput;
  readonly CwdChanged: WatchPathsOutput<"CwdChanged">;
  readonly FileChanged: WatchPathsOutput<"FileChanged">;
  readonly MessageDisplay: MessageDisplayHookSpecificOutput;
}

/** What a hook can answer beyond the common fields: of one event, or of any. */
export type HookSpecificOutput<Event extends HookEvent = HookEvent> = HookSpecificOutputs[Event &
  keyof HookSpecificOutputs];

/** Text that the model reads. */
export interface ContextOutput<Event extends HookEvent> {
  readonly hookEventName: Event;
  readonly additionalContext?: string | undefined;
}

/** Files and directories to watch: changes come as FileChanged. */
export interface WatchPathsOutput<Event extends HookEvent> {
  readonly hookEventName: Event;
  readonly watchPaths?: readonly string[] | undefined;
}

/**
 * `allow` spares the question, but not deny rules, ask rules and tools that need the user; `ask` asks the host; `defer` ends the turn
 * and hands the tool use back with the result. Of several hooks the strictest counts: deny, defer, ask, allow. [verified on CLI 2.1.328]
 */
export interface PreToolUseHookSpecificOutput extends ContextOutput<"PreToolUse"> {
  readonly permissionDecision?: "allow" | "deny" | "ask" | "defer" | undefined;
  /** What the model reads of a denial, and the host of a question. */
  readonly permissionDecisionReason?: string | undefined;
  /** A whole input that replaces the model's. Have one hook only that does so: of several the last to answer wins. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
}

/** Changes what the model reads of a tool that ran. */
export interface PostToolUseHookSpecificOutput extends ContextOutput<"PostToolUse"> {
  /** For the classifier of mode `auto`; at most 2,000 UTF-16 units. */
  readonly classifierContext?: string | undefined;
  /** In the tool's own shape, which is a content array or text for MCP; another shape is passed over in silence. */
  readonly updatedToolOutput?: unknown;
  /** The same for MCP tools, in older CLIs. */
  readonly updatedMCPToolOutput?: unknown;
}

/** Changes what becomes of a prompt. */
export interface UserPromptSubmitHookSpecificOutput extends ContextOutput<"UserPromptSubmit"> {
  readonly sessionTitle?: string | undefined;
  /** True leaves the prompt out of the text that tells of a block. */
  readonly suppressOriginalPrompt?: boolean | undefined;
}

/** Changes what becomes of a slash command. */
export interface UserPromptExpansionHookSpecificOutput extends ContextOutput<"UserPromptExpansion"> {
  /** True leaves the prompt out of the text that tells of a block. */
  readonly suppressOriginalPrompt?: boolean | undefined;
}

/** Changes how a conversation begins. */
export interface SessionStartHookSpecificOutput extends ContextOutput<"SessionStart"> {
  readonly initialUserMessage?: string | undefined;
  readonly sessionTitle?: string | undefined;
  /** Files and directories to watch: changes come as FileChanged. */
  readonly watchPaths?: readonly string[] | undefined;
  readonly reloadSkills?: boolean | undefined;
}

/** Whether the model may be changed. Without a terminal `ask` refuses, as `deny` does. [verified on CLI 2.1.328] */
export interface PreModelSwitchHookSpecificOutput {
  readonly hookEventName: "PreModelSwitch";
  readonly permissionDecision?: "allow" | "deny" | "ask" | undefined;
  readonly permissionDecisionReason?: string | undefined;
}

/** The answer in place of the host's. */
export interface PermissionRequestHookSpecificOutput {
  readonly hookEventName: "PermissionRequest";
  readonly decision:
    | {
        readonly behavior: "allow";
        readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
        readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
      }
    | {
        readonly behavior: "deny";
        readonly message?: string | undefined;
        /** Ends the turn. Default false. */
        readonly interrupt?: boolean | undefined;
      };
}

/** Whether the model is told that it may try again. */
export interface PermissionDeniedHookSpecificOutput {
  readonly hookEventName: "PermissionDenied";
  readonly retry?: boolean | undefined;
}

/** An answer to an MCP server's question. CLI 2.1.328 passes over it when it comes from a callback. */
export interface ElicitationHookSpecificOutput<Event extends "Elicitation" | "ElicitationResult"> {
  readonly hookEventName: Event;
  readonly action?: "accept" | "decline" | "cancel" | undefined;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

/** Where the worktree is. */
export interface WorktreeCreateHookSpecificOutput {
  readonly hookEventName: "WorktreeCreate";
  /** An absolute path that exists; without it the tool fails. */
  readonly worktreePath: string;
}

/** What is shown instead. Also what the assistant message and the result carry; stream events keep the original. [verified on CLI 2.1.328] */
export interface MessageDisplayHookSpecificOutput {
  readonly hookEventName: "MessageDisplay";
  readonly displayContent?: string | undefined;
}

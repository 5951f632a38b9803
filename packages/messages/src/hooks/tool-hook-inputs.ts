import type { PermissionUpdate } from "../permissions.ts";
import type { HookInputBase, ToolHookInputBase } from "./hook-input-base.ts";

/**
 * Before a tool runs and before permission is asked; the model may still be writing. Not for unknown tools, nor for those that a rule
 * denies whole. [verified on CLI 2.1.328]
 */
export interface PreToolUseHookInput extends ToolHookInputBase {
  readonly hook_event_name: "PreToolUse";
  readonly tool_use_id: string;
}

/** After a tool succeeded. */
export interface PostToolUseHookInput extends ToolHookInputBase {
  readonly hook_event_name: "PostToolUse";
  readonly tool_use_id: string;
  /** What the tool gave, in its own shape; an array of content for MCP. */
  readonly tool_response: unknown;
  readonly duration_ms?: number;
}

/** After a tool failed. Not when it was refused or cut by an interrupt. */
export interface PostToolUseFailureHookInput extends ToolHookInputBase {
  readonly hook_event_name: "PostToolUseFailure";
  readonly tool_use_id: string;
  readonly error: string;
  readonly is_interrupt?: boolean;
  readonly duration_ms?: number;
}

/** After all tools of one response, refused ones too, before the model's next request. */
export interface PostToolBatchHookInput extends HookInputBase {
  readonly hook_event_name: "PostToolBatch";
  readonly tool_calls: PostToolBatchToolCall[];
}

/** A tool call of a batch. */
export interface PostToolBatchToolCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  /** As the model sees it: text or blocks. */
  readonly tool_response?: unknown;
}

/** Permission is about to be asked. Runs beside the host's question; the first answer counts. */
export interface PermissionRequestHookInput extends ToolHookInputBase {
  readonly hook_event_name: "PermissionRequest";
  readonly permission_suggestions?: PermissionUpdate[];
}

/** The classifier of mode `auto` denied a tool. Not for denials by rules, modes or the host. */
export interface PermissionDeniedHookInput extends ToolHookInputBase {
  readonly hook_event_name: "PermissionDenied";
  readonly tool_use_id: string;
  readonly reason: string;
}

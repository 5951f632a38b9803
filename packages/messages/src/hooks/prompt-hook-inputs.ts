import type { OpenString } from "../open.ts";
import type { HookInputBase } from "./hook-input-base.ts";

/** A prompt was taken up, also one that waited, and what wakes the session after background work. Not for local commands. */
export interface UserPromptSubmitHookInput extends HookInputBase {
  readonly hook_event_name: "UserPromptSubmit";
  readonly prompt: string;
  /** Declared; CLI 2.1.328 leaves it out. */
  readonly source?: OpenString<"user" | "sdk" | "system" | "loop_wakeup" | "schedule_wakeup" | "poll_event">;
  readonly session_title?: string;
}

/** A slash command became a prompt. */
export interface UserPromptExpansionHookInput extends HookInputBase {
  readonly hook_event_name: "UserPromptExpansion";
  readonly expansion_type: OpenString<"slash_command" | "mcp_prompt">;
  readonly command_name: string;
  readonly command_args: string;
  readonly command_source?: string;
  readonly prompt: string;
}

/** Lines of the answer are about to be shown. */
export interface MessageDisplayHookInput extends HookInputBase {
  readonly hook_event_name: "MessageDisplay";
  readonly turn_id: string;
  readonly message_id: string;
  /** Counts the pieces of the message from 0. */
  readonly index: number;
  /** The last piece. */
  readonly final: boolean;
  readonly delta: string;
}

/** Something that a terminal would notify about, such as a permission question that nobody answers. */
export interface NotificationHookInput extends HookInputBase {
  readonly hook_event_name: "Notification";
  readonly message: string;
  readonly title?: string;
  readonly notification_type: OpenString<
    "permission_prompt" | "elicitation_response" | "elicitation_dialog" | "idle_prompt" | "auth_success"
  >;
}

/** An MCP server asks. Answer in the handler of elicitations: of a callback's output only `decision: "block"` counts here. */
export interface ElicitationHookInput extends HookInputBase {
  readonly hook_event_name: "Elicitation";
  readonly mcp_server_name: string;
  readonly message: string;
  readonly mode?: OpenString<"form" | "url">;
  readonly url?: string;
  readonly elicitation_id?: string;
  /** JSON Schema. */
  readonly requested_schema?: Readonly<Record<string, unknown>>;
}

/** An MCP server's question was answered. */
export interface ElicitationResultHookInput extends HookInputBase {
  readonly hook_event_name: "ElicitationResult";
  readonly mcp_server_name: string;
  readonly elicitation_id?: string;
  readonly mode?: OpenString<"form" | "url">;
  readonly action: OpenString<"accept" | "decline" | "cancel">;
  readonly content?: Readonly<Record<string, unknown>>;
}

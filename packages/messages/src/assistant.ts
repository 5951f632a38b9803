import type { ApiMessage } from "./api-message.ts";
import type { MessageBase, PromptStamps, SubagentStamps } from "./envelope.ts";
import type { OpenString } from "./open.ts";
import type { ModelUsage } from "./usage.ts";

/** What kind of failure an assistant message reports. */
export type AssistantError = OpenString<
  | "authentication_failed"
  | "oauth_org_not_allowed"
  | "account_on_hold"
  | "verification_required"
  | "billing_error"
  | "rate_limit"
  | "overloaded"
  | "invalid_request"
  | "model_not_found"
  | "server_error"
  | "unknown"
  | "max_output_tokens"
  | "cloud_credential_error"
>;

/**
 * The model's answer, one message per finished content block. Messages of one response share `message.id`.
 *
 * With partial messages it comes after the block's last delta and before its `content_block_stop`. [verified on CLI 2.1.328]
 */
export interface AssistantMessage extends MessageBase, PromptStamps, SubagentStamps {
  readonly type: "assistant";
  readonly message: ApiMessage;
  /** Null in the main conversation; otherwise the id of the tool use whose subagent wrote it. */
  readonly parent_tool_use_id: string | null;
  /** Id of the API request; absent on messages that the CLI made up. */
  readonly request_id?: string;
  /** The message reports a failure; its content is one text block for people. */
  readonly error?: AssistantError;
  /** Cut by an interrupt; the text may end in the middle of a word. */
  readonly aborted?: true;
  /** `uuid`s of messages to remove now that this one is here. */
  readonly supersedes?: string[];
  /** ISO 8601. For display, not for ordering. */
  readonly timestamp?: string;
  /** The turn goes on where a restart of the worker cut it. */
  readonly resume_reason?: string;
  readonly resumed_from_incomplete_thinking?: true;
  /** With the output of `/context`. */
  readonly context_usage?: ContextUsage;
  /** With the output of `/usage` on subscriptions. */
  readonly usage_report?: UsageReport;
  /** Internal: names for display of the MCP tools that the message uses. */
  readonly tool_use_meta?: ToolUseMeta[];
  /** Internal: milliseconds that a thinking block took. */
  readonly thinking_duration_ms?: number;
  /** Internal. */
  readonly thinking_display?: string;
  /** Internal: true on messages that report an API error. */
  readonly is_api_error_message?: boolean;
  /** Internal: HTTP status of the API error. */
  readonly api_error_status?: number;
  /** Internal: the API's own name of the error, such as `overloaded_error`. */
  readonly api_error_type?: string;
  /** Internal: finer than {@link error}, such as `max_output_tokens` or `usage_limit_reached`. */
  readonly api_error?: string;
  /** Internal. */
  readonly api_error_params?: Readonly<Record<string, unknown>>;
  /** Internal: `message.id` of the response that was refused. */
  readonly refused_message_id?: string;
  /** Internal: what kind of local command wrote the output. */
  readonly local_command_source?: string;
  /** Internal: the local command whose output this is. */
  readonly local_command_run?: { readonly command: string; readonly args: string; readonly plugin?: string };
  /** Internal: how the local command ended. */
  readonly local_command_outcome?: { readonly kind: string };
  /** Internal: the message is older than the process. */
  readonly historical?: boolean;
}

/** Names of an MCP tool use for display. */
export interface ToolUseMeta {
  /** `id` of the tool use. */
  readonly id: string;
  readonly display_name: string;
  readonly server_display_name?: string;
  readonly tool_name?: string;
  readonly icon_url?: string;
}

/** What fills the context window, as `/context` shows it. Counts are tokens. */
export interface ContextUsage {
  readonly model: string;
  readonly total_tokens: number;
  readonly raw_max_tokens: number;
  readonly percentage: number;
  readonly over_limit?: {
    readonly tokens_over: number;
    readonly kind: OpenString<"hard_limit" | "compaction_window">;
  };
  readonly categories: ContextUsageCategory[];
  readonly mcp_tools: { readonly name: string; readonly server_name: string; readonly tokens: number }[];
  readonly memory_files: { readonly path: string; readonly type: string; readonly tokens: number }[];
  readonly agents: { readonly agent_type: string; readonly source: string; readonly tokens: number }[];
  readonly skills?: {
    readonly name: string;
    readonly source: string;
    readonly plugin_name?: string;
    readonly tokens: number;
  }[];
}

/** A part of the context window. */
export interface ContextUsageCategory {
  readonly name: string;
  readonly tokens: number;
  readonly kind: OpenString<"used" | "free" | "buffer" | "deferred">;
}

/** Totals of the session and limits of the subscription, as `/usage` shows them. */
export interface UsageReport {
  readonly session: SessionTotals;
  readonly rate_limits: {
    readonly limits: UsageLimit[] | null;
    readonly extra_usage?: ExtraUsage | null;
  } | null;
}

/** Totals of a session. */
export interface SessionTotals {
  /** US dollars, estimated by the CLI. */
  readonly total_cost_usd: number;
  readonly total_api_duration_ms: number;
  readonly total_duration_ms: number;
  readonly total_lines_added: number;
  readonly total_lines_removed: number;
  readonly model_usage: Readonly<Record<string, ModelUsage>>;
}

/** A limit of the subscription. */
export interface UsageLimit {
  readonly kind: string;
  readonly group: string;
  readonly percent: number;
  /** ISO 8601. */
  readonly resets_at: string | null;
  readonly scope?: {
    readonly model?: { readonly display_name: string } | null;
    readonly surface?: { readonly display_name: string } | null;
  } | null;
  readonly severity: string;
  readonly is_active: boolean;
}

/** What may be used beyond the subscription. */
export interface ExtraUsage {
  readonly is_enabled: boolean;
  readonly monthly_limit: number | null;
  readonly used_credits: number | null;
  readonly utilization: number | null;
  readonly currency?: string | null;
}

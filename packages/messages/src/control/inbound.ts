import type { HookInput } from "../hooks/hook-input.ts";
import type { HookOutput } from "../hooks/hook-output.ts";
import type { JsonRpcMessage, JsonRpcResponse } from "../mcp.ts";
import type { OpenString } from "../open.ts";
import type { DecisionReasonType, McpServerProvenance, PermissionResult, PermissionUpdate } from "../permissions.ts";
import type { Acknowledged } from "./acknowledged.ts";
import type { OpaqueInboundRequests } from "./opaque-requests.ts";

/** Requests of the CLI, by subtype: what it asks, and what it takes for an answer. */
export interface InboundRequests extends OpaqueInboundRequests {
  readonly can_use_tool: { readonly request: CanUseToolRequest; readonly response: PermissionResult };
  readonly hook_callback: { readonly request: HookCallbackRequest; readonly response: HookOutput };
  readonly mcp_message: { readonly request: McpMessageRequest; readonly response: McpMessageResponse };
  readonly elicitation: { readonly request: ElicitationRequest; readonly response: ElicitationResponse };
  readonly request_user_dialog: { readonly request: UserDialogRequest; readonly response: UserDialogResponse };
  readonly oauth_token_refresh: {
    readonly request: OauthTokenRefreshRequest;
    readonly response: { readonly accessToken: string | null; readonly reason?: string | undefined };
  };
  readonly host_auth_token_refresh: {
    readonly request: HostAuthTokenRefreshRequest;
    readonly response: { readonly authToken: string | null };
  };
  readonly remote_control_work_secret: {
    readonly request: { readonly subtype: "remote_control_work_secret"; readonly session_id: string };
    readonly response: { readonly work_secret: string };
  };
}

/** A request of the CLI. */
export type InboundRequest = InboundRequests[keyof InboundRequests]["request"];

/**
 * May the tool be used? Sent only when the CLI was started with `--permission-prompt-tool stdio`, and open until it is answered,
 * withdrawn, or the input ends. [verified on CLI 2.1.328]
 */
export interface CanUseToolRequest {
  readonly subtype: "can_use_tool";
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** For a tool of an MCP server. */
  readonly mcp_server?: McpServerProvenance;
  /** Changes of the rules that would spare the next question. Absent when a hook made the CLI ask. */
  readonly permission_suggestions?: PermissionUpdate[];
  /** The path that made the CLI ask. */
  readonly blocked_path?: string;
  readonly decision_reason?: string;
  readonly decision_reason_type?: DecisionReasonType;
  readonly decision_reason_code?: string;
  readonly decision_reason_rule_source?: string;
  readonly decision_reason_hook_event?: string;
  readonly decision_reason_hook_source?: string;
  readonly classifier_approvable?: boolean;
  readonly matched_ask_rule?: {
    readonly source: string;
    readonly tool_name: string;
    readonly rule_content?: string;
  };
  readonly suppress_always_allow_rule?: boolean;
  readonly default_to_no?: boolean;
  /** Words for a dialog. */
  readonly title?: string;
  readonly display_name?: string;
  readonly description?: string;
  /** The subagent that wants to use the tool; absent in the main conversation. */
  readonly agent_id?: string;
  /** True for AskUserQuestion and ExitPlanMode. */
  readonly requires_user_interaction?: boolean;
  readonly server_policy_ask_only?: boolean;
  readonly plugin?: unknown;
  readonly server_prompt?: unknown;
  readonly computer_folder?: unknown;
}

/** Runs a hook of the host. */
export interface HookCallbackRequest {
  readonly subtype: "hook_callback";
  /** The id that the host gave with `initialize`. */
  readonly callback_id: string;
  readonly input: HookInput;
  /** Of the tool's events the id of the tool use, otherwise an id of the CLI's own making. */
  readonly tool_use_id?: string;
}

/** A message of the CLI as MCP client to a server in the host, or of the host's server to the CLI. */
export interface McpMessageRequest {
  readonly subtype: "mcp_message";
  readonly server_name: string;
  readonly message: JsonRpcMessage;
}

/** The server's response. What is no request needs an answer too, with any response in it. */
export interface McpMessageResponse {
  readonly mcp_response?: JsonRpcResponse | { readonly jsonrpc: "2.0"; readonly result: Acknowledged };
}

/** An MCP server that the CLI dialled asks the user. [verified on CLI 2.1.328] */
export interface ElicitationRequest {
  readonly subtype: "elicitation";
  readonly mcp_server_name: string;
  readonly message: string;
  readonly mode?: OpenString<"form" | "url">;
  /** JSON Schema of the form. */
  readonly requested_schema?: Readonly<Record<string, unknown>>;
  readonly property_order?: string[];
  readonly url?: string;
  readonly elicitation_id?: string;
  readonly title?: string;
  readonly display_name?: string;
  readonly description?: string;
}

/** The user's answer. What is none of these counts as `cancel`. */
export type ElicitationResponse =
  | { readonly action: "accept"; readonly content?: Readonly<Record<string, unknown>> | undefined }
  | { readonly action: "decline" | "cancel" };

/** Shows a dialog of a kind that the host declared. Leave other kinds unanswered. */
export interface UserDialogRequest {
  readonly subtype: "request_user_dialog";
  readonly dialog_kind: OpenString<"refusal_fallback_prompt">;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string;
}

/** What became of the dialog. */
export type UserDialogResponse =
  | { readonly behavior: "completed"; readonly result: unknown }
  | { readonly behavior: "cancelled" };

/** Wants a fresh OAuth token, from hosts that said that they have one. */
export interface OauthTokenRefreshRequest {
  readonly subtype: "oauth_token_refresh";
  readonly kind?: string;
  readonly token_state?: string;
  readonly refused_call?: unknown;
  readonly refused_bearer_sha256?: string;
}

/** Wants a fresh credential of a provider, from hosts that own it. */
export interface HostAuthTokenRefreshRequest {
  readonly subtype: "host_auth_token_refresh";
  readonly status?: number;
  readonly token_state?: string;
}

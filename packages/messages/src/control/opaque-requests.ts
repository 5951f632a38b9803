import type { Acknowledged } from "./acknowledged.ts";

/**
 * Requests that the CLI serves to its makers' own hosts, by subtype. They are known by name only; on a local pipe several are refused.
 */
export type OpaqueRequests = {
  readonly [Subtype in OpaqueSubtype]: {
    readonly request: { readonly subtype: Subtype; readonly [field: string]: unknown };
    readonly response: Acknowledged;
  };
};

/** Subtype of a request that is known by name only. */
export type OpaqueSubtype =
  | "add_directory"
  | "channel_enable"
  | "claim_session"
  | "fork_conversation"
  | "get_chrome_dialog"
  | "get_memory_dialog"
  | "get_sandbox_dialog"
  | "get_skills_dialog"
  | "mcp_authenticate"
  | "mcp_clear_auth"
  | "mcp_oauth_callback_url"
  | "message_rated"
  | "prompt_draft_activity"
  | "reload_connectors"
  | "remote_control"
  | "rewind_conversation"
  | "set_message_waiting"
  | "set_proactivity_level"
  | "stage_file"
  | "submit_feedback";

/**
 * Requests of the CLI that belong to its makers' own hosts, by subtype. Answer those that begin with `ui_` as unsupported; leave those
 * that begin with `remote_` unanswered, another client of a shared session does it.
 */
export type OpaqueInboundRequests = {
  readonly [Subtype in OpaqueInboundSubtype]: {
    readonly request: { readonly subtype: Subtype; readonly [field: string]: unknown };
    readonly response: Acknowledged;
  };
};

/** Subtype of a request of the CLI that is known by name only. */
export type OpaqueInboundSubtype =
  | "remote_plumbing_call"
  | "remote_tool_call"
  | "remote_tools_probe"
  | "remote_tools_reannounce"
  | "ui_copy"
  | "ui_prompt_fill"
  | "ui_prompt_paint"
  | "ui_prompt_read"
  | "ui_prompt_suggest"
  | "ui_read_selection";

import type { Acknowledged, OpaqueInboundRequests, OpaqueRequests } from "@reins/messages";
import * as z from "zod";
import type { RequestSchemas } from "../tables.ts";
import { acknowledgedSchema } from "./acknowledged.ts";

/** Schemas of {@link OpaqueRequests}: request and response, by subtype. */
export const opaqueRequestSchemas: RequestSchemas<OpaqueRequests> = {
  add_directory: opaque("add_directory"),
  channel_enable: opaque("channel_enable"),
  claim_session: opaque("claim_session"),
  fork_conversation: opaque("fork_conversation"),
  get_chrome_dialog: opaque("get_chrome_dialog"),
  get_memory_dialog: opaque("get_memory_dialog"),
  get_sandbox_dialog: opaque("get_sandbox_dialog"),
  get_skills_dialog: opaque("get_skills_dialog"),
  mcp_authenticate: opaque("mcp_authenticate"),
  mcp_clear_auth: opaque("mcp_clear_auth"),
  mcp_oauth_callback_url: opaque("mcp_oauth_callback_url"),
  message_rated: opaque("message_rated"),
  prompt_draft_activity: opaque("prompt_draft_activity"),
  reload_connectors: opaque("reload_connectors"),
  remote_control: opaque("remote_control"),
  rewind_conversation: opaque("rewind_conversation"),
  set_message_waiting: opaque("set_message_waiting"),
  set_proactivity_level: opaque("set_proactivity_level"),
  stage_file: opaque("stage_file"),
  submit_feedback: opaque("submit_feedback"),
};

/** Schemas of {@link OpaqueInboundRequests}: request and response, by subtype. */
export const opaqueInboundRequestSchemas: RequestSchemas<OpaqueInboundRequests> = {
  remote_plumbing_call: opaque("remote_plumbing_call"),
  remote_tool_call: opaque("remote_tool_call"),
  remote_tools_probe: opaque("remote_tools_probe"),
  remote_tools_reannounce: opaque("remote_tools_reannounce"),
  ui_copy: opaque("ui_copy"),
  ui_prompt_fill: opaque("ui_prompt_fill"),
  ui_prompt_paint: opaque("ui_prompt_paint"),
  ui_prompt_read: opaque("ui_prompt_read"),
  ui_prompt_suggest: opaque("ui_prompt_suggest"),
  ui_read_selection: opaque("ui_read_selection"),
};

interface Opaque<Subtype extends string> {
  readonly request: z.ZodType<{ readonly subtype: Subtype; readonly [field: string]: unknown }>;
  readonly response: z.ZodType<Acknowledged>;
}

function opaque<const Subtype extends string>(subtype: Subtype): Opaque<Subtype> {
  return { request: z.looseObject({ subtype: z.literal(subtype) }), response: acknowledgedSchema };
}

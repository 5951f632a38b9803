import type {
  RegisterRepoRootRequest,
  SetCwdRequest,
  SetCwdResponse,
  SetMaxThinkingTokensRequest,
  SettingsRequests,
} from "@reins/messages";
import * as z from "zod";
import { kinds } from "../kinds.ts";
import { jsonObject, open } from "../open.ts";
import { permissionModeSchema } from "../permissions.ts";
import { loose, pinned } from "../pinned.ts";
import type { RequestSchemas } from "../tables.ts";
import { acknowledgedSchema } from "./acknowledged.ts";

/** Schema of {@link SetMaxThinkingTokensRequest}. */
export const setMaxThinkingTokensRequestSchema: z.ZodType<SetMaxThinkingTokensRequest> = loose({
  subtype: z.literal("set_max_thinking_tokens"),
  max_thinking_tokens: z.number().nullable().optional(),
  thinking_display: z.enum(["summarized", "omitted", "highlights"]).nullable().optional(),
});

/** Schema of {@link SetCwdRequest}. */
export const setCwdRequestSchema: z.ZodType<SetCwdRequest> = loose({
  subtype: z.literal("set_cwd"),
  path: z.string(),
  trust_accepted: z.boolean().optional(),
  trusted_directory: z.string().optional(),
});

/** Schema of {@link SetCwdResponse}. */
export const setCwdResponseSchema: z.ZodType<SetCwdResponse> = pinned(
  kinds("status", [
    z.looseObject({ status: z.literal("needs_trust"), directory: z.string() }),
    z.looseObject({
      status: z.literal("ok"),
      cwd: z.string(),
      changed: z.boolean(),
      transcript_relocated: z.boolean(),
    }),
    z.looseObject({ status: z.literal("rejected"), reason: open("not_found"), message: z.string() }),
  ]),
);

/** Schema of {@link RegisterRepoRootRequest}. */
export const registerRepoRootRequestSchema: z.ZodType<RegisterRepoRootRequest> = loose({
  subtype: z.literal("register_repo_root"),
  directory: z.string(),
  reload_claude_md: z.boolean().optional(),
  reload_plugins: z.boolean().optional(),
  reload_skills: z.boolean().optional(),
});

/** Schemas of {@link SettingsRequests}: request and response, by subtype. */
export const settingsRequestSchemas: RequestSchemas<SettingsRequests> = {
  set_permission_mode: {
    request: loose({ subtype: z.literal("set_permission_mode"), mode: permissionModeSchema }),
    response: loose({ mode: permissionModeSchema }),
  },
  set_model: {
    request: loose({ subtype: z.literal("set_model"), model: z.string().nullable().optional() }),
    response: loose({ model: z.string() }),
  },
  set_max_thinking_tokens: { request: setMaxThinkingTokensRequestSchema, response: acknowledgedSchema },
  apply_flag_settings: {
    request: loose({ subtype: z.literal("apply_flag_settings"), settings: jsonObject }),
    response: acknowledgedSchema,
  },
  update_settings: {
    request: loose({
      subtype: z.literal("update_settings"),
      source: z.enum(["localSettings", "userSettings"]),
      settings: jsonObject,
    }),
    response: acknowledgedSchema,
  },
  set_mcp_permission_mode_override: {
    request: loose({
      subtype: z.literal("set_mcp_permission_mode_override"),
      serverName: z.string(),
      mode: z.enum(["default", "auto"]).nullable(),
    }),
    response: loose({ warning: z.string().exactOptional() }),
  },
  rename_session: {
    request: loose({
      subtype: z.literal("rename_session"),
      title: z.string(),
      source: z.enum(["remote", "host"]).optional(),
      session_id: z.string().optional(),
    }),
    response: acknowledgedSchema,
  },
  generate_session_title: {
    request: loose({
      subtype: z.literal("generate_session_title"),
      description: z.string(),
      persist: z.boolean().optional(),
    }),
    response: loose({ title: z.string().nullable() }),
  },
  set_cwd: { request: setCwdRequestSchema, response: setCwdResponseSchema },
  register_repo_root: { request: registerRepoRootRequestSchema, response: loose({ directory: z.string() }) },
  set_color: { request: loose({ subtype: z.literal("set_color"), color: z.string() }), response: acknowledgedSchema },
  set_has_subscribers: {
    request: loose({ subtype: z.literal("set_has_subscribers"), has_subscribers: z.boolean().nullable() }),
    response: acknowledgedSchema,
  },
  set_prompt_suggestions_paused: {
    request: loose({ subtype: z.literal("set_prompt_suggestions_paused"), paused: z.boolean() }),
    response: acknowledgedSchema,
  },
};

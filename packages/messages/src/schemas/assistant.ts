import type {
  AssistantError,
  AssistantMessage,
  ContextUsage,
  ContextUsageCategory,
  ExtraUsage,
  SessionTotals,
  ToolUseMeta,
  UsageLimit,
  UsageReport,
} from "@reins/messages";
import * as z from "zod";
import { apiMessageSchema } from "./api-message.ts";
import { message, promptStamps, subagentStamps } from "./envelope.ts";
import { jsonObject, open } from "./open.ts";
import { loose, pinned } from "./pinned.ts";
import { modelUsageSchema } from "./usage.ts";

/** Schema of {@link AssistantError}. */
export const assistantErrorSchema: z.ZodType<AssistantError> = pinned(
  open(
    "authentication_failed",
    "oauth_org_not_allowed",
    "account_on_hold",
    "verification_required",
    "billing_error",
    "rate_limit",
    "overloaded",
    "invalid_request",
    "model_not_found",
    "server_error",
    "unknown",
    "max_output_tokens",
    "cloud_credential_error",
  ),
);

/** Schema of {@link ContextUsageCategory}. */
export const contextUsageCategorySchema: z.ZodType<ContextUsageCategory> = loose({
  name: z.string(),
  tokens: z.number(),
  kind: open("used", "free", "buffer", "deferred"),
});

/** Schema of {@link ContextUsage}. */
export const contextUsageSchema: z.ZodType<ContextUsage> = loose({
  model: z.string(),
  total_tokens: z.number(),
  raw_max_tokens: z.number(),
  percentage: z.number(),
  over_limit: z.looseObject({ tokens_over: z.number(), kind: open("hard_limit", "compaction_window") }).exactOptional(),
  categories: z.array(contextUsageCategorySchema),
  mcp_tools: z.array(z.looseObject({ name: z.string(), server_name: z.string(), tokens: z.number() })),
  memory_files: z.array(z.looseObject({ path: z.string(), type: z.string(), tokens: z.number() })),
  agents: z.array(z.looseObject({ agent_type: z.string(), source: z.string(), tokens: z.number() })),
  skills: z
    .array(
      z.looseObject({
        name: z.string(),
        source: z.string(),
        plugin_name: z.string().exactOptional(),
        tokens: z.number(),
      }),
    )
    .exactOptional(),
});

/** Schema of {@link SessionTotals}. */
export const sessionTotalsSchema: z.ZodType<SessionTotals> = loose({
  total_cost_usd: z.number(),
  total_api_duration_ms: z.number(),
  total_duration_ms: z.number(),
  total_lines_added: z.number(),
  total_lines_removed: z.number(),
  model_usage: z.record(z.string(), modelUsageSchema),
});

/** Schema of {@link UsageLimit}. */
export const usageLimitSchema: z.ZodType<UsageLimit> = loose({
  kind: z.string(),
  group: z.string(),
  percent: z.number(),
  resets_at: z.string().nullable(),
  scope: z
    .looseObject({
      model: z.looseObject({ display_name: z.string() }).nullable().exactOptional(),
      surface: z.looseObject({ display_name: z.string() }).nullable().exactOptional(),
    })
    .nullable()
    .exactOptional(),
  severity: z.string(),
  is_active: z.boolean(),
});

/** Schema of {@link ExtraUsage}. */
export const extraUsageSchema: z.ZodType<ExtraUsage> = loose({
  is_enabled: z.boolean(),
  monthly_limit: z.number().nullable(),
  used_credits: z.number().nullable(),
  utilization: z.number().nullable(),
  currency: z.string().nullable().exactOptional(),
});

/** Schema of {@link UsageReport}. */
export const usageReportSchema: z.ZodType<UsageReport> = loose({
  session: sessionTotalsSchema,
  rate_limits: z
    .looseObject({
      limits: z.array(usageLimitSchema).nullable(),
      extra_usage: extraUsageSchema.nullable().exactOptional(),
    })
    .nullable(),
});

/** Schema of {@link ToolUseMeta}. */
export const toolUseMetaSchema: z.ZodType<ToolUseMeta> = loose({
  id: z.string(),
  display_name: z.string(),
  server_display_name: z.string().exactOptional(),
  tool_name: z.string().exactOptional(),
  icon_url: z.string().exactOptional(),
});

/** Schema of {@link AssistantMessage}. */
export const assistantMessageSchema: z.ZodType<AssistantMessage> = message("assistant", {
  ...promptStamps,
  ...subagentStamps,
  message: apiMessageSchema,
  parent_tool_use_id: z.string().nullable(),
  request_id: z.string().exactOptional(),
  error: assistantErrorSchema.exactOptional(),
  aborted: z.literal(true).exactOptional(),
  supersedes: z.array(z.string()).exactOptional(),
  timestamp: z.string().exactOptional(),
  resume_reason: z.string().exactOptional(),
  resumed_from_incomplete_thinking: z.literal(true).exactOptional(),
  context_usage: contextUsageSchema.exactOptional(),
  usage_report: usageReportSchema.exactOptional(),
  tool_use_meta: z.array(toolUseMetaSchema).exactOptional(),
  thinking_duration_ms: z.number().exactOptional(),
  thinking_display: z.string().exactOptional(),
  is_api_error_message: z.boolean().exactOptional(),
  api_error_status: z.number().exactOptional(),
  api_error_type: z.string().exactOptional(),
  api_error: z.string().exactOptional(),
  api_error_params: jsonObject.exactOptional(),
  refused_message_id: z.string().exactOptional(),
  local_command_source: z.string().exactOptional(),
  local_command_run: z
    .looseObject({ command: z.string(), args: z.string(), plugin: z.string().exactOptional() })
    .exactOptional(),
  local_command_outcome: z.looseObject({ kind: z.string() }).exactOptional(),
  historical: z.boolean().exactOptional(),
});

import type { RateLimitWindow, UsageBehaviors, UsageResponse, UsageShare } from "@reins/messages";
import * as z from "zod";
import { extraUsageSchema, sessionTotalsSchema } from "../assistant.ts";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";

const rateLimitWindow = {
  utilization: z.number().nullable(),
  resets_at: z.string().nullable(),
};

/** Schema of {@link RateLimitWindow}. */
export const rateLimitWindowSchema: z.ZodType<RateLimitWindow> = loose(rateLimitWindow);

/** Schema of {@link UsageShare}. */
export const usageShareSchema: z.ZodType<UsageShare> = loose({ name: z.string(), pct: z.number() });

/** Schema of {@link UsageBehaviors}. */
export const usageBehaviorsSchema: z.ZodType<UsageBehaviors> = loose({
  request_count: z.number(),
  session_count: z.number(),
  behaviors: z.array(
    z.looseObject({
      key: open(
        "cache_miss",
        "long_context",
        "subagent_heavy",
        "high_parallel",
        "cron",
        "max_effort",
        "workflow",
        "always_on_context",
        "large_tool_results",
      ),
      pct: z.number(),
      count: z.number(),
    }),
  ),
  recommendations: z
    .array(z.looseObject({ key: z.string(), pct: z.number(), title: z.string(), detail: z.string().exactOptional() }))
    .exactOptional(),
  fix: z.looseObject({ keys: z.array(z.string()), messages: z.array(z.string()) }).exactOptional(),
  agents: z.array(usageShareSchema),
  skills: z.array(usageShareSchema),
  plugins: z.array(usageShareSchema),
  mcp_servers: z.array(usageShareSchema),
});

/** Schema of {@link UsageResponse}. */
export const usageResponseSchema: z.ZodType<UsageResponse> = loose({
  session: sessionTotalsSchema,
  subscription_type: z.string().nullable(),
  rate_limits_available: z.boolean(),
  rate_limits: z
    .looseObject({
      five_hour: rateLimitWindowSchema.nullable().exactOptional(),
      seven_day: rateLimitWindowSchema.nullable().exactOptional(),
      seven_day_oauth_apps: rateLimitWindowSchema.nullable().exactOptional(),
      seven_day_opus: rateLimitWindowSchema.nullable().exactOptional(),
      seven_day_sonnet: rateLimitWindowSchema.nullable().exactOptional(),
      model_scoped: z.array(z.looseObject({ ...rateLimitWindow, display_name: z.string() })).exactOptional(),
      extra_usage: extraUsageSchema.nullable().exactOptional(),
    })
    .nullable(),
  behaviors: z.looseObject({ day: usageBehaviorsSchema, week: usageBehaviorsSchema }).nullable(),
});

import type { ApiUsage, CacheCreationUsage, ModelUsage, ServerToolUsage, TurnUsage } from "@reins/messages";
import * as z from "zod";
import type { Shape } from "./agree.ts";
import { open } from "./open.ts";
import { loose, shape } from "./pinned.ts";

/** Schema of {@link CacheCreationUsage}. */
export const cacheCreationUsageSchema: z.ZodType<CacheCreationUsage> = loose({
  ephemeral_1h_input_tokens: z.number(),
  ephemeral_5m_input_tokens: z.number(),
});

/** Schema of {@link ServerToolUsage}. */
export const serverToolUsageSchema: z.ZodType<ServerToolUsage> = loose({
  web_search_requests: z.number(),
  web_fetch_requests: z.number(),
});

/** Fields of {@link ApiUsage}. */
export const apiUsage: Shape<ApiUsage> = shape({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number().nullable().exactOptional(),
  cache_read_input_tokens: z.number().nullable().exactOptional(),
  cache_creation: cacheCreationUsageSchema.nullable().exactOptional(),
  output_tokens_details: z
    .looseObject({ thinking_tokens: z.number().nullable().exactOptional() })
    .nullable()
    .exactOptional(),
  server_tool_use: serverToolUsageSchema.nullable().exactOptional(),
  service_tier: open("standard", "priority", "batch").nullable().exactOptional(),
  inference_geo: z.string().nullable().exactOptional(),
  speed: open("standard", "fast").nullable().exactOptional(),
  iterations: z.unknown().exactOptional(),
  fallback_credit: z.unknown().exactOptional(),
});

/** Schema of {@link ApiUsage}. */
export const apiUsageSchema: z.ZodType<ApiUsage> = loose(apiUsage);

/** Schema of {@link TurnUsage}. */
export const turnUsageSchema: z.ZodType<TurnUsage> = loose({
  ...apiUsage,
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation: cacheCreationUsageSchema,
  server_tool_use: serverToolUsageSchema,
  service_tier: open("standard", "priority", "batch"),
});

/** Schema of {@link ModelUsage}. */
export const modelUsageSchema: z.ZodType<ModelUsage> = loose({
  inputTokens: z.number(),
  outputTokens: z.number(),
  thinkingTokens: z.number().exactOptional(),
  cacheReadInputTokens: z.number(),
  cacheCreationInputTokens: z.number(),
  cacheCreationEphemeral5mInputTokens: z.number().exactOptional(),
  cacheCreationEphemeral1hInputTokens: z.number().exactOptional(),
  webSearchRequests: z.number(),
  costUSD: z.number(),
  contextWindow: z.number(),
  maxOutputTokens: z.number(),
  canonicalModel: z.string().exactOptional(),
  provider: z.string().exactOptional(),
  costBasis: open("list", "managed", "unknown").exactOptional(),
});

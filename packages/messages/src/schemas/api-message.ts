import type { ApiMessage, StopReason, UserContent } from "@reins/messages";
import * as z from "zod";
import { assistantBlockSchema, userBlockSchema } from "./content-blocks.ts";
import { open } from "./open.ts";
import { loose, pinned } from "./pinned.ts";
import { apiUsageSchema } from "./usage.ts";

/** Schema of {@link StopReason}. */
export const stopReasonSchema: z.ZodType<StopReason> = pinned(
  open(
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
    "tool_deferred",
  ),
);

/** Schema of {@link ApiMessage}. */
export const apiMessageSchema: z.ZodType<ApiMessage> = loose({
  id: z.string(),
  type: z.literal("message"),
  role: z.literal("assistant"),
  model: z.string(),
  content: z.array(assistantBlockSchema),
  stop_reason: stopReasonSchema.nullable(),
  stop_sequence: z.string().nullable(),
  usage: apiUsageSchema,
  stop_details: z.unknown().exactOptional(),
  container: z.unknown().exactOptional(),
  context_management: z.unknown().exactOptional(),
  diagnostics: z.unknown().exactOptional(),
});

/** Schema of {@link UserContent}. */
export const userContentSchema: z.ZodType<UserContent> = loose({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(userBlockSchema)]),
});

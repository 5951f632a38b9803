import type {
  ModelFallbackMessage,
  ModelRefusalFallbackMessage,
  ModelRefusalNoFallbackMessage,
  ThinkingTokensMessage,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { system } from "./system-base.ts";

/** Schema of {@link ModelRefusalFallbackMessage}. */
export const modelRefusalFallbackMessageSchema: z.ZodType<ModelRefusalFallbackMessage> = system(
  "model_refusal_fallback",
  {
    trigger: open("refusal"),
    direction: open("retry", "revert", "sticky"),
    scope: open("session", "local").exactOptional(),
    original_model: z.string(),
    fallback_model: z.string(),
    request_id: z.string().nullable(),
    api_refusal_category: z.string().nullable().exactOptional(),
    api_refusal_explanation: z.string().nullable().exactOptional(),
    retracted_message_uuids: z.array(z.string()).exactOptional(),
    refused_user_message_uuid: z.string().nullable().exactOptional(),
    content: z.string(),
  },
);

/** Schema of {@link ModelRefusalNoFallbackMessage}. */
export const modelRefusalNoFallbackMessageSchema: z.ZodType<ModelRefusalNoFallbackMessage> = system(
  "model_refusal_no_fallback",
  {
    original_model: z.string(),
    request_id: z.string().nullable(),
    api_refusal_category: z.string().nullable().exactOptional(),
    api_refusal_explanation: z.string().nullable().exactOptional(),
    refused_user_message_uuid: z.string().nullable().exactOptional(),
    content: z.string(),
  },
);

/** Schema of {@link ModelFallbackMessage}. */
export const modelFallbackMessageSchema: z.ZodType<ModelFallbackMessage> = system("model_fallback", {
  trigger: open("model_not_found", "permission_denied", "overloaded", "server_error", "last_resort", "model_blocked"),
  original_model: z.string(),
  fallback_model: z.string(),
  content: z.string(),
});

/** Schema of {@link ThinkingTokensMessage}. */
export const thinkingTokensMessageSchema: z.ZodType<ThinkingTokensMessage> = system("thinking_tokens", {
  estimated_tokens: z.number(),
  estimated_tokens_delta: z.number(),
  user_message_uuid: z.string().exactOptional(),
});

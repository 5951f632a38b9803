import type {
  ModelSwitchHookInputBase,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "../agree.ts";
import { open } from "../open.ts";
import { loose, shape } from "../pinned.ts";
import { hookInputBase } from "./hook-input-base.ts";

/** Schema of {@link SessionStartHookInput}. */
export const sessionStartHookInputSchema: z.ZodType<SessionStartHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("SessionStart"),
  source: open("startup", "resume", "clear", "compact", "fork"),
  model: z.string().exactOptional(),
  session_title: z.string().exactOptional(),
  seconds_since_last_response: z.number().exactOptional(),
  context_tokens: z.number().exactOptional(),
  prompt_cache_likely_expired: z.boolean().exactOptional(),
  estimated_cache_write_usd: z.number().exactOptional(),
});

/** Schema of {@link SessionEndHookInput}. */
export const sessionEndHookInputSchema: z.ZodType<SessionEndHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("SessionEnd"),
  reason: open("clear", "resume", "logout", "prompt_input_exit", "other"),
});

/** Schema of {@link SetupHookInput}. */
export const setupHookInputSchema: z.ZodType<SetupHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("Setup"),
  trigger: open("init", "maintenance"),
});

/** Schema of {@link PreCompactHookInput}. */
export const preCompactHookInputSchema: z.ZodType<PreCompactHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("PreCompact"),
  trigger: open("manual", "auto"),
  custom_instructions: z.string().nullable(),
});

/** Schema of {@link PostCompactHookInput}. */
export const postCompactHookInputSchema: z.ZodType<PostCompactHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("PostCompact"),
  trigger: open("manual", "auto"),
  compact_summary: z.string(),
});

/** Fields of {@link ModelSwitchHookInputBase}. */
const modelSwitchHookInputBase: Shape<ModelSwitchHookInputBase> = shape({
  ...hookInputBase,
  from_model: z.string(),
  to_model: z.string(),
  requested_model: z.string().nullable(),
  source: open("command", "picker", "sdk", "auto", "resume"),
  context_tokens: z.number(),
  prompt_cache_warm: z.boolean(),
  cache_ttl: open("5m", "1h"),
  estimated_cache_write_usd: z.number(),
  pricing: open("configured", "catalog", "default"),
});

/** Schema of {@link PreModelSwitchHookInput}. */
export const preModelSwitchHookInputSchema: z.ZodType<PreModelSwitchHookInput> = loose({
  ...modelSwitchHookInputBase,
  hook_event_name: z.literal("PreModelSwitch"),
});

/** Schema of {@link PostModelSwitchHookInput}. */
export const postModelSwitchHookInputSchema: z.ZodType<PostModelSwitchHookInput> = loose({
  ...modelSwitchHookInputBase,
  hook_event_name: z.literal("PostModelSwitch"),
});

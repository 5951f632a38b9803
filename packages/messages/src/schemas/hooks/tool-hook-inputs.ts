import type {
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
} from "@reins/messages";
import * as z from "zod";
import { permissionUpdateSchema } from "../permissions.ts";
import { loose } from "../pinned.ts";
import { hookInputBase, toolHookInputBase } from "./hook-input-base.ts";

/** Schema of {@link PreToolUseHookInput}. */
export const preToolUseHookInputSchema: z.ZodType<PreToolUseHookInput> = loose({
  ...toolHookInputBase,
  hook_event_name: z.literal("PreToolUse"),
  tool_use_id: z.string(),
});

/** Schema of {@link PostToolUseHookInput}. */
export const postToolUseHookInputSchema: z.ZodType<PostToolUseHookInput> = loose({
  ...toolHookInputBase,
  hook_event_name: z.literal("PostToolUse"),
  tool_use_id: z.string(),
  tool_response: z.unknown(),
  duration_ms: z.number().exactOptional(),
});

/** Schema of {@link PostToolUseFailureHookInput}. */
export const postToolUseFailureHookInputSchema: z.ZodType<PostToolUseFailureHookInput> = loose({
  ...toolHookInputBase,
  hook_event_name: z.literal("PostToolUseFailure"),
  tool_use_id: z.string(),
  error: z.string(),
  is_interrupt: z.boolean().exactOptional(),
  duration_ms: z.number().exactOptional(),
});

/** Schema of {@link PostToolBatchToolCall}. */
export const postToolBatchToolCallSchema: z.ZodType<PostToolBatchToolCall> = loose({
  tool_name: z.string(),
  tool_input: z.unknown(),
  tool_use_id: z.string(),
  tool_response: z.unknown().exactOptional(),
});

/** Schema of {@link PostToolBatchHookInput}. */
export const postToolBatchHookInputSchema: z.ZodType<PostToolBatchHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("PostToolBatch"),
  tool_calls: z.array(postToolBatchToolCallSchema),
});

/** Schema of {@link PermissionRequestHookInput}. */
export const permissionRequestHookInputSchema: z.ZodType<PermissionRequestHookInput> = loose({
  ...toolHookInputBase,
  hook_event_name: z.literal("PermissionRequest"),
  permission_suggestions: z.array(permissionUpdateSchema).exactOptional(),
});

/** Schema of {@link PermissionDeniedHookInput}. */
export const permissionDeniedHookInputSchema: z.ZodType<PermissionDeniedHookInput> = loose({
  ...toolHookInputBase,
  hook_event_name: z.literal("PermissionDenied"),
  tool_use_id: z.string(),
  reason: z.string(),
});

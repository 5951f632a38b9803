import type { ToolResultMeta, UserMessage, UserMessageInternals, UserReplayMessage } from "@reins/messages";
import * as z from "zod";
import type { Shape } from "./agree.ts";
import { userContentSchema } from "./api-message.ts";
import { message, subagentStamps } from "./envelope.ts";
import { open } from "./open.ts";
import { messageOriginSchema } from "./origin.ts";
import { loose, shape } from "./pinned.ts";

/** Schema of {@link ToolResultMeta}. */
export const toolResultMetaSchema: z.ZodType<ToolResultMeta> = loose({
  id: z.string(),
  permission_decision: z
    .looseObject({
      decision: open("accept", "reject"),
      source: open("config", "user_temporary", "user_permanent", "user_reject"),
      reason_type: z.string().exactOptional(),
    })
    .exactOptional(),
  non_execution_kind: open("permission-rule", "user-rejected", "automode-unavailable").exactOptional(),
});

/** Fields of {@link UserMessageInternals}. */
const userMessageInternals: Shape<UserMessageInternals> = shape({
  tool_result_meta: z.array(toolResultMetaSchema).exactOptional(),
  refused_message_id: z.string().exactOptional(),
  retracted_message_uuids: z.array(z.string()).exactOptional(),
  is_virtual: z.boolean().exactOptional(),
  historical: z.boolean().exactOptional(),
  is_meta: z.literal(true).exactOptional(),
  is_compact_summary: z.literal(true).exactOptional(),
  summarize_metadata: z.unknown().exactOptional(),
  mcp_meta: z.unknown().exactOptional(),
  source_tool_use_id: z.string().exactOptional(),
  source_tool_assistant_uuid: z.string().exactOptional(),
  interrupted_message_id: z.string().exactOptional(),
  plan_content: z.string().exactOptional(),
  permission_mode: z.string().exactOptional(),
});

/** Schema of {@link UserMessage}. */
export const userMessageSchema: z.ZodType<UserMessage> = message("user", {
  ...subagentStamps,
  ...userMessageInternals,
  message: userContentSchema,
  parent_tool_use_id: z.string().nullable(),
  isSynthetic: z.boolean().exactOptional(),
  isReplay: z.literal(false).exactOptional(),
  tool_use_result: z.unknown().exactOptional(),
  origin: messageOriginSchema.exactOptional(),
  timestamp: z.string().exactOptional(),
});

/** Schema of {@link UserReplayMessage}. */
export const userReplayMessageSchema: z.ZodType<UserReplayMessage> = message("user", {
  message: userContentSchema,
  parent_tool_use_id: z.string().nullable(),
  isReplay: z.literal(true),
  isSynthetic: z.boolean().exactOptional(),
  tool_use_result: z.unknown().exactOptional(),
  origin: messageOriginSchema.exactOptional(),
  timestamp: z.string().exactOptional(),
  file_attachments: z.array(z.unknown()).exactOptional(),
});

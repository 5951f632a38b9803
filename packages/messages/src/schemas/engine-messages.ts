import type {
  ApiMetricsMessage,
  ApplyFlagSettingsMessage,
  AttachmentMessage,
  CompactProgressMessage,
  EngineMessage,
  HintClearsMessage,
  OpenMessageSelectorMessage,
  OsNotificationMessage,
  RefusalContinuationMessage,
  ResponseLengthMessage,
  SetExpandedViewMessage,
  SetInProgressToolUseIdsMessage,
  StreamModeMessage,
  TombstoneMessage,
} from "@reins/messages";
import * as z from "zod";
import { message } from "./envelope.ts";
import { kindsOf } from "./kinds.ts";
import { jsonObject, open } from "./open.ts";
import type { SchemasByKind } from "./tables.ts";

/** Schema of {@link ApiMetricsMessage}. */
export const apiMetricsMessageSchema: z.ZodType<ApiMetricsMessage> = message("api_metrics", { event: z.unknown() });

/** Schema of {@link ApplyFlagSettingsMessage}. */
export const applyFlagSettingsMessageSchema: z.ZodType<ApplyFlagSettingsMessage> = message("apply_flag_settings", {
  settings: jsonObject,
});

/** Schema of {@link AttachmentMessage}. */
export const attachmentMessageSchema: z.ZodType<AttachmentMessage> = message("attachment", {
  attachment: z.unknown(),
  timestamp: z.string(),
});

/** Schema of {@link CompactProgressMessage}. */
export const compactProgressMessageSchema: z.ZodType<CompactProgressMessage> = message("compact_progress", {
  event: z.unknown(),
});

/** Schema of {@link HintClearsMessage}. */
export const hintClearsMessageSchema: z.ZodType<HintClearsMessage> = message("hint_clears", {
  ids: z.array(z.unknown()),
  content_by_id: jsonObject,
});

/** Schema of {@link OpenMessageSelectorMessage}. */
export const openMessageSelectorMessageSchema: z.ZodType<OpenMessageSelectorMessage> = message(
  "open_message_selector",
  {},
);

/** Schema of {@link OsNotificationMessage}. */
export const osNotificationMessageSchema: z.ZodType<OsNotificationMessage> = message("os_notification", {
  message: z.string(),
  notification_type: z.string(),
});

/** Schema of {@link RefusalContinuationMessage}. */
export const refusalContinuationMessageSchema: z.ZodType<RefusalContinuationMessage> = message("refusal_continuation", {
  phase: open("begin"),
  salvage_text: z.string(),
});

/** Schema of {@link ResponseLengthMessage}. */
export const responseLengthMessageSchema: z.ZodType<ResponseLengthMessage> = message("response_length", {
  op: open("add"),
  delta: z.number(),
});

/** Schema of {@link SetExpandedViewMessage}. */
export const setExpandedViewMessageSchema: z.ZodType<SetExpandedViewMessage> = message("set_expanded_view", {
  expanded_view: open("none", "tasks", "teammates"),
});

/** Schema of {@link SetInProgressToolUseIdsMessage}. */
export const setInProgressToolUseIdsMessageSchema: z.ZodType<SetInProgressToolUseIdsMessage> = message(
  "set_in_progress_tool_use_ids",
  { op: jsonObject },
);

/** Schema of {@link StreamModeMessage}. */
export const streamModeMessageSchema: z.ZodType<StreamModeMessage> = message("stream_mode", {
  mode: open("tool-input", "tool-use", "requesting", "responding", "thinking"),
});

/** Schema of {@link TombstoneMessage}. */
export const tombstoneMessageSchema: z.ZodType<TombstoneMessage> = message("tombstone", { message: z.unknown() });

/** Schemas of {@link EngineMessage}, by type. */
export const engineMessageSchemas: SchemasByKind<EngineMessage, "type"> = {
  api_metrics: apiMetricsMessageSchema,
  apply_flag_settings: applyFlagSettingsMessageSchema,
  attachment: attachmentMessageSchema,
  compact_progress: compactProgressMessageSchema,
  hint_clears: hintClearsMessageSchema,
  open_message_selector: openMessageSelectorMessageSchema,
  os_notification: osNotificationMessageSchema,
  refusal_continuation: refusalContinuationMessageSchema,
  response_length: responseLengthMessageSchema,
  set_expanded_view: setExpandedViewMessageSchema,
  set_in_progress_tool_use_ids: setInProgressToolUseIdsMessageSchema,
  stream_mode: streamModeMessageSchema,
  tombstone: tombstoneMessageSchema,
};

/** Schema of {@link EngineMessage}. */
export const engineMessageSchema: z.ZodType<EngineMessage> = kindsOf("type", engineMessageSchemas);

import type {
  ApiUsage,
  CitationsDelta,
  ContentBlockDeltaEvent,
  ContentBlockStartEvent,
  ContentBlockStopEvent,
  ContentDelta,
  InputJsonDelta,
  MessageDeltaEvent,
  MessageDeltaUsage,
  MessageStartEvent,
  MessageStopEvent,
  SignatureDelta,
  StreamEvent,
  StreamEventMessage,
  TextDelta,
  ThinkingDelta,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "./agree.ts";
import { apiMessageSchema, stopReasonSchema } from "./api-message.ts";
import { assistantBlockSchema } from "./content-blocks.ts";
import { message, promptStamps } from "./envelope.ts";
import { openKinds } from "./kinds.ts";
import { loose, pinned } from "./pinned.ts";
import { apiUsage } from "./usage.ts";

/** Schema of {@link MessageStartEvent}. */
export const messageStartEventSchema: z.ZodType<MessageStartEvent> = loose({
  type: z.literal("message_start"),
  message: apiMessageSchema,
});

/** Schema of {@link ContentBlockStartEvent}. */
export const contentBlockStartEventSchema: z.ZodType<ContentBlockStartEvent> = loose({
  type: z.literal("content_block_start"),
  index: z.number(),
  content_block: assistantBlockSchema,
});

/** Schema of {@link TextDelta}. */
export const textDeltaSchema: z.ZodType<TextDelta> = loose({ type: z.literal("text_delta"), text: z.string() });

/** Schema of {@link InputJsonDelta}. */
export const inputJsonDeltaSchema: z.ZodType<InputJsonDelta> = loose({
  type: z.literal("input_json_delta"),
  partial_json: z.string(),
});

/** Schema of {@link ThinkingDelta}. */
export const thinkingDeltaSchema: z.ZodType<ThinkingDelta> = loose({
  type: z.literal("thinking_delta"),
  thinking: z.string(),
  estimated_tokens: z.number().exactOptional(),
});

/** Schema of {@link SignatureDelta}. */
export const signatureDeltaSchema: z.ZodType<SignatureDelta> = loose({
  type: z.literal("signature_delta"),
  signature: z.string(),
});

/** Schema of {@link CitationsDelta}. */
export const citationsDeltaSchema: z.ZodType<CitationsDelta> = loose({
  type: z.literal("citations_delta"),
  citation: z.unknown(),
});

/** Schema of {@link ContentDelta}. */
export const contentDeltaSchema: z.ZodType<ContentDelta> = pinned(
  openKinds("type", [
    textDeltaSchema,
    inputJsonDeltaSchema,
    thinkingDeltaSchema,
    signatureDeltaSchema,
    citationsDeltaSchema,
  ]),
);

/** Schema of {@link ContentBlockDeltaEvent}. */
export const contentBlockDeltaEventSchema: z.ZodType<ContentBlockDeltaEvent> = loose({
  type: z.literal("content_block_delta"),
  index: z.number(),
  delta: contentDeltaSchema,
});

/** Schema of {@link ContentBlockStopEvent}. */
export const contentBlockStopEventSchema: z.ZodType<ContentBlockStopEvent> = loose({
  type: z.literal("content_block_stop"),
  index: z.number(),
});

// At the end of a response the API repeats only what it has news of.
const partialUsage: Shape<Partial<ApiUsage>> = {
  ...apiUsage,
  input_tokens: apiUsage.input_tokens.exactOptional(),
  output_tokens: apiUsage.output_tokens.exactOptional(),
};

/** Schema of {@link MessageDeltaUsage}. */
export const messageDeltaUsageSchema: z.ZodType<MessageDeltaUsage> = loose({
  ...partialUsage,
  output_tokens: z.number(),
});

/** Schema of {@link MessageDeltaEvent}. */
export const messageDeltaEventSchema: z.ZodType<MessageDeltaEvent> = loose({
  type: z.literal("message_delta"),
  delta: z.looseObject({
    stop_reason: stopReasonSchema.nullable(),
    stop_sequence: z.string().nullable(),
    stop_details: z.unknown().exactOptional(),
    container: z.unknown().exactOptional(),
  }),
  usage: messageDeltaUsageSchema,
  context_management: z.unknown().exactOptional(),
});

/** Schema of {@link MessageStopEvent}. */
export const messageStopEventSchema: z.ZodType<MessageStopEvent> = loose({ type: z.literal("message_stop") });

/** Schema of {@link StreamEvent}. */
export const streamEventSchema: z.ZodType<StreamEvent> = pinned(
  openKinds("type", [
    messageStartEventSchema,
    contentBlockStartEventSchema,
    contentBlockDeltaEventSchema,
    contentBlockStopEventSchema,
    messageDeltaEventSchema,
    messageStopEventSchema,
  ]),
);

/** Schema of {@link StreamEventMessage}. */
export const streamEventMessageSchema: z.ZodType<StreamEventMessage> = message("stream_event", {
  ...promptStamps,
  event: streamEventSchema,
  parent_tool_use_id: z.string().nullable(),
  ttft_ms: z.number().exactOptional(),
  resume_reason: z.string().exactOptional(),
  abandoned_blocks: z.looseObject({ api_message_id: z.string(), from_block_index: z.number() }).exactOptional(),
  api_message_id: z.string().exactOptional(),
  thinking_display: z.string().exactOptional(),
  owed_rows: z.array(z.unknown()).exactOptional(),
  text_runs_joined: z.literal(true).exactOptional(),
});

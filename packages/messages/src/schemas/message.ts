import type { KnownMessage, Message, UnknownMessage, UnknownSystemMessage, UnknownTypeMessage } from "@reins/messages";
import * as z from "zod";
import { authStatusMessageSchema, rateLimitMessageSchema } from "./account-messages.ts";
import { assistantMessageSchema } from "./assistant.ts";
import { engineMessageSchemas } from "./engine-messages.ts";
import { firstOf, kinds, kindsOf, ofKind, otherThan, valuesOf } from "./kinds.ts";
import { loose, pinned } from "./pinned.ts";
import { resultMessageSchema } from "./result.ts";
import {
  activeGoalMessageSchema,
  autocompactStateMessageSchema,
  commandLifecycleMessageSchema,
  conversationResetMessageSchema,
  promptSuggestionMessageSchema,
  toolProgressMessageSchema,
  toolUseSummaryMessageSchema,
} from "./run-messages.ts";
import { streamEventMessageSchema } from "./stream-event.ts";
import { engineSystemMessageSchema } from "./system/engine-messages.ts";
import { hostedSystemMessageSchema } from "./system/hosted-messages.ts";
import { systemMessageSchema } from "./system/system-message.ts";
import type { SchemasByKind } from "./tables.ts";
import { userMessageSchema, userReplayMessageSchema } from "./user.ts";

/** Schemas of {@link KnownMessage}, by type. */
export const messageSchemas: SchemasByKind<KnownMessage, "type"> = {
  assistant: assistantMessageSchema,
  user: ofKind("type", "user", firstOf(["isReplay"], [userReplayMessageSchema, userMessageSchema])),
  result: resultMessageSchema,
  system: kinds("subtype", [systemMessageSchema, hostedSystemMessageSchema, engineSystemMessageSchema]),
  stream_event: streamEventMessageSchema,
  tool_progress: toolProgressMessageSchema,
  tool_use_summary: toolUseSummaryMessageSchema,
  rate_limit_event: rateLimitMessageSchema,
  auth_status: authStatusMessageSchema,
  command_lifecycle: commandLifecycleMessageSchema,
  conversation_reset: conversationResetMessageSchema,
  prompt_suggestion: promptSuggestionMessageSchema,
  active_goal: activeGoalMessageSchema,
  autocompact_state: autocompactStateMessageSchema,
  ...engineMessageSchemas,
};

/** Schema of {@link KnownMessage}. */
export const knownMessageSchema: z.ZodType<KnownMessage> = kindsOf("type", messageSchemas);

const unknownMessage = { uuid: z.string().exactOptional(), session_id: z.string().exactOptional() };

/** Schema of {@link UnknownTypeMessage}. */
export const unknownTypeMessageSchema: z.ZodType<UnknownTypeMessage> = loose({
  ...unknownMessage,
  type: otherThan(Object.keys(messageSchemas)),
  subtype: otherThan([]).exactOptional(),
});

/** Schema of {@link UnknownSystemMessage}. */
export const unknownSystemMessageSchema: z.ZodType<UnknownSystemMessage> = loose({
  ...unknownMessage,
  type: z.literal("system"),
  subtype: otherThan(valuesOf("subtype", [messageSchemas.system])),
});

/** Schema of {@link UnknownMessage}. */
export const unknownMessageSchema: z.ZodType<UnknownMessage> = pinned(
  firstOf(["type"], [unknownSystemMessageSchema, unknownTypeMessageSchema]),
);

/** Schema of {@link Message}: known messages as they have to be, and unknown ones. */
export const messageSchema: z.ZodType<Message> = pinned(
  firstOf(["type", "subtype"], [knownMessageSchema, unknownSystemMessageSchema, unknownTypeMessageSchema]),
);

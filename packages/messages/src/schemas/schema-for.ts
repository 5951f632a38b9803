import { type ControlFrame, fieldsOf, type KnownMessage } from "@reins/messages";
import type * as z from "zod";
import { controlCancelRequestSchema, controlRequestSchema, controlResponseSchema } from "./control/envelope.ts";
import { keepAliveFrameSchema, transcriptMirrorFrameSchema } from "./host-frames.ts";
import { kindsOf } from "./kinds.ts";
import { messageSchemas } from "./message.ts";
import { resultErrorMessageSchema, resultSuccessMessageSchema } from "./result.ts";
import { engineSystemMessageSchemas } from "./system/engine-messages.ts";
import { hostedSystemMessageSchemas } from "./system/hosted-messages.ts";
import { systemMessageSchemas } from "./system/system-message.ts";
import type { SchemasByKind } from "./tables.ts";
import { userMessageSchema, userReplayMessageSchema } from "./user.ts";

/** Schemas of {@link ControlFrame}, by type. */
export const controlFrameSchemas: SchemasByKind<ControlFrame, "type"> = {
  control_request: controlRequestSchema,
  control_response: controlResponseSchema,
  control_cancel_request: controlCancelRequestSchema,
  keep_alive: keepAliveFrameSchema,
  transcript_mirror: transcriptMirrorFrameSchema,
};

/** Schema of {@link ControlFrame}. */
export const controlFrameSchema: z.ZodType<ControlFrame> = kindsOf("type", controlFrameSchemas);

/**
 * Finds the schema for one frame of the CLI, by its `type` and `subtype`: the fastest check, and the one with the plainest errors.
 *
 * Undefined for a kind that is not known; {@link messageSchema} accepts those. What a control request or response carries has a schema by
 * subtype: {@link inboundRequestSchemas}, {@link outboundRequestSchemas}.
 *
 * @param frame The parsed value of a frame.
 * @example
 * const problems = schemaFor(frame.value)?.safeParse(frame.value).error?.issues ?? [];
 */
export function schemaFor(frame: object): z.ZodType<KnownMessage | ControlFrame> | undefined {
  const { type, subtype, isReplay } = fieldsOf(frame);
  switch (type) {
    case "system":
      return (
        own(systemMessageSchemas, subtype) ??
        own(hostedSystemMessageSchemas, subtype) ??
        own(engineSystemMessageSchemas, subtype)
      );
    case "result":
      return subtype === "success" ? resultSuccessMessageSchema : resultErrorMessageSchema;
    case "user":
      return isReplay === true ? userReplayMessageSchema : userMessageSchema;
    default:
      return own(messageSchemas, type) ?? own(controlFrameSchemas, type);
  }
}

// A frame may call itself `constructor`.
function own<Schema>(table: { readonly [kind: string]: Schema }, kind: unknown): Schema | undefined {
  return typeof kind === "string" && Object.hasOwn(table, kind) ? table[kind] : undefined;
}

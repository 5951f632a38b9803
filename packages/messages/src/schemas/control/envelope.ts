import type {
  AnyRequest,
  ControlCancelRequest,
  ControlEnvelope,
  ControlFailure,
  ControlRequest,
  ControlResponse,
  ControlSuccess,
  InboundControlRequest,
  OutboundControlRequest,
  PendingRequests,
} from "@reins/messages";
import * as z from "zod";
import type { Shape } from "../agree.ts";
import { kinds } from "../kinds.ts";
import { jsonObject } from "../open.ts";
import { loose, pinned, shape } from "../pinned.ts";
import { inboundRequestSchema } from "./inbound.ts";
import { outboundRequestSchema } from "./requests.ts";

const controlRequest = { type: z.literal("control_request"), request_id: z.string() };

/** Schema of {@link AnyRequest}. */
export const anyRequestSchema: z.ZodType<AnyRequest> = loose({ subtype: z.string() });

/** Schema of {@link ControlRequest}. */
export const controlRequestSchema: z.ZodType<ControlRequest> = loose({ ...controlRequest, request: anyRequestSchema });

/** Fields of {@link PendingRequests}. */
const pendingRequests: Shape<PendingRequests> = shape({
  pending_permission_requests: z.array(controlRequestSchema).exactOptional(),
  pending_user_dialog_requests: z.array(controlRequestSchema).exactOptional(),
  pending_elicitation_requests: z.array(controlRequestSchema).exactOptional(),
});

/** Schema of {@link ControlSuccess}. */
export const controlSuccessSchema: z.ZodType<ControlSuccess> = loose({
  ...pendingRequests,
  subtype: z.literal("success"),
  request_id: z.string(),
  response: jsonObject.exactOptional(),
});

/** Schema of {@link ControlFailure}. */
export const controlFailureSchema: z.ZodType<ControlFailure> = loose({
  ...pendingRequests,
  subtype: z.literal("error"),
  request_id: z.string(),
  error: z.string(),
  error_code: z.string().exactOptional(),
});

/** Schema of {@link ControlResponse}. */
export const controlResponseSchema: z.ZodType<ControlResponse> = loose({
  type: z.literal("control_response"),
  response: kinds("subtype", [controlSuccessSchema, controlFailureSchema]),
});

/** Schema of {@link ControlCancelRequest}. */
export const controlCancelRequestSchema: z.ZodType<ControlCancelRequest> = loose({
  type: z.literal("control_cancel_request"),
  request_id: z.string(),
});

/** Schema of {@link ControlEnvelope}. */
export const controlEnvelopeSchema: z.ZodType<ControlEnvelope> = pinned(
  kinds("type", [controlRequestSchema, controlResponseSchema, controlCancelRequestSchema]),
);

/** Schema of {@link InboundControlRequest}. */
export const inboundControlRequestSchema: z.ZodType<InboundControlRequest> = loose({
  ...controlRequest,
  request: inboundRequestSchema,
});

/** Schema of {@link OutboundControlRequest}. */
export const outboundControlRequestSchema: z.ZodType<OutboundControlRequest> = loose({
  ...controlRequest,
  request: outboundRequestSchema,
});

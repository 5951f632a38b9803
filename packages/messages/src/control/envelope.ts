import type { InboundRequest } from "./inbound.ts";
import type { OutboundRequest } from "./requests.ts";

/**
 * A frame of the control protocol. The same three go both ways; the id spaces of the two directions are separate.
 */
export type ControlEnvelope = ControlRequest | ControlResponse | ControlCancelRequest;

/** Asks the other side something; expects one response. */
export interface ControlRequest<Request extends { readonly subtype: string } = AnyRequest> {
  readonly type: "control_request";
  /** Chosen by the sender, unique among its requests. */
  readonly request_id: string;
  readonly request: Request;
}

/** The payload of any request: an object with a subtype. */
export interface AnyRequest {
  readonly subtype: string;
  readonly [field: string]: unknown;
}

/** A request that the CLI sends. */
export type InboundControlRequest = ControlRequest<InboundRequest>;

/** A request that a host sends. */
export type OutboundControlRequest = ControlRequest<OutboundRequest>;

/** The response to a request. Its id is inside. */
export interface ControlResponse<Payload = Readonly<Record<string, unknown>>> {
  readonly type: "control_response";
  readonly response: ControlSuccess<Payload> | ControlFailure;
}

/** The request was served. */
export interface ControlSuccess<Payload = Readonly<Record<string, unknown>>> extends PendingRequests {
  readonly subtype: "success";
  readonly request_id: string;
  /** Absent where there is nothing to say: the same as `{}`. */
  readonly response?: Payload;
}

/** The request was refused. */
export interface ControlFailure extends PendingRequests {
  readonly subtype: "error";
  readonly request_id: string;
  /** For people. */
  readonly error: string;
  /** Stable name of the reason, such as `unsupported_request`; matches `^[a-z][a-z0-9_]{0,63}$`. */
  readonly error_code?: string;
}

/** Requests of the CLI that wait for an answer. With the reply to `initialize`; pass over them elsewhere. [verified on CLI 2.1.328] */
export interface PendingRequests {
  readonly pending_permission_requests?: ControlRequest[];
  readonly pending_user_dialog_requests?: ControlRequest[];
  readonly pending_elicitation_requests?: ControlRequest[];
}

/** The sender no longer wants the answer to its request. Has no response. */
export interface ControlCancelRequest {
  readonly type: "control_cancel_request";
  readonly request_id: string;
}

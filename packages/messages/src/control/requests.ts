import type { InitializeRequest, InitializeResponse } from "./initialize.ts";
import type { McpRequests } from "./mcp-requests.ts";
import type { OpaqueRequests } from "./opaque-requests.ts";
import type { QueryRequests } from "./query-requests.ts";
import type { SettingsRequests } from "./settings-requests.ts";
import type { TurnRequests } from "./turn-requests.ts";

/** Requests that a host sends, by subtype: what it asks, and what the CLI answers. What a later CLI knows goes as {@link AnyRequest}. */
export interface OutboundRequests extends TurnRequests, SettingsRequests, QueryRequests, McpRequests, OpaqueRequests {
  readonly initialize: { readonly request: InitializeRequest; readonly response: InitializeResponse };
}

/** Subtype of a request that a host sends. */
export type OutboundSubtype = keyof OutboundRequests;

/** A request that a host sends. */
export type OutboundRequest<Subtype extends OutboundSubtype = OutboundSubtype> = OutboundRequests[Subtype]["request"];

/** What the CLI answers to it. */
export type OutboundResponse<Subtype extends OutboundSubtype> = OutboundRequests[Subtype]["response"];

/** Fields of a request, without the subtype: what a typed `request(subtype, fields)` takes. */
export type OutboundFields<Subtype extends OutboundSubtype> = Omit<OutboundRequest<Subtype>, "subtype">;

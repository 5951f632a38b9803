import type { OutboundRequest, OutboundRequests } from "@reins/messages";
import type * as z from "zod";
import type { RequestSchemas } from "../tables.ts";
import { initializeRequestSchema, initializeResponseSchema } from "./initialize.ts";
import { mcpRequestSchemas } from "./mcp-requests.ts";
import { opaqueRequestSchemas } from "./opaque-requests.ts";
import { queryRequestSchemas } from "./query-requests.ts";
import { requestOf } from "./request-of.ts";
import { settingsRequestSchemas } from "./settings-requests.ts";
import { turnRequestSchemas } from "./turn-requests.ts";

/** Schemas of {@link OutboundRequests}: request and response, by subtype. */
export const outboundRequestSchemas: RequestSchemas<OutboundRequests> = {
  ...turnRequestSchemas,
  ...settingsRequestSchemas,
  ...queryRequestSchemas,
  ...mcpRequestSchemas,
  ...opaqueRequestSchemas,
  initialize: { request: initializeRequestSchema, response: initializeResponseSchema },
};

/** Schema of {@link OutboundRequest}. */
export const outboundRequestSchema: z.ZodType<OutboundRequest> = requestOf(outboundRequestSchemas);

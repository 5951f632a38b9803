import { expectTypeOf, test } from "vitest";
import type { PermissionResult } from "../permissions.ts";
import type { ControlRequest, InboundControlRequest } from "./envelope.ts";
import type { CanUseToolRequest, InboundRequest, InboundRequests } from "./inbound.ts";
import type { InitializeResponse } from "./initialize.ts";
import type {
  OutboundFields,
  OutboundRequest,
  OutboundRequests,
  OutboundResponse,
  OutboundSubtype,
} from "./requests.ts";
import type { InterruptResponse } from "./turn-requests.ts";

/** The subtypes whose payload bears another subtype than its key in the map. */
type Misnamed<Map> = {
  [Subtype in keyof Map]: Map[Subtype] extends { readonly request: { readonly subtype: Subtype } } ? never : Subtype;
}[keyof Map];

test("each request bears the subtype under which it is found", () => {
  expectTypeOf<Misnamed<OutboundRequests>>().toBeNever();
  expectTypeOf<Misnamed<InboundRequests>>().toBeNever();
});

test("a subtype gives the request, its fields and the response", () => {
  expectTypeOf<OutboundResponse<"interrupt">>().toEqualTypeOf<InterruptResponse>();
  expectTypeOf<OutboundResponse<"initialize">>().toEqualTypeOf<InitializeResponse>();
  expectTypeOf<OutboundFields<"set_model">>().toEqualTypeOf<{ readonly model?: string | null | undefined }>();
  expectTypeOf<OutboundRequest["subtype"]>().toEqualTypeOf<OutboundSubtype>();
  expectTypeOf<InboundRequests["can_use_tool"]["response"]>().toEqualTypeOf<PermissionResult>();
});

test("a request of the CLI narrows by its subtype", () => {
  (request: InboundRequest, frame: InboundControlRequest): void => {
    if (request.subtype === "can_use_tool") expectTypeOf(request).toEqualTypeOf<CanUseToolRequest>();
    expectTypeOf(frame.request).toEqualTypeOf<InboundRequest>();
  };
  expectTypeOf<ControlRequest["request"]["subtype"]>().toEqualTypeOf<string>();
});

import type { OutboundSubtype } from "@reins/messages";
import { outboundRequestSchemas } from "@reins/messages/schemas";
import { expect, test } from "vitest";
import { ownTests } from "./provoked/coverage-table.ts";
import { askEverything, type Outcome } from "./provoked/request-session.ts";
import { unreachable } from "./provoked/unreachable.ts";

let asking: Promise<ReadonlyMap<OutboundSubtype, Outcome>> | undefined;

/** One session of the real CLI for all tests. */
function outcomes(): Promise<ReadonlyMap<OutboundSubtype, Outcome>> {
  asking ??= askEverything();
  return asking;
}

// The types say which.
const subtypes = Object.keys(outboundRequestSchemas) as OutboundSubtype[];

/** What a session without a window refuses. */
const refusals: { readonly [Subtype in OutboundSubtype]?: string } = {
  set_color: "Unsupported control request subtype: set_color",
};

test.each(subtypes.filter((subtype) => !(subtype in unreachable || subtype in ownTests)))(
  "the real CLI answers %s as its type says",
  async (subtype) => {
    const outcome = (await outcomes()).get(subtype);
    const refusal = refusals[subtype];
    if (refusal !== undefined) expect(outcome).toEqual({ refusal });
    else {
      const { response } = outboundRequestSchemas[subtype];
      expect(outcome).toMatchObject({ response: expect.anything() });
      expect(response.safeParse(outcome && "response" in outcome ? outcome.response : undefined)).toMatchObject({
        success: true,
      });
    }
  },
);

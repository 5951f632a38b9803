import type { ApiRetryMessage } from "@reins/messages";
import * as z from "zod";
import { assistantErrorSchema } from "../assistant.ts";
import { system } from "./system-base.ts";

/** Schema of {@link ApiRetryMessage}. */
export const apiRetryMessageSchema: z.ZodType<ApiRetryMessage> = system("api_retry", {
  attempt: z.number(),
  max_retries: z.number(),
  retry_delay_ms: z.number(),
  error_status: z.number().nullable(),
  error: assistantErrorSchema,
  no_response: z.looseObject({ waited_ms: z.number(), retry_wait_ms: z.number() }).exactOptional(),
});

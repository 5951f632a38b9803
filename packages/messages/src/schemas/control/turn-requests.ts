import type {
  InterruptRequest,
  InterruptResponse,
  RewindFilesRequest,
  RewindFilesResponse,
  TurnRequests,
} from "@reins/messages";
import * as z from "zod";
import { loose } from "../pinned.ts";
import type { RequestSchemas } from "../tables.ts";
import { acknowledgedSchema } from "./acknowledged.ts";

/** Schema of {@link InterruptRequest}. */
export const interruptRequestSchema: z.ZodType<InterruptRequest> = loose({
  subtype: z.literal("interrupt"),
  cancel_queued: z.boolean().optional(),
});

/** Schema of {@link InterruptResponse}. */
export const interruptResponseSchema: z.ZodType<InterruptResponse> = loose({
  still_queued: z.array(z.string()),
  cancelled: z.array(z.string()).exactOptional(),
});

/** Schema of {@link RewindFilesRequest}. */
export const rewindFilesRequestSchema: z.ZodType<RewindFilesRequest> = loose({
  subtype: z.literal("rewind_files"),
  user_message_id: z.string(),
  dry_run: z.boolean().optional(),
});

/** Schema of {@link RewindFilesResponse}. */
export const rewindFilesResponseSchema: z.ZodType<RewindFilesResponse> = loose({
  canRewind: z.boolean(),
  error: z.string().exactOptional(),
  filesChanged: z.array(z.string()).exactOptional(),
  insertions: z.number().exactOptional(),
  deletions: z.number().exactOptional(),
  skippedLinks: z.number().exactOptional(),
});

/** Schemas of {@link TurnRequests}: request and response, by subtype. */
export const turnRequestSchemas: RequestSchemas<TurnRequests> = {
  interrupt: { request: interruptRequestSchema, response: interruptResponseSchema },
  cancel_async_message: {
    request: loose({ subtype: z.literal("cancel_async_message"), message_uuid: z.string() }),
    response: loose({ cancelled: z.boolean(), message_uuid: z.string().exactOptional() }),
  },
  end_session: {
    request: loose({ subtype: z.literal("end_session"), reason: z.string().optional() }),
    response: acknowledgedSchema,
  },
  stop_task: { request: loose({ subtype: z.literal("stop_task"), task_id: z.string() }), response: acknowledgedSchema },
  background_tasks: {
    request: loose({ subtype: z.literal("background_tasks"), tool_use_id: z.string().optional() }),
    response: loose({ backgrounded: z.boolean().exactOptional() }),
  },
  get_task_output: {
    request: loose({ subtype: z.literal("get_task_output"), task_id: z.string() }),
    response: loose({ output: z.string(), total_bytes: z.number(), truncated: z.boolean() }),
  },
  side_question: {
    request: loose({ subtype: z.literal("side_question"), question: z.string(), history: z.unknown().exactOptional() }),
    response: loose({ response: z.string().nullable(), synthetic: z.boolean() }),
  },
  seed_read_state: {
    request: loose({ subtype: z.literal("seed_read_state"), path: z.string(), mtime: z.number() }),
    response: acknowledgedSchema,
  },
  rewind_files: { request: rewindFilesRequestSchema, response: rewindFilesResponseSchema },
};

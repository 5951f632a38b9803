import type { ControlRequestProgressMessage, SessionStateChangedMessage, StatusMessage } from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { permissionModeSchema } from "../permissions.ts";
import { system } from "./system-base.ts";

/** Schema of {@link StatusMessage}. */
export const statusMessageSchema: z.ZodType<StatusMessage> = system("status", {
  status: open("compacting", "requesting").nullable(),
  permissionMode: permissionModeSchema.exactOptional(),
  compact_result: open("success", "failed").exactOptional(),
  compact_error: z.string().exactOptional(),
  user_message_uuids: z.array(z.string()).exactOptional(),
  compact_output_chars: z.number().exactOptional(),
});

/** Schema of {@link SessionStateChangedMessage}. */
export const sessionStateChangedMessageSchema: z.ZodType<SessionStateChangedMessage> = system("session_state_changed", {
  state: open("idle", "running", "requires_action"),
  sdk_host_only: z.boolean().exactOptional(),
});

/** Schema of {@link ControlRequestProgressMessage}. */
export const controlRequestProgressMessageSchema: z.ZodType<ControlRequestProgressMessage> = system(
  "control_request_progress",
  {
    request_id: z.string(),
    status: open("started", "api_retry"),
    attempt: z.number().exactOptional(),
    max_retries: z.number().exactOptional(),
    retry_delay_ms: z.number().exactOptional(),
    error_status: z.number().nullable().exactOptional(),
  },
);

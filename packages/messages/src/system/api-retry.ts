import type { AssistantError } from "../assistant.ts";
import type { SystemBase } from "./system-base.ts";

/**
 * A request to the API failed and will be sent again. Written before each wait; not for subagents, see `tool_progress` messages.
 *
 * A bad key is retried too, so it takes minutes to fail. [verified on CLI 2.1.328]
 */
export interface ApiRetryMessage extends SystemBase {
  readonly subtype: "api_retry";
  /** Counted from 1. */
  readonly attempt: number;
  /** 10, unless CLAUDE_CODE_MAX_RETRIES says otherwise. */
  readonly max_retries: number;
  readonly retry_delay_ms: number;
  /** HTTP status; null when there was no response. */
  readonly error_status: number | null;
  readonly error: AssistantError;
  /** The API did not begin to answer in time. */
  readonly no_response?: { readonly waited_ms: number; readonly retry_wait_ms: number };
}

import type { HookEvent } from "@reins/messages";
import type { Frame, FrameError } from "@reins/streamjson";

/** Something that happened on the control channel and is no message and no error of a call. */
export type Diagnostic =
  /** A line of the output is no frame: a banner, a log line, a line over the limit, a line cut off by a crash. `frame.text` is the line. */
  | { readonly kind: "malformed-frame"; readonly frame: Frame; readonly error: FrameError }
  /** An answer that nobody waits for: late, given twice, never asked for, or without an id. */
  | { readonly kind: "unmatched-response"; readonly response: Readonly<Record<string, unknown>> }
  /** A request of the CLI without an id or without content. */
  | { readonly kind: "unanswerable-request"; readonly request: Readonly<Record<string, unknown>> }
  /** A callback threw, or gave something that is no answer. What the CLI was told instead is in the documentation of the callback. */
  | { readonly kind: "callback-failed"; readonly subtype: string; readonly error: unknown }
  /** A callback answered a request that the CLI had withdrawn, or after the end. The answer was dropped. */
  | { readonly kind: "late-answer"; readonly requestId: string; readonly subtype: string }
  /** An answer could not be written. */
  | { readonly kind: "answer-lost"; readonly requestId: string; readonly error: unknown }
  /** A hook was registered for an event that reaches a host only in part, or not at all. `reason` says when it will not be called. */
  | { readonly kind: "hook-out-of-reach"; readonly event: HookEvent; readonly reason: string }
  /** A hook answered with members that no answer to its event has; they were dropped, and the rest counts. */
  | { readonly kind: "hook-fields-dropped"; readonly event: HookEvent; readonly fields: readonly string[] }
  /** Work in the background went on for `backgroundCeilingMs` after the last run; the input is ended all the same. */
  | { readonly kind: "background-ceiling" }
  /** The CLI reported no end of a run for `runCeilingMs` after its result; the run counts as over. */
  | { readonly kind: "run-ceiling" };

import type { DeferredToolUse, ResultMessage, StartupFailureReason, TerminalReason } from "./result.ts";

/** What a turn came to. `text` is for people; it is empty where there is nothing to say. */
export type ResultOutcome =
  /** The model gave its answer. The only success. */
  | { readonly kind: "completed"; readonly text: string; readonly structuredOutput: unknown }
  /** The API or a limit of the context failed the turn; `text` says how. */
  | {
      readonly kind: "failed";
      readonly text: string;
      readonly reason: TerminalReason | undefined;
      /** HTTP status, where the API answered. */
      readonly apiErrorStatus: number | undefined;
    }
  /** An interrupt, or a denial that interrupts, ended the turn. The session goes on. */
  | { readonly kind: "interrupted"; readonly text: ""; readonly during: "streaming" | "tools" }
  /** A limit of the host was reached. */
  | {
      readonly kind: "limit-reached";
      readonly text: string;
      readonly limit: "turns" | "budget" | "structured-output-retries";
    }
  /** A hook ended the turn: at a tool, without text, or at the end, with the answer. Why is known to the hook only. */
  | { readonly kind: "hook-stopped"; readonly text: string; readonly structuredOutput: unknown }
  /** A hook put a tool use off. */
  | { readonly kind: "tool-deferred"; readonly text: string; readonly toolUse: DeferredToolUse | undefined }
  /** A hook did not let the prompt through: no model ran. `text` says why. */
  | { readonly kind: "prompt-blocked"; readonly text: string }
  /** The prompt was stored, as asked: no model ran. */
  | { readonly kind: "prompt-stored"; readonly text: "" }
  /** A local command ran instead of the model. */
  | { readonly kind: "local-command"; readonly text: string; readonly command: string }
  /** The CLI did not start. Totals of this result mean nothing. */
  | { readonly kind: "not-started"; readonly text: string; readonly reason: StartupFailureReason | undefined };

/**
 * Tells what a turn came to.
 *
 * Neither the subtype nor the text alone does: an API error is a `success` with `is_error`, and a blocked prompt a `success` without
 * it, whose text is the reason of the block. [verified on CLI 2.1.328]
 */
export function resultOutcome(result: ResultMessage): ResultOutcome {
  // A gateway may leave the text out.
  if (result.subtype === "success") return result.is_error ? failed(result, result.result ?? "") : unerring(result);
  const text = errorText(result);
  switch (result.subtype) {
    case "error_max_turns":
      return { kind: "limit-reached", text, limit: "turns" };
    case "error_max_budget_usd":
      return { kind: "limit-reached", text, limit: "budget" };
    case "error_max_structured_output_retries":
      return { kind: "limit-reached", text, limit: "structured-output-retries" };
  }
  if (result.terminal_reason === "aborted_streaming") return { kind: "interrupted", text: "", during: "streaming" };
  if (result.terminal_reason === "aborted_tools") return { kind: "interrupted", text: "", during: "tools" };
  if (isStartupFailure(result)) return { kind: "not-started", text, reason: result.startup_failure_reason };
  return failed(result, text);
}

/**
 * Is it the result of a CLI that did not start? It is written before any other message, and its totals are zero whatever was
 * spent before.
 */
export function isStartupFailure(result: ResultMessage): boolean {
  if (result.subtype !== "error_during_execution") return false;
  if (result.startup_failure_reason !== undefined) return true;
  return result.is_error && result.num_turns === 0 && result.terminal_reason === undefined;
}

function unerring(result: Extract<ResultMessage, { subtype: "success" }>): ResultOutcome {
  const text = result.result ?? "";
  const structuredOutput = result.structured_output;
  switch (result.terminal_reason) {
    case "hook_stopped":
    case "stop_hook_prevented":
      return { kind: "hook-stopped", text, structuredOutput };
    case "tool_deferred":
    case "tool_deferred_unavailable":
      return { kind: "tool-deferred", text, toolUse: result.deferred_tool_use };
    case undefined:
      return result.local_command === undefined && result.num_turns !== 0
        ? { kind: "completed", text, structuredOutput }
        : withoutModel(text, result.local_command);
    default:
      return { kind: "completed", text, structuredOutput };
  }
}

function withoutModel(text: string, command: string | undefined): ResultOutcome {
  if (command !== undefined) return { kind: "local-command", text, command };
  return text === "" ? { kind: "prompt-stored", text } : { kind: "prompt-blocked", text };
}

function failed(result: ResultMessage, text: string): ResultOutcome {
  const status = result.subtype === "success" ? result.api_error_status : undefined;
  return { kind: "failed", text, reason: result.terminal_reason, apiErrorStatus: status ?? undefined };
}

/** The errors that mean something to people: an interrupted turn brings a diagnostic of the CLI's makers. */
function errorText(result: Exclude<ResultMessage, { subtype: "success" }>): string {
  // A gateway may leave the list out.
  const errors: readonly unknown[] = Array.isArray(result.errors) ? result.errors : [];
  return errors.filter((error) => !String(error).startsWith("[ede_diagnostic]")).join("\n");
}

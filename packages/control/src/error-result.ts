import { ResultError, ResumeError } from "./errors.ts";
import { textOf } from "./inbound-requests.ts";

type Value = Readonly<Record<string, unknown>>;

/**
 * Remembers the last error result, because the CLI exits with code 1 behind it and its text says more than the code.
 *
 * @see contracts/control.md; the frames that do not clear it are those that the CLI writes on its way out, verified against 2.1.328
 */
export class ErrorResultMemory {
  #result: Value | undefined;

  observe(value: Value): void {
    const { type, subtype } = value as { type?: unknown; subtype?: unknown };
    if (type === "result") {
      if (value["is_error"] === true) this.#result = value;
      else if (!isEmptyFollowUp(value)) this.#result = undefined;
    } else if (this.#result !== undefined && !(typeof type === "string" && afterwards.includes(type))) {
      if (type !== "system" || typeof subtype !== "string" || !afterwards.includes(subtype)) this.#result = undefined;
    }
  }

  /**
   * The error for a session that failed, if an error result explains it.
   *
   * @param sessionFolder Where the CLI keeps the sessions of its working folder, as far as it is known.
   */
  toError(cause: unknown, sessionFolder?: string): ResultError | undefined {
    const result = this.#result;
    if (result === undefined) return undefined;
    const text = textOfResult(result);
    // The words of the CLI; it has no code for it. [verified on CLI 2.1.328]
    const [, sessionId] = /^No conversation found with session ID: (.+)$/.exec(text) ?? [];
    if (sessionId === undefined || result["num_turns"] !== 0) return new ResultError(text, result, cause);
    return new ResumeError(text, result, { sessionId, folder: sessionFolder }, cause);
  }
}

/** Frames, by type or by subtype of `system`, that can follow a last result. */
const afterwards: readonly string[] = [
  "session_state_changed",
  "session_writes_lost",
  "plugin_install",
  "post_turn_summary",
  "task_summary",
  "session_metadata",
  "active_goal",
  "autocompact_state",
  "transcript_mirror",
  "command_lifecycle",
];

/** A follow-up turn that did not reach the model says nothing about the turn before. */
function isEmptyFollowUp(result: Value): boolean {
  return result["subtype"] === "success" && result["num_turns"] === 0 && (result["result"] ?? "") === "";
}

function textOfResult(result: Value): string {
  const { errors } = result as { errors?: unknown };
  const texts = Array.isArray(errors) ? errors.map((error) => textOf(error).trim()).filter((text) => text !== "") : [];
  const text = result["result"];
  if (result["subtype"] === "success" && typeof text === "string" && text !== "") return text;
  return texts.length > 0
    ? texts.join("; ")
    : typeof text === "string" && text !== ""
      ? text
      : textOf(result["subtype"]);
}

/**
 * What the scripted model says to one request: a block, several blocks, or a turn with everything that can be said about it.
 *
 * A string is no turn, so that a list of blocks is never mistaken for a list of turns: write `text("hi")`.
 */
export type ScriptedAnswer = ScriptedBlock | readonly ScriptedBlock[] | ScriptedTurn;

/** One block of a reply. Build it with {@link text}, {@link thinking} or {@link toolUse}. */
export type ScriptedBlock = TextBlock | ThinkingBlock | ToolUseBlock;

/** Text of a reply. Each string is one delta of the stream. */
export interface TextBlock {
  readonly type: "text";
  readonly deltas: readonly string[];
}

/** Thinking of a reply. Each string is one delta of the stream; a signature delta follows. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly deltas: readonly string[];
}

/** A tool use of a reply. Without an `id` the scripted model gives it one that is unique for its lifetime. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One turn in full. All fields may be left out; `{}` is an empty reply. */
export interface ScriptedTurn {
  /** The blocks of the reply, in order. Default none. */
  readonly content?: ScriptedBlock | readonly ScriptedBlock[];
  /** Wire value of `stop_reason`. Default `"tool_use"` when there is a tool use in the reply, else `"end_turn"`. */
  readonly stopReason?: string;
  /** Token counts by their wire names. What is given replaces single counts of the default: 10 in, 5 out, nothing cached. */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Headers of the HTTP response, such as `retry-after` or `anthropic-ratelimit-unified-status`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers with an error of the API instead of a reply. */
  readonly error?: ScriptedError;
  /** Cuts the connection instead of ending the answer. Default `false`. What was sent just before may be lost to the client: see `hold`. */
  readonly drop?: boolean;
  /** Waits for this promise. Whether it resolves or rejects is the same. See {@link createGate}. */
  readonly hold?: Promise<unknown>;
  /**
   * When `error`, `drop` and `hold` strike: after this many events of the stream, or at its end when it has fewer. Default 0, before
   * the status line. The events are `message_start`; for each block its start, one for each delta and its stop;
   * `message_delta`; `message_stop`. A request that does not ask for a stream has no events: then they strike at once.
   */
  readonly afterEvents?: number;
  /** Time before the status line, in ms. Default 0. Prefer `hold`: it makes no test slow. */
  readonly delayMs?: number;
  /** Time between two events, in ms. Default 0. */
  readonly eventDelayMs?: number;
}

/** An error of the API. */
export interface ScriptedError {
  /** HTTP status. In the middle of a stream there is none any more: the error is an `error` event. */
  readonly status: number;
  /** Wire name of the error. Default: the one that belongs to the status, such as `"rate_limit_error"` for 429. */
  readonly type?: string | undefined;
  /** Text for a reader. Default: a text that says that it is scripted. */
  readonly message?: string | undefined;
  /** Replaces the whole body. A string is sent as it is, all else as JSON. */
  readonly body?: unknown;
}

/** Token counts of a turn that states none. */
export const DEFAULT_USAGE: Readonly<Record<string, number>> = {
  input_tokens: 10,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 5,
};

/** Text. Several strings arrive as several deltas: `text("Hel", "lo")`. */
export function text(...deltas: readonly string[]): TextBlock {
  return { type: "text", deltas };
}

/** Thinking. Several strings arrive as several deltas. */
export function thinking(...deltas: readonly string[]): ThinkingBlock {
  return { type: "thinking", deltas };
}

/** A tool use: `toolUse("Bash", { command: "date" })`, `toolUse("mcp__calc__add", { a: 1, b: 2 })`. */
export function toolUse(name: string, input: Readonly<Record<string, unknown>> = {}, id?: string): ToolUseBlock {
  return id === undefined ? { type: "tool_use", name, input } : { type: "tool_use", id, name, input };
}

/**
 * A turn that fails: `apiError(429, { headers: { "retry-after": "1" } })`.
 *
 * CLI 2.1.328 tries again by itself, and each try takes the next turn: after a connection that was cut, 401, 429 and from 500 on
 * up to ten times, with pauses from 0.5 s up (`CLAUDE_CODE_MAX_RETRIES`); after 400 up to five times with less in the request;
 * after 404 once without a stream. The header `x-should-retry: false` makes a 500 final.
 */
export function apiError(status: number, details: ApiErrorDetails = {}): ScriptedTurn {
  const { type, message, body, ...turn } = details;
  return { ...turn, error: { status, type, message, body } };
}

/** What can be said about an {@link apiError}: all of a turn, and the error itself. */
export interface ApiErrorDetails extends Omit<ScriptedTurn, "error" | "drop">, Omit<ScriptedError, "status"> {}

/** A promise that a test opens: hand `opened` to {@link ScriptedTurn.hold}, call `open()` when the model may go on. */
export interface Gate {
  /** Resolves when the gate was opened. */
  readonly opened: Promise<void>;
  /** Opens the gate. Further calls do nothing. */
  readonly open: () => void;
}

/** Creates a closed {@link Gate}. A gate that is never opened keeps nothing alive: closing the scripted model ends the wait. */
export function createGate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Writes any form of a turn in full. */
export function toTurn(answer: ScriptedAnswer): ScriptedTurn {
  return isBlock(answer) || isBlockList(answer) ? { content: answer } : answer;
}

/** The blocks of a turn as a list. */
export function blocksOf(turn: ScriptedTurn): readonly ScriptedBlock[] {
  const { content = [] } = turn;
  return isBlock(content) ? [content] : content;
}

function isBlock(value: ScriptedAnswer): value is ScriptedBlock {
  return "type" in value;
}

// Array.isArray does not narrow a union with a readonly array.
function isBlockList(value: ScriptedAnswer): value is readonly ScriptedBlock[] {
  return Array.isArray(value);
}

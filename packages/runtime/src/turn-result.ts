import { type JsonRecord, numberOf, recordOf, recordsOf, textOf } from "./json-value.ts";
import { textOfContent } from "./reduce-tools.ts";
import type { RuntimeEvent, TurnStop } from "./runtime-event.ts";

/** A tool call of a turn, and what came of it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it; a hook may have changed it since. */
  readonly input: JsonRecord;
  /** What the model was told; `undefined` where the turn ended before. */
  readonly result: unknown;
  /** The text of it. */
  readonly resultText: string;
  readonly isError: boolean;
  /** The Agent call, for tools of a sub-agent. */
  readonly agentToolUseId?: string;
}

/** A whole turn. */
export interface TurnResult {
  readonly turnId: string;
  /** Counts the turns of the session, from 1. */
  readonly turnNumber: number;
  /** The answer; of a turn that failed what there was of it. */
  readonly text: string;
  /** In the order in which the model asked for them, sub-agents' included. */
  readonly toolCalls: readonly ToolCall[];
  /** Tokens of the main conversation in this turn, as the API counts them; `undefined` where the CLI did not say. */
  readonly usage: JsonRecord | undefined;
  /** What this turn has cost, sub-agents included, in US dollars: an estimate. `undefined` where it is not known. */
  readonly costUsd: number | undefined;
  /** Why the model stopped: `end_turn`, `max_tokens`, ... */
  readonly stopReason: string | undefined;
  /** Why the turn ended, as the CLI calls it. */
  readonly terminalReason: string | undefined;
  /** Set when a hook ended the turn before its time. */
  readonly stopped?: TurnStop;
  /** The result frame of the CLI; `undefined` when there was none. */
  readonly result: JsonRecord | undefined;
}

/** Collects what a turn brings. */
export class TurnRecord {
  readonly #calls = new Map<string, ToolCall>();
  #text = "";

  /** Notes a message of the CLI. */
  observe(message: JsonRecord): void {
    const agentToolUseId = textOf(message["parent_tool_use_id"]);
    const content = recordOf(message["message"])?.["content"];
    if (message["type"] === "assistant") {
      for (const block of recordsOf(content)) {
        if (block["type"] === "tool_use") this.#asked(block, agentToolUseId);
      }
      const text = textOfContent(content);
      if (agentToolUseId === undefined && text !== "") this.#text = text;
    } else if (message["type"] === "user") {
      for (const block of recordsOf(content)) if (block["type"] === "tool_result") this.#answered(block);
    }
  }

  /** What is known of a call. */
  call(id: string): ToolCall | undefined {
    return this.#calls.get(id);
  }

  /** The turn as it has ended, or as far as it is. */
  toResult(turn: { readonly id: string; readonly number: number }, end: TurnEnd | undefined): TurnResult {
    const { data } = end ?? {};
    const frame = data?.result;
    const text = data !== undefined && end?.type === "turn.completed" ? data.text : this.#text;
    return {
      turnId: turn.id,
      turnNumber: turn.number,
      text,
      toolCalls: [...this.#calls.values()],
      usage: recordOf(frame?.["usage"]),
      costUsd: costOf(frame),
      stopReason: textOf(frame?.["stop_reason"]),
      terminalReason: textOf(frame?.["terminal_reason"]),
      ...(data?.stopped && { stopped: data.stopped }),
      result: frame,
    };
  }

  #asked(block: JsonRecord, agentToolUseId: string | undefined): void {
    const id = textOf(block["id"]);
    if (id === undefined || this.#calls.has(id)) return;
    this.#calls.set(id, {
      id,
      name: textOf(block["name"]) ?? "",
      input: recordOf(block["input"]) ?? {},
      result: undefined,
      resultText: "",
      isError: false,
      ...(agentToolUseId !== undefined && { agentToolUseId }),
    });
  }

  #answered(block: JsonRecord): void {
    const call = this.#calls.get(textOf(block["tool_use_id"]) ?? "");
    if (call === undefined) return;
    const result = block["content"];
    const isError = block["is_error"] === true;
    this.#calls.set(call.id, { ...call, result, resultText: textOfContent(result), isError });
  }
}

/** The event that ends a turn. */
export type TurnEnd = RuntimeEvent<"turn.completed" | "turn.failed">;

/** The totals of a result are those of the conversation; what came since the last one is told apart. [CLI 2.1.328] */
function costOf(result: JsonRecord | undefined): number | undefined {
  const models = recordOf(result?.["model_usage_since_last_result"]);
  if (models === undefined) return undefined;
  return Object.values(models).reduce<number>((sum, usage) => sum + (numberOf(recordOf(usage)?.["costUSD"]) ?? 0), 0);
}

import type { HostBlock } from "@reins/messages";
import { HookTimeoutError, UnknownHookEventError } from "./errors.ts";
import { type JsonRecord, recordOf } from "./json-value.ts";
import type { TurnResult } from "./turn-result.ts";

/** What a handler is told, by event. */
export interface LoopHookData {
  /** `start` when the session has begun; `clear` when its conversation was cleared and begins anew. */
  readonly session_start: { readonly source: "start" | "clear" };
  /** `closed` by this program, `exited` by itself, or `clear`. */
  readonly session_end: { readonly reason: "closed" | "exited" | "clear"; readonly error?: unknown };
  /** `wake` is a turn that the CLI begins by itself. */
  readonly turn_start: { readonly origin: "user" | "wake"; readonly content: string | readonly HostBlock[] };
  readonly query_start: { readonly prompt: string };
  readonly iteration_start: {
    /** Counts the calls of the model in this turn, from 1. */
    readonly iteration: number;
    readonly turnNumber: number;
    /** What the last call of the model has used, in the words of its API; `undefined` before the first. */
    readonly usage: JsonRecord | undefined;
  };
  readonly pre_compact: { readonly trigger: "auto"; readonly customInstructions: string | undefined };
  readonly post_compact: { readonly trigger: string; readonly summary: string };
  /** `toolUses` are the blocks of the model's message, main conversation only. */
  readonly tool_uses_start: { readonly toolUses: readonly ToolCallData[] };
  readonly pre_tool_use: ToolCallData;
  readonly post_tool_use: ToolCallData & {
    readonly success: boolean;
    readonly output?: unknown;
    readonly error?: string;
    readonly durationMs?: number;
  };
  readonly tool_uses_complete: {
    readonly toolUses: readonly (ToolCallData & { readonly result: unknown })[];
  };
  readonly iteration_stop: { readonly iteration: number; readonly lastAssistantMessage: string | undefined };
  readonly iteration_continue: { readonly iteration: number };
  readonly iteration_complete: { readonly iteration: number };
  readonly query_complete: TurnEndData;
  readonly turn_end: TurnEndData;
  readonly subagent_start: { readonly agentId: string; readonly agentType: string };
  readonly subagent_stop: {
    readonly agentId: string;
    readonly agentType: string;
    readonly lastAssistantMessage: string | undefined;
  };
  /** `turn`: an error of the API ended it. `agent`: a sub-agent failed. */
  readonly on_error: { readonly scope: "turn" | "agent"; readonly error: string; readonly text: string | undefined };
}

/** A tool call that a handler is told of. */
export interface ToolCallData {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly toolInput: JsonRecord;
}

/** How a turn has ended. */
export interface TurnEndData {
  readonly outcome: "completed" | "failed";
  /** The reason of a failure. */
  readonly reason: string | undefined;
  readonly turn: TurnResult;
}

/** The name of a loop hook. */
export type LoopHookEvent = keyof LoopHookData;

/** The events of the loop that handlers can be registered for, in the order of a turn. */
export const loopHookEvents: readonly LoopHookEvent[] = [
  "session_start",
  "turn_start",
  "query_start",
  "iteration_start",
  "pre_compact",
  "post_compact",
  "tool_uses_start",
  "pre_tool_use",
  "post_tool_use",
  "tool_uses_complete",
  "iteration_stop",
  "iteration_continue",
  "iteration_complete",
  "query_complete",
  "turn_end",
  "subagent_start",
  "subagent_stop",
  "on_error",
  "session_end",
];

/** What a handler is called with. */
export type HookProgress<Event extends LoopHookEvent = LoopHookEvent> = {
  [Each in Event]: {
    readonly event: Each;
    readonly sessionId: string | undefined;
    /** `undefined` between turns. */
    readonly turnId: string | undefined;
    readonly data: LoopHookData[Each];
    /** Aborted at the handler's timeout, and when nobody waits for it any more. */
    readonly signal: AbortSignal;
    /** The Agent call, for what happens in a sub-agent. */
    readonly agentToolUseId?: string;
  };
}[Event];

/** What a handler wants. Nothing means `continue`, and so does `retry`. */
export interface HookResult {
  /**
   * `stop` and `deny` are the same: what they do depends on the event, see {@link Agent.registerHook}. `modify` is for
   * pre_tool_use.
   */
  readonly action: "continue" | "stop" | "deny" | "modify" | "retry";
  /** Why. */
  readonly message?: string | undefined;
  /** The whole new input of the tool, no patch; with `modify`. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
}

/** Code that runs at a point of the loop. The loop waits for it. */
export type HookHandler<Event extends LoopHookEvent = LoopHookEvent> = (
  progress: HookProgress<Event>,
) => HookResult | undefined | void | Promise<HookResult | undefined> | Promise<void>;

/** Settings of one handler. */
export interface HookHandlerOptions {
  /** Milliseconds that it may take; then its signal aborts and it counts as failed. Default 600,000. */
  readonly timeoutMs?: number | undefined;
}

interface Entry {
  readonly id: string;
  readonly event: LoopHookEvent;
  readonly handler: HookHandler<never>;
  readonly timeoutMs: number;
}

/** The handlers of an agent, or of a session, in the order of their registration. */
export class HookRegistry {
  #entries: readonly Entry[] = [];
  readonly #prefix: string;
  #count = 0;

  constructor(prefix = "hook") {
    this.#prefix = prefix;
  }

  /** Adds a handler. @throws {@link UnknownHookEventError} */
  register<Event extends LoopHookEvent>(
    event: Event,
    handler: HookHandler<Event>,
    { timeoutMs = 600_000 }: HookHandlerOptions = {},
  ): string {
    if (!loopHookEvents.includes(event)) throw new UnknownHookEventError(String(event), loopHookEvents);
    if (typeof handler !== "function") throw new TypeError(`The handler of ${event} must be a function`);
    if (!(timeoutMs > 0)) throw new TypeError(`timeoutMs must be a number of milliseconds above 0, not ${timeoutMs}`);
    const id = `${this.#prefix}-${++this.#count}`;
    // The entry is only called with progress of its own event.
    const entry: Entry = { id, event, handler: handler as unknown as HookHandler<never>, timeoutMs };
    this.#entries = [...this.#entries, entry];
    return id;
  }

  /** Removes a handler. What runs at the moment is not stopped. False for an id that is not there (any more). */
  remove(id: string): boolean {
    const rest = this.#entries.filter((entry) => entry.id !== id);
    const isThere = rest.length < this.#entries.length;
    this.#entries = rest;
    return isThere;
  }

  /** Whether there is a handler for an event. */
  has(event: LoopHookEvent): boolean {
    return this.#entries.some((entry) => entry.event === event);
  }

  /** @internal */
  of(event: LoopHookEvent): readonly { readonly handler: HookHandler<never>; readonly timeoutMs: number }[] {
    return this.#entries.filter((entry) => entry.event === event);
  }
}

/** What the handlers of an event have decided together. */
export interface Verdict {
  /** Why the loop is to stop; `undefined` where it goes on. */
  readonly stop: string | undefined;
  readonly updatedInput: JsonRecord | undefined;
}

/**
 * Calls the handlers of an event, one after the other. Where a stop means something, the first one is the last to be called.
 *
 * @param onError Told of handlers that threw, took too long, or gave no valid result.
 */
export async function runHandlers<Event extends LoopHookEvent>(
  registries: readonly HookRegistry[],
  progress: HookProgress<Event>,
  onError: (error: unknown, event: string) => void,
): Promise<Verdict> {
  const { event } = progress;
  let updatedInput: JsonRecord | undefined;
  for (const { handler, timeoutMs } of registries.flatMap((registry) => registry.of(event))) {
    let result: HookResult | undefined;
    try {
      const data = updatedInput === undefined ? progress.data : { ...progress.data, toolInput: updatedInput };
      result = checked(event, await callHandler(handler, { ...progress, data } as HookProgress<Event>, timeoutMs));
    } catch (error) {
      onError(error, event);
      if (!closedEvents.includes(event)) continue;
      const text = error instanceof Error ? error.message : String(error);
      return { stop: `A handler of ${event} failed: ${text}`, updatedInput };
    }
    if (!decidingEvents.includes(event)) continue;
    if (result?.action === "stop" || result?.action === "deny")
      return { stop: result.message ?? `Stopped by a handler of ${event}.`, updatedInput };
    if (result?.action === "modify" && event === "pre_tool_use") updatedInput = result.updatedInput;
  }
  return { stop: undefined, updatedInput };
}

async function callHandler<Event extends LoopHookEvent>(
  handler: HookHandler<never>,
  progress: HookProgress<Event>,
  timeoutMs: number,
): Promise<unknown> {
  const timeout = new AbortController();
  const error = new HookTimeoutError(progress.event, timeoutMs);
  // Longer than a timer can be is for ever.
  const timer = timeoutMs > 0x7fff_ffff ? undefined : setTimeout(() => timeout.abort(error), timeoutMs);
  const signal = AbortSignal.any([progress.signal, timeout.signal]);
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
  });
  aborted.catch(() => {});
  try {
    signal.throwIfAborted();
    // The registry has handlers of this event only.
    return await Promise.race([handler({ ...progress, signal } as never), aborted]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

function checked(event: LoopHookEvent, value: unknown): HookResult | undefined {
  if (value === undefined) return undefined;
  const result = recordOf(value);
  const action = result?.["action"];
  if (result === undefined || !actions.includes(action))
    throw new TypeError(`A handler of ${event} returned no result: its action must be one of ${actions.join(", ")}`);
  if (action === "modify" && event === "pre_tool_use" && recordOf(result["updatedInput"]) === undefined)
    throw new TypeError("A handler of pre_tool_use returned modify without an updatedInput that is an object");
  // Its action was checked, and messages are for people.
  return value as HookResult;
}

const actions: readonly unknown[] = ["continue", "stop", "deny", "modify", "retry"];

/** Where a stop or deny does something. */
const decidingEvents: readonly LoopHookEvent[] = [
  "turn_start",
  "iteration_start",
  "pre_compact",
  "tool_uses_start",
  "pre_tool_use",
  "post_tool_use",
];

/** Where a handler that fails stops. Not before a compaction, without which the conversation may come to an end. */
const closedEvents: readonly LoopHookEvent[] = [
  "turn_start",
  "iteration_start",
  "tool_uses_start",
  "pre_tool_use",
  "post_tool_use",
];

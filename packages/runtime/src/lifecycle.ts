import { AsyncLocalStorage } from "node:async_hooks";
import type { HookEvent, HookInput, HookOutput } from "@reins/messages";
import { type HookMatcher, type Hooks, haltTurn } from "@reins/sdk";
import type { EventFeed } from "./event-feed.ts";
import { type JsonRecord, recordOf, recordsOf, textOf } from "./json-value.ts";
import type { LiveTurn } from "./live-turn.ts";
import { type HookRegistry, type LoopHookData, type LoopHookEvent, runHandlers, type Verdict } from "./loop-hooks.ts";
import { runShellHooks, type ShellHooks } from "./shell-hooks.ts";
import { runStopHooks, type StopHook } from "./stop-hooks.ts";
import { type ToolBatch, ToolBatches } from "./tool-batches.ts";

/** What the hooks of a session work with. */
export interface LifecycleParts {
  readonly feed: EventFeed;
  /** Those of the agent, then those of the session. */
  readonly registries: readonly HookRegistry[];
  readonly shellHooks: ShellHooks;
  readonly stopHooks: readonly StopHook[];
  readonly maxStopCycles: number;
  /** The turn that the CLI is at. */
  readonly turn: () => LiveTurn | undefined;
  readonly onError: (error: unknown, where: string) => void;
  /** Aborted when the session is over. */
  readonly signal: AbortSignal;
}

/** Whose handler the code that runs was called by. */
const handlerOf = /* @__PURE__ */ new AsyncLocalStorage<Lifecycle>();

type CliInput<Event extends HookEvent> = HookInput<Event> & JsonRecord;

/**
 * Turns the hooks of the CLI into those of the loop.
 *
 * One callback for each event of the CLI: it would call several at once, each with the same input.
 */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #batches: ToolBatches;
  #requests = 0;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
    this.#batches = new ToolBatches((batch) => {
      const turn = parts.turn();
      if (turn !== undefined) void this.#toolUsesStart(turn, batch);
    });
  }

  /** The callbacks for the CLI. */
  get hooks(): Hooks {
    return {
      UserPromptSubmit: this.#hook<"UserPromptSubmit">((input, signal) => this.#promptSubmitted(input, signal)),
      PreToolUse: this.#hook<"PreToolUse">((input, signal) => this.#beforeTool(input, signal)),
      PostToolUse: this.#hook<"PostToolUse">((input, signal) => this.#afterTool(input, signal)),
      PostToolUseFailure: this.#hook<"PostToolUseFailure">((input, signal) => this.#afterFailure(input, signal)),
      PostToolBatch: this.#hook<"PostToolBatch">((input, signal) => this.#afterBatch(input, signal)),
      Stop: this.#hook<"Stop">((input, signal) => this.#stopping(input, signal)),
      StopFailure: this.#hook<"StopFailure">(async (input, signal) => {
        await this.run(
          "on_error",
          { scope: "turn", error: input.error, text: input.last_assistant_message },
          { signal },
        );
        return {};
      }),
      SubagentStart: this.#hook<"SubagentStart">(async (input, signal) => {
        const { agent_id: agentId, agent_type: agentType } = input;
        if (agentType !== "") await this.run("subagent_start", { agentId, agentType }, this.#about(input, signal));
        return {};
      }),
      SubagentStop: this.#hook<"SubagentStop">(async (input, signal) => {
        const { agent_id: agentId, agent_type: agentType, last_assistant_message: lastAssistantMessage } = input;
        // One without a type is the CLI's own, as the one that sums up the conversation.
        if (agentType !== "")
          await this.run("subagent_stop", { agentId, agentType, lastAssistantMessage }, this.#about(input, signal));
        return {};
      }),
      PreCompact: this.#hook<"PreCompact">(async (input, signal) => {
        if (input.trigger !== "auto") return {};
        const customInstructions = input.custom_instructions ?? undefined;
        const { stop } = await this.run("pre_compact", { trigger: "auto", customInstructions }, { signal });
        return stop === undefined ? {} : { decision: "block", reason: stop };
      }),
      PostCompact: this.#hook<"PostCompact">(async (input, signal) => {
        await this.run("post_compact", { trigger: input.trigger, summary: input.compact_summary }, { signal });
        return {};
      }),
      SessionStart: this.#hook<"SessionStart">(async (input, signal) => {
        if (input.source === "clear") await this.run("session_start", { source: "clear" }, { signal });
        return {};
      }),
      SessionEnd: this.#hook<"SessionEnd">(async (input, signal) => {
        if (input.reason === "clear") await this.run("session_end", { reason: "clear" }, { signal });
        return {};
      }),
      // For the events alone.
      TaskCreated: this.#hook<"TaskCreated">(async () => ({})),
      TaskCompleted: this.#hook<"TaskCompleted">(async () => ({})),
    };
  }

  /** Notes a message of the CLI. Gives whether the model was called in spite of a halt. */
  observe(message: JsonRecord): "goes on" | undefined {
    this.#batches.observe(message);
    const turn = this.#parts.turn();
    if (turn === undefined) return undefined;
    if (message["type"] === "stream_event" && message["parent_tool_use_id"] == null) {
      const event = recordOf(message["event"]);
      if (event?.["type"] === "message_delta") turn.usage = recordOf(event["usage"]) ?? turn.usage;
      if (event?.["type"] === "message_start" && turn.halted !== undefined) return "goes on";
    }
    if (message["type"] === "assistant") turn.openTools = this.#batches.latest?.toolUses ?? [];
    return undefined;
  }

  /** Calls the handlers of an event. */
  run<Event extends LoopHookEvent>(
    event: Event,
    data: LoopHookData[Event],
    about: {
      readonly signal?: AbortSignal | undefined;
      readonly turnId?: string | undefined;
      readonly agentToolUseId?: string | undefined;
    } = {},
  ): Promise<Verdict> {
    const { registries, feed, onError } = this.#parts;
    if (!registries.some((registry) => registry.has(event)))
      return Promise.resolve({ stop: undefined, updatedInput: undefined });
    const { agentToolUseId, signal = this.#parts.signal, turnId = feed.turnId } = about;
    const base = { event, sessionId: feed.sessionId, turnId, data, signal };
    // The pair of an event and its data, which the mapped type cannot see for a generic one.
    const progress = { ...base, ...(agentToolUseId !== undefined && { agentToolUseId }) } as Parameters<
      typeof runHandlers<Event>
    >[1];
    return handlerOf.run(this, () => runHandlers(registries, progress, onError));
  }

  /** Whether the code that asks was called by a handler, which is waited for. */
  get isWithinHandler(): boolean {
    return handlerOf.getStore() === this;
  }

  /** Runs what is left to run when a turn has ended. */
  async finish(turn: LiveTurn): Promise<void> {
    const about = { turnId: turn.id };
    if (turn.openTools.length > 0) await this.#toolUsesComplete(turn, undefined, this.#parts.signal);
    await this.#iterationComplete(turn, this.#parts.signal);
    const { end, result } = turn;
    const reason = end?.type === "turn.failed" ? end.data.reason : undefined;
    const data = { outcome: end?.type === "turn.completed" ? "completed" : "failed", reason, turn: result } as const;
    if (turn.hasQueried) await this.run("query_complete", data, about);
    await this.run("turn_end", data, about);
  }

  /** Lets go of what waits for the CLI. */
  close(): void {
    this.#batches.reset();
  }

  /** A callback that is called when all frames before it were read, and whose question and answer are frames to the events. */
  #hook<Event extends HookEvent>(
    answer: (input: CliInput<Event>, signal: AbortSignal) => Promise<HookOutput<Event>>,
  ): readonly HookMatcher<Event>[] {
    const callback = async (
      input: HookInput<Event>,
      toolUseId: string | undefined,
      { signal }: { readonly signal: AbortSignal },
    ): Promise<HookOutput> => {
      await framesRead();
      const { feed } = this.#parts;
      const request_id = `hook-${++this.#requests}`;
      const request = { subtype: "hook_callback", input, tool_use_id: toolUseId };
      feed.feed({ type: "control_request", request_id, request });
      try {
        // The input of the wire, of which the type knows a part.
        const output = await answer(input as unknown as CliInput<Event>, signal);
        feed.feed({ type: "control_response", response: { subtype: "success", request_id, response: output } }, "out");
        return output;
      } catch (error) {
        feed.feed(
          { type: "control_response", response: { subtype: "error", request_id, error: String(error) } },
          "out",
        );
        throw error;
      }
    };
    // A day: handlers and the people whom they ask take their time, and have limits of their own.
    return [{ hooks: [callback], timeout: 86_400 }];
  }

  async #promptSubmitted(
    input: CliInput<"UserPromptSubmit">,
    signal: AbortSignal,
  ): Promise<HookOutput<"UserPromptSubmit">> {
    const turn = this.#parts.turn();
    // A prompt that waited joins a turn whose loop runs already.
    if (turn === undefined || turn.hasQueried) return {};
    if (turn.origin === "wake") {
      const { stop } = await this.run("turn_start", { origin: "wake", content: input.prompt }, { signal });
      if (stop !== undefined) return { decision: "block", reason: stop };
    }
    turn.hasQueried = true;
    await this.run("query_start", { prompt: input.prompt }, { signal });
    const stop = await this.#startIteration(turn, signal);
    return stop === undefined ? {} : { continue: false, stopReason: stop };
  }

  async #beforeTool(input: CliInput<"PreToolUse">, signal: AbortSignal): Promise<HookOutput<"PreToolUse">> {
    const turn = this.#parts.turn();
    const call = {
      toolUseId: input.tool_use_id,
      toolName: input.tool_name,
      toolInput: recordOf(input.tool_input) ?? {},
    };
    if (turn !== undefined && haltOf(turn) === undefined && isMain(input))
      await this.#holdForMessage(turn, call, signal);
    const before = haltOf(turn);
    if (before !== undefined) return haltTurn(before);
    const shell = await runShellHooks(
      this.#parts.shellHooks,
      {
        tool_name: call.toolName,
        tool_input: call.toolInput,
        tool_use_id: call.toolUseId,
        session_id: this.#parts.feed.sessionId ?? input.session_id,
        cwd: input.cwd,
        ...(input.agent_id !== undefined && { agent_id: input.agent_id }),
      },
      signal,
      (error) => this.#parts.onError(error, "preToolHooks"),
    );
    if (shell.decision === "halt") return this.#halt(turn, "pre_tool_hook", shell.reason);
    if (shell.decision === "deny") return denial(shell.reason);
    const toolInput = shell.updatedInput ?? call.toolInput;
    const about = this.#about(input, signal, call.toolUseId);
    const { stop, updatedInput = shell.updatedInput } = await this.run("pre_tool_use", { ...call, toolInput }, about);
    if (stop !== undefined) return this.#halt(turn, "pre_tool_use", stop);
    // Another call of the same message may have ended the turn meanwhile.
    const meanwhile = haltOf(turn);
    if (meanwhile !== undefined) return haltTurn(meanwhile);
    if (shell.decision !== "allow" && updatedInput === undefined) return {};
    return {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        ...(shell.decision === "allow" && { permissionDecision: "allow" as const }),
        ...(updatedInput && { updatedInput }),
      },
    };
  }

  async #afterTool(input: CliInput<"PostToolUse">, signal: AbortSignal): Promise<HookOutput<"PostToolUse">> {
    const output: unknown = input.tool_response;
    const stop = await this.#toolEnded(input, { success: true, output, ...durationOf(input) }, signal);
    return stop === undefined ? {} : { continue: false, stopReason: stop };
  }

  async #afterFailure(
    input: CliInput<"PostToolUseFailure">,
    signal: AbortSignal,
  ): Promise<HookOutput<"PostToolUseFailure">> {
    // The CLI takes no stop here; what it asks next gets it.
    await this.#toolEnded(input, { success: false, error: input.error, ...durationOf(input) }, signal);
    if (input.tool_name === "Agent" || input.tool_name === "Task")
      await this.run("on_error", { scope: "agent", error: input.error, text: undefined }, this.#about(input, signal));
    return {};
  }

  async #toolEnded(
    input: CliInput<"PostToolUse" | "PostToolUseFailure">,
    outcome: {
      readonly success: boolean;
      readonly output?: unknown;
      readonly error?: string;
      readonly durationMs?: number;
    },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { tool_use_id: toolUseId, tool_name: toolName } = input;
    const toolInput = recordOf(input.tool_input) ?? {};
    const about = this.#about(input, signal, toolUseId);
    const { stop } = await this.run("post_tool_use", { toolUseId, toolName, toolInput, ...outcome }, about);
    const turn = this.#parts.turn();
    if (stop !== undefined) this.#stop(turn, "post_tool_use", stop);
    return stop ?? haltOf(turn);
  }

  async #afterBatch(input: CliInput<"PostToolBatch">, signal: AbortSignal): Promise<HookOutput<"PostToolBatch">> {
    const turn = this.#parts.turn();
    if (turn === undefined) return {};
    if (isMain(input)) {
      await this.#toolUsesComplete(turn, input.tool_calls, signal);
      if (turn.halted === undefined) {
        await this.run("iteration_continue", { iteration: turn.iteration }, { signal });
        await this.#iterationComplete(turn, signal);
        await this.#startIteration(turn, signal);
      } else await this.#iterationComplete(turn, signal);
    }
    return turn.halted === undefined ? {} : { continue: false, stopReason: turn.halted.message };
  }

  async #stopping(input: CliInput<"Stop">, signal: AbortSignal): Promise<HookOutput<"Stop">> {
    const turn = this.#parts.turn();
    if (turn === undefined) return {};
    const lastAssistantMessage = input.last_assistant_message;
    const { iteration } = turn;
    await this.run("iteration_stop", { iteration, lastAssistantMessage }, { signal });
    const messages = turn.halted === undefined ? await this.#askStopHooks(turn, input, signal) : [];
    if (messages.length > 0) await this.run("iteration_continue", { iteration }, { signal });
    await this.#iterationComplete(turn, signal);
    if (messages.length === 0) return {};
    turn.stopCycles++;
    const stop = await this.#startIteration(turn, signal);
    return stop === undefined ? { decision: "block", reason: messages.join("\n\n") } : {};
  }

  async #askStopHooks(turn: LiveTurn, input: CliInput<"Stop">, signal: AbortSignal): Promise<readonly string[]> {
    const { stopHooks, maxStopCycles, onError } = this.#parts;
    if (turn.stopCycles >= maxStopCycles) return [];
    const context = {
      sessionId: this.#parts.feed.sessionId,
      turnId: turn.id,
      iteration: turn.iteration,
      lastAssistantMessage: input.last_assistant_message,
      stopHookActive: input.stop_hook_active,
      backgroundTasks: recordsOf(input.background_tasks),
      signal,
    };
    return runStopHooks(stopHooks, context, input.cwd, (error) => onError(error, "stopHooks"));
  }

  /** Why the model is not to be called; `undefined` when it is. */
  async #startIteration(turn: LiveTurn, signal: AbortSignal): Promise<string | undefined> {
    turn.iteration++;
    turn.isIterating = true;
    const data = { iteration: turn.iteration, turnNumber: turn.number, usage: turn.usage };
    const { stop } = await this.run("iteration_start", data, { signal, turnId: turn.id });
    if (stop !== undefined) this.#stop(turn, "iteration_start", stop);
    return stop;
  }

  async #iterationComplete(turn: LiveTurn, signal: AbortSignal): Promise<void> {
    if (!turn.isIterating) return;
    turn.isIterating = false;
    await this.run("iteration_complete", { iteration: turn.iteration }, { signal, turnId: turn.id });
  }

  async #holdForMessage(turn: LiveTurn, call: ToolBatch["toolUses"][number], signal: AbortSignal): Promise<void> {
    if (!this.#parts.registries.some((registry) => registry.has("tool_uses_start"))) return;
    const batch = await this.#batches.of(call, signal);
    await this.#toolUsesStart(turn, batch);
  }

  /** Calls the handlers once for each message. A stop of theirs ends the turn. */
  async #toolUsesStart(turn: LiveTurn, batch: ToolBatch): Promise<void> {
    batch.verdict ??= this.run("tool_uses_start", { toolUses: batch.toolUses }, { turnId: turn.id }).then(
      ({ stop }) => stop,
    );
    const stop = await batch.verdict;
    if (stop !== undefined) this.#stop(turn, "tool_uses_start", stop);
  }

  async #toolUsesComplete(
    turn: LiveTurn,
    calls: CliInput<"PostToolBatch">["tool_calls"] | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { openTools } = turn;
    turn.openTools = [];
    const told = calls?.map((call) => {
      const { tool_use_id: toolUseId, tool_name: toolName, tool_response: result } = call;
      return { toolUseId, toolName, toolInput: recordOf(call.tool_input) ?? {}, result };
    });
    // Where the turn was stopped before the tools, the CLI says nothing; the frames had the results.
    const recorded = openTools.map((use) => ({ ...use, result: turn.record.call(use.toolUseId)?.result }));
    await this.run("tool_uses_complete", { toolUses: told ?? recorded }, { signal, turnId: turn.id });
  }

  #halt(turn: LiveTurn | undefined, by: string, reason: string): HookOutput<"PreToolUse"> {
    this.#stop(turn, by, reason);
    return haltTurn(turn?.halted?.message ?? reason);
  }

  /** The first who stops a turn has stopped it. */
  #stop(turn: LiveTurn | undefined, by: string, message: string): void {
    if (turn !== undefined) turn.halted ??= { by, message };
  }

  #about(
    input: JsonRecord | { readonly agent_id?: string },
    signal: AbortSignal,
    toolUseId?: string,
  ): { readonly signal: AbortSignal; readonly agentToolUseId: string | undefined } {
    return { signal, agentToolUseId: this.#parts.feed.agentCallOf(input.agent_id, toolUseId) };
  }
}

/**
 * Settles when the messages that came before were read. They go from hand to hand in promises only, so one turn of the event loop is
 * enough.
 */
export function framesRead(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function haltOf(turn: LiveTurn | undefined): string | undefined {
  return turn?.halted && (turn.halted.message ?? "");
}

function isMain(input: { readonly agent_id?: unknown }): boolean {
  return textOf(input.agent_id) === undefined;
}

function durationOf(input: JsonRecord): { readonly durationMs?: number } {
  const durationMs = input["duration_ms"];
  return typeof durationMs === "number" ? { durationMs } : {};
}

function denial(reason: string): HookOutput<"PreToolUse"> {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

import { randomUUID } from "node:crypto";
import type { HostBlock } from "@reins/messages";
import { Client, type Hooks, type Options } from "@reins/sdk";
import type { FrameValue } from "@reins/streamjson";
import type { AgentOptions, SessionCallbacks } from "./agent-options.ts";
import { TurnFailedError, TurnRefusedError } from "./errors.ts";
import { EventFeed } from "./event-feed.ts";
import { framesRead, Lifecycle } from "./lifecycle.ts";
import { LiveTurn } from "./live-turn.ts";
import { type HookHandler, type HookHandlerOptions, HookRegistry, type LoopHookEvent } from "./loop-hooks.ts";
import { observedServers } from "./observed-servers.ts";
import { askDialog, askElicitation, askPermission, type PromptRequest, type PromptResponse } from "./prompt.ts";
import type { RuntimeEvent } from "./runtime-event.ts";
import { checkShellHooks } from "./shell-hooks.ts";
import { checkStopHooks } from "./stop-hooks.ts";
import type { TurnEnd, TurnResult } from "./turn-result.ts";

/**
 * A conversation, for an interface: submit messages, listen, answer questions, step in. Made by {@link Agent.session}.
 *
 * The CLI is started by the first message, or by {@link Session.connect}.
 */
export class Session implements AsyncDisposable {
  /** Callbacks of this session. Set them whenever you like; where there is none, the agent's is called. */
  readonly callbacks: SessionCallbacks;
  /** Handlers of this session alone. They are called behind those of the agent. */
  readonly hookRegistry: HookRegistry = new HookRegistry("session-hook");
  /**
   * Controls the session: model, permission mode, context usage and so on. Send prompts with {@link Session.submitMessage}, and leave
   * its messages alone: they are read here.
   */
  readonly client: Client;
  readonly #agent: { readonly callbacks: SessionCallbacks; readonly onClosed: (session: Session) => void };
  readonly #options: AgentOptions;
  readonly #feed: EventFeed;
  readonly #lifecycle: Lifecycle;
  readonly #turns = new Map<string, LiveTurn>();
  /** Turns that have ended, and whose last handlers run. */
  readonly #finishing = new Set<LiveTurn>();
  readonly #over = new AbortController();
  #requests = 0;
  #started: Promise<void> | undefined;
  /** Settles when the session is over and its last handlers have run. Never rejects. */
  #pumped: Promise<void> = Promise.resolve();
  #hasBegun: Promise<void> | undefined;
  /** Settles when the messages that were submitted before have their turns behind them. Never rejects. */
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #endedBy: unknown;

  /** @internal */
  constructor(
    agent: {
      readonly callbacks: SessionCallbacks;
      readonly hookRegistry: HookRegistry;
      readonly onClosed: (session: Session) => void;
    },
    options: AgentOptions,
  ) {
    const {
      onResponseChunk,
      onToolProgress,
      onRuntimeEvent,
      prompt,
      preToolHooks,
      stopHooks,
      maxStopCycles,
      maxQueuedEvents,
      ...sdk
    } = options;
    this.#agent = agent;
    this.#options = options;
    this.callbacks = { onResponseChunk, onToolProgress, onRuntimeEvent, prompt };
    const identity = identityOf(options);
    const knownId = identity.sessionId ?? (options.forkSession ? undefined : options.resume);
    this.#feed = new EventFeed(knownId, (event) => this.#happened(event));
    this.#lifecycle = new Lifecycle({
      feed: this.#feed,
      registries: [agent.hookRegistry, this.hookRegistry],
      shellHooks: checkShellHooks(preToolHooks),
      stopHooks: checkStopHooks(stopHooks),
      maxStopCycles: maxStopCycles ?? 3,
      turn: () => this.#turn,
      onError: (error, where) => this.#report(error, where),
      signal: this.#over.signal,
    });
    this.client = new Client({ ...sdk, ...identity, ...this.#served(options) });
  }

  /** The id of the session; `undefined` until the CLI has said it, where it was not known at the start (`continue`). */
  get sessionId(): string | undefined {
    return this.#feed.sessionId;
  }

  /** Starts the CLI ahead of the first message. @throws what {@link Session.submitMessage} would have as the cause of its refusal. */
  async connect(): Promise<void> {
    await this.#start();
  }

  /**
   * Submits a message, and gives its whole turn. Messages that are submitted while a turn runs wait for its end, and each has a turn
   * of its own.
   *
   * @param content A text, or blocks: text, images, documents.
   * @param options.signal Takes the message back, or interrupts its turn.
   * @throws {@link TurnRefusedError} when the model has not seen it: a hook refused it, it was taken back, the session is over or could
   * not be started.
   * @throws {@link TurnFailedError} when the turn did not come to its end: an error, a limit, an interrupt, the end of the session.
   */
  submitMessage(
    content: string | readonly HostBlock[],
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<TurnResult> {
    const before = this.#queue;
    const turn = this.#submit(content, options.signal, before);
    // Without its value: each would hold the turn before, and so all of them.
    this.#queue = Promise.allSettled([before, turn]).then(() => {});
    return turn;
  }

  /** Everything that happens from here on, for one reader who takes it when it likes. Ends with the session. */
  events(): AsyncIterableIterator<RuntimeEvent, undefined> {
    return this.#feed.stream(this.#options.maxQueuedEvents ?? 10_000);
  }

  /** Adds a handler for this session. See {@link Agent.registerHook}. */
  registerHook<Event extends LoopHookEvent>(
    event: Event,
    handler: HookHandler<Event>,
    options?: HookHandlerOptions,
  ): string {
    return this.hookRegistry.register(event, handler, options);
  }

  /**
   * Interrupts the turn that runs, or takes its message back where the CLI has not begun. The message rejects with a
   * {@link TurnFailedError}; the session goes on with those that wait. Does nothing where nothing runs.
   */
  async interrupt(): Promise<void> {
    if (this.#started === undefined) return;
    const turn = this.#turn;
    // Its message is about to be sent: a listener of turn.started may be the one who interrupts.
    if (turn?.origin === "user" && turn.takeBack === undefined) turn.isUnwanted = true;
    else await (turn?.takeBack?.() ?? this.client.interrupt());
  }

  /** Ends a sub-agent or a command in the background. */
  async stopTask(taskId: string): Promise<void> {
    this.#tell({ subtype: "stop_task", task_id: taskId }, "out");
    await this.client.stopTask(taskId);
  }

  /**
   * Ends the session: what runs fails, what waits is refused. Settles when the CLI has exited and the last handlers have run; for a
   * handler of the session, which would wait for itself, when the CLI has exited.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.client.close();
    const over = this.#pumped.then(() => {
      this.#feed.end("The session was closed.");
      this.#over.abort();
      this.#feed.close();
      this.#agent.onClosed(this);
    });
    if (!this.#lifecycle.isWithinHandler) await over;
  }

  /** The same as {@link Session.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #turn(): LiveTurn | undefined {
    return this.#turns.get(this.#feed.turnId ?? "");
  }

  async #submit(
    content: string | readonly HostBlock[],
    signal: AbortSignal | undefined,
    before: Promise<unknown>,
  ): Promise<TurnResult> {
    await untilOrAborted(before, signal);
    if (signal?.aborted) throw new TurnRefusedError("signal", "The message was taken back.", signal.reason);
    if (this.#isClosed) throw new TurnRefusedError("session", "The session was closed.");
    try {
      await untilOrAborted(this.#start(), signal);
    } catch (error) {
      throw new TurnRefusedError("session", "The session could not be started.", error);
    }
    const id = randomUUID();
    const about = { turnId: id, ...(signal && { signal: AbortSignal.any([signal, this.#over.signal]) }) };
    const { stop } = await this.#lifecycle.run("turn_start", { origin: "user", content }, about);
    if (signal?.aborted) throw new TurnRefusedError("signal", "The message was taken back.", signal.reason);
    if (stop !== undefined) throw new TurnRefusedError("turn_start", stop);
    if (this.#over.signal.aborted) throw new TurnRefusedError("session", "The session has ended.", this.#endedBy);
    return this.#run(id, content, signal);
  }

  async #run(id: string, content: string | readonly HostBlock[], signal: AbortSignal | undefined): Promise<TurnResult> {
    const frame = { type: "user", uuid: id, message: { role: "user", content }, parent_tool_use_id: null };
    this.#feed.feed(frame, "out");
    // The frame above has started it; or else the last frame of the session came just before.
    const turn = this.#turns.get(id);
    if (turn === undefined) throw new TurnRefusedError("session", "The session has ended.", this.#endedBy);
    // `later`: a turn of the CLI's own may be running, and the message would be taken in by it.
    const sent = this.client.send(content, { uuid: id, priority: "later" });
    sent.catch((error: unknown) => {
      turn.cause ??= error;
      this.#feed.feed({ type: "command_lifecycle", command_uuid: id, state: "refused" });
    });
    turn.takeBack = async () => {
      const prompt = await sent;
      if (!(await prompt.cancel())) await this.client.interrupt();
    };
    const abort = (): void => {
      turn.cause ??= signal?.reason;
      turn.takeBack?.().catch((error: unknown) => {
        // The end of the session has ended the turn, too.
        if (!this.#over.signal.aborted) this.#report(error, "interrupt");
      });
    };
    if (signal?.aborted || turn.isUnwanted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    await turn.ended;
    signal?.removeEventListener("abort", abort);
    const { end, result, cause } = turn;
    if (end?.type === "turn.completed") return result;
    const { reason = "session_ended", text = "", interrupted = false } = end?.data ?? {};
    if (reason === "prompt_blocked")
      throw new TurnRefusedError("hook", text || "A hook has blocked the prompt.", cause);
    throw new TurnFailedError(reason, text, interrupted, result, cause);
  }

  /** Settles when the CLI takes prompts and the handlers of session_start have run. */
  #start(): Promise<void> {
    this.#started ??= this.#connect();
    return this.#started;
  }

  async #connect(): Promise<void> {
    if (this.#isClosed) throw new TurnRefusedError("session", "The session was closed.");
    this.#pumped = this.#pump();
    await this.client.connect();
    // Else the first message that has an id makes it known.
    if (this.sessionId !== undefined) await this.#begin();
  }

  #begin(): Promise<void> {
    this.#hasBegun ??= this.#lifecycle.run("session_start", { source: "start" }).then(() => {});
    return this.#hasBegun;
  }

  async #pump(): Promise<void> {
    let error: unknown;
    try {
      // The wire decides what a message is.
      for await (const message of this.client.receiveMessages()) this.#read(message as unknown as FrameValue);
    } catch (thrown) {
      error = thrown;
    }
    this.#endedBy = error;
    const text = error instanceof Error ? error.message : "The session has ended.";
    for (const turn of this.#turns.values()) turn.cause ??= error;
    const turns = [...this.#turns.values(), ...this.#finishing].map(({ ended }) => ended);
    this.#feed.end(text);
    this.#lifecycle.close();
    await Promise.all(turns);
    if (this.#hasBegun !== undefined) {
      await this.#hasBegun;
      const reason = this.#isClosed ? "closed" : "exited";
      await this.#lifecycle.run("session_end", { reason, ...(error !== undefined && { error }) });
    }
    this.#over.abort();
    this.#feed.close();
  }

  #read(message: FrameValue): void {
    const turn = this.#turn;
    turn?.record.observe(message);
    const isInSpite = this.#lifecycle.observe(message) === "goes on";
    this.#feed.feed(message);
    if (message.type === "system" && message.subtype === "init") void this.#begin();
    if (message.type === "system" && message.subtype === "task_notification" && message["status"] === "failed") {
      const text = typeof message["summary"] === "string" ? message["summary"] : undefined;
      const agentToolUseId = this.#feed.agentCallOf(message["task_id"]);
      if (agentToolUseId !== undefined)
        void this.#lifecycle.run("on_error", { scope: "agent", error: "failed", text }, { agentToolUseId });
    }
    if (!isInSpite) return;
    this.#report(new Error("The model was called after a hook had ended the turn; it is interrupted"), "interrupt");
    this.client.interrupt().catch((error: unknown) => this.#report(error, "interrupt"));
  }

  /** Calls the callbacks. Gives the event as they saw it. */
  #happened(event: RuntimeEvent): RuntimeEvent {
    if (event.type === "turn.started" && event.turnId !== undefined)
      this.#turns.set(event.turnId, new LiveTurn(event.turnId, event.turnNumber, event.data.origin));
    const seen = isEnd(event) ? this.#withHalt(event) : event;
    const { callbacks } = this;
    const shared = this.#agent.callbacks;
    if (seen.type === "response.chunk")
      this.#call("onResponseChunk", callbacks.onResponseChunk ?? shared.onResponseChunk, seen.data);
    if (seen.type === "tool.progress")
      this.#call("onToolProgress", callbacks.onToolProgress ?? shared.onToolProgress, seen.data);
    this.#call("onRuntimeEvent", callbacks.onRuntimeEvent ?? shared.onRuntimeEvent, seen);
    if (isEnd(seen)) void this.#turnEnded(seen);
    return seen;
  }

  async #turnEnded(event: TurnEnd): Promise<void> {
    const turn = this.#turns.get(event.turnId ?? "");
    if (turn === undefined) return;
    turn.end = event;
    this.#turns.delete(turn.id);
    this.#finishing.add(turn);
    try {
      await this.#lifecycle.finish(turn);
    } catch (error) {
      this.#report(error, "turn_end");
    }
    this.#finishing.delete(turn);
    turn.settle();
  }

  #call<Value>(name: string, callback: ((value: Value) => unknown) | undefined, value: Value): void {
    if (callback === undefined) return;
    try {
      const returned = callback(value);
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#report(error, name));
    } catch (error) {
      this.#report(error, name);
    }
  }

  #report(error: unknown, where: string): void {
    try {
      this.#options.onCallbackError?.(error, { subtype: where });
    } catch {
      // Nobody else can be told.
    }
  }

  /** What the CLI asks, answered by the prompt function; and the hooks, those of the caller beside ours. */
  #served(options: AgentOptions): Options {
    const ask = async (request: PromptRequest): Promise<PromptResponse> => {
      const prompt = this.callbacks.prompt ?? this.#agent.callbacks.prompt;
      if (prompt === undefined) return { cancelled: true };
      try {
        return (await prompt(request)) ?? { cancelled: true };
      } catch (error) {
        this.#report(error, "prompt");
        return { cancelled: true };
      }
    };
    const cwd = (): string => this.client.init?.cwd ?? options.cwd ?? process.cwd();
    return {
      // Behind a transport that the caller started it is set already, or it is not.
      includePartialMessages: options.includePartialMessages ?? (options.transport === undefined ? true : undefined),
      // The callback is ours, and asks where the options leave something to ask.
      onWarning: (warning) => {
        if (warning.code === "REINS_PERMISSION_SHADOWED") return;
        if (options.onWarning != null) options.onWarning(warning);
        else process.emitWarning(warning.message, { type: "ReinsWarning", code: warning.code });
      },
      hooks: mergeHooks(this.#lifecycle.hooks, options.hooks),
      ...(options.mcpServers && {
        mcpServers: observedServers(options.mcpServers, (request, direction) => this.#tell(request, direction)),
      }),
      canUseTool: async (name, input, details) => {
        await framesRead();
        const { requestId, toolUseID, signal, agentID } = details;
        this.#tell(
          { subtype: "can_use_tool", tool_name: name, input, tool_use_id: toolUseID, ...details.request },
          "in",
          requestId,
        );
        const agentToolUseId = this.#feed.agentCallOf(agentID, toolUseID);
        const answer = await askPermission(ask, name, input, details, { workingDirectory: cwd(), agentToolUseId });
        if (signal.aborted) this.#feed.feed({ type: "control_cancel_request", request_id: requestId });
        else
          this.#feed.feed(
            { type: "control_response", response: { subtype: "success", request_id: requestId, response: answer } },
            "out",
          );
        return answer;
      },
      onElicitation: async (elicitation, { requestId, signal }) => {
        await framesRead();
        const {
          serverName: mcp_server_name,
          requestedSchema: requested_schema,
          elicitationId: elicitation_id,
          ...rest
        } = elicitation;
        this.#tell(
          { subtype: "elicitation", mcp_server_name, requested_schema, elicitation_id, ...rest },
          "in",
          requestId,
        );
        return askElicitation(ask, elicitation, signal, cwd());
      },
      ...(options.supportedDialogKinds && {
        onUserDialog: async (dialog, { requestId, signal }) => {
          await framesRead();
          const { dialogKind: dialog_kind, payload } = dialog;
          this.#tell({ subtype: "request_user_dialog", dialog_kind, payload, message: dialog_kind }, "in", requestId);
          return askDialog(ask, dialog, signal, cwd());
        },
      }),
    };
  }

  /** A control request that does not come this way as a frame. */
  #tell(request: Readonly<Record<string, unknown>>, direction: "in" | "out", requestId?: string): void {
    const request_id = requestId ?? `runtime-${++this.#requests}`;
    this.#feed.feed({ type: "control_request", request_id, request }, direction);
  }

  /** The event with who halted the turn in the words of this package. */
  #withHalt(event: TurnEnd): TurnEnd {
    const halted = this.#turns.get(event.turnId ?? "")?.halted;
    if (halted === undefined || (event.type === "turn.completed" && event.data.stopped === undefined)) return event;
    // The data is that of the event, whatever its type.
    return { ...event, data: { ...event.data, stopped: halted } } as TurnEnd;
  }
}

function isEnd(event: RuntimeEvent): event is TurnEnd {
  return event.type === "turn.completed" || event.type === "turn.failed";
}

/** A new id where the CLI would make one up, so that it is known before the first turn. */
function identityOf(options: AgentOptions): Pick<Options, "sessionId"> {
  const { sessionId, resume, continue: goesOn, forkSession, transport } = options;
  if (sessionId !== undefined) return { sessionId };
  const isNew = (resume === undefined && !goesOn) || forkSession === true;
  return isNew && transport === undefined ? { sessionId: randomUUID() } : {};
}

/** The callbacks of the caller behind ours, event by event. */
function mergeHooks(ours: Hooks, theirs: Hooks = {}): Hooks {
  const events = Object.keys(ours) as (keyof Hooks)[];
  const shared = events.map((event) => [event, [...(ours[event] ?? []), ...(theirs[event] ?? [])]] as const);
  // Each event has matchers of its own kind, as it had before.
  return { ...theirs, ...Object.fromEntries(shared) } as Hooks;
}

/** Settles with the promise, or as soon as the signal aborts. */
async function untilOrAborted(promise: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    await promise;
    return;
  }
  // Whoever stops waiting is told of no failure.
  promise.catch(() => {});
  if (signal.aborted) return;
  let abort = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    abort = resolve;
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

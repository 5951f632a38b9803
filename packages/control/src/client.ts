import {
  encodeFrame,
  type Frame,
  FrameEncodeError,
  type FrameValue,
  type Transport,
  type TransportExit,
} from "@reins/streamjson";
import type { Diagnostic } from "./diagnostic.ts";
import { ErrorResultMemory } from "./error-result.ts";
import { ControlError, NoResultError, SessionClosedError } from "./errors.ts";
import { HookRegistry, type Hooks } from "./hooks.ts";
import { type Answer, InboundRequests, type RequestHandler } from "./inbound-requests.ts";
import { type InProcessServer, McpRouter } from "./mcp-router.ts";
import { MessageQueue } from "./message-queue.ts";
import { PendingRequests } from "./pending-requests.ts";
import { type CanUseTool, createPermissionHandler } from "./permissions.ts";
import { RunState, type SessionState } from "./run-state.ts";
import { startTimer } from "./timer.ts";

/** What a {@link ControlClient} serves to the CLI, and its limits. */
export interface ControlClientOptions {
  /** Answers the CLI's permission questions. The CLI asks only when it was started with `--permission-prompt-tool=stdio`. */
  readonly canUseTool?: CanUseTool;
  /** Callbacks at points of the CLI's run. */
  readonly hooks?: Hooks;
  /** MCP servers in this process, by the name that the CLI sees. */
  readonly mcpServers?: Readonly<Record<string, InProcessServer>>;
  /** Told of what is no message and needs no answer: noise on the output, late answers, failed callbacks. Must not throw. Default: nobody. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Deadline of a control request in milliseconds, where the call gives none. Default 60,000. */
  readonly requestTimeoutMs?: number;
  /**
   * How long after a result a run may stay open without a sign of it before it counts as over, in milliseconds; 0 for ever.
   * Default 600,000, as the CLI's own ceiling for background work.
   */
  readonly runCeilingMs?: number;
  /**
   * How much is read ahead of a slow reader of messages, in UTF-16 units of frame text. Default 16,777,216. Behind that much, what the
   * CLI asks waits until the reader goes on, so a reader must not wait for a callback of its own; waiting for a request is fine.
   */
  readonly maxQueuedLength?: number;
}

/** How one control request is sent. */
export interface RequestOptions {
  /** Gives the request up: it rejects with the signal's reason, and the CLI is told. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the request is given up with a ControlTimeoutError; `Infinity` for never. Default: the client's `requestTimeoutMs`. */
  readonly timeoutMs?: number;
}

/** What an interrupt did to the prompts that waited. */
export interface InterruptReceipt {
  /** Ids of the queued prompts that will still run. */
  readonly stillQueued: readonly string[];
  /** Ids of the queued prompts that were cancelled. */
  readonly cancelled: readonly string[];
}

/**
 * Speaks the control protocol over any transport: sends requests and correlates their answers, serves the CLI's requests with the
 * given callbacks, and hands out everything else as messages.
 *
 * Reading begins with the construction and never waits for callbacks. It waits for the reader of messages only when
 * `maxQueuedLength` is reached, and not while a request of ours is unanswered. The client owns the transport.
 *
 * @example
 * const client = new ControlClient(transport, { canUseTool: async (name, input) => ({ behavior: "allow", updatedInput: input }) });
 * await client.initialize();
 * await client.send({ type: "user", message: { role: "user", content: "Hello" } });
 * for await (const frame of client.messages) if (frame.type === "result") break;
 */
export class ControlClient implements AsyncDisposable {
  /** Everything that is no control traffic, in order. One consumer; leaving it early closes the session. */
  readonly messages: MessageQueue;
  readonly #transport: Transport;
  readonly #options: ControlClientOptions;
  readonly #pending: PendingRequests;
  readonly #inbound: InboundRequests;
  readonly #hooks: HookRegistry;
  readonly #mcp: McpRouter;
  readonly #run: RunState;
  readonly #errorResult = new ErrorResultMemory();
  readonly #idPrefix = `req_${Math.random().toString(36).slice(2, 8)}_`;
  #requests = 0;
  /** Why nothing can be sent any more. */
  #end: Error | undefined;
  readonly #reading: Promise<void>;

  /** @throws TypeError when `hooks` has not the shape of its type. */
  constructor(transport: Transport, options: ControlClientOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#hooks = new HookRegistry(options.hooks ?? {});
    this.messages = new MessageQueue(options.maxQueuedLength ?? 16 * 1024 * 1024, () => this.close());
    this.#run = new RunState(options.runCeilingMs ?? 600_000, () => this.#report({ kind: "run-ceiling" }));
    this.#pending = new PendingRequests((id) => this.#sendQuietly({ type: "control_cancel_request", request_id: id }));
    this.#inbound = new InboundRequests({
      send: (requestId, answer) => this.#answer(requestId, answer),
      onFailure: (subtype, error) => this.#report({ kind: "callback-failed", subtype, error }),
      onLateAnswer: (requestId, subtype) => this.#report({ kind: "late-answer", requestId, subtype }),
    });
    this.#mcp = new McpRouter(options.mcpServers ?? {}, (serverName, message) => this.#sendMcp(serverName, message));
    this.#serveDefaults();
    this.#reading = this.#read();
  }

  /** The state that the CLI reported last; `undefined` if it never did. */
  get state(): SessionState | undefined {
    return this.#run.state;
  }

  /**
   * Makes the CLI acquainted with the hooks and in-process servers of this client. Send it before the first prompt.
   *
   * @param fields Further fields of the request, such as `systemPrompt` or `agents`, under their wire names.
   * @returns The CLI's answer: commands, models, account, capabilities.
   */
  initialize(
    fields: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const servers = this.#mcp.names;
    return this.request(
      "initialize",
      { hooks: this.#hooks.wire, sdkMcpServers: servers.length === 0 ? undefined : servers, ...fields },
      options,
    );
  }

  /**
   * Sends a control request and gives the CLI's answer, `{}` where it has none.
   *
   * @param fields Fields of the request under their wire names.
   * @throws {@link ControlError} when the CLI refuses, {@link ControlTimeoutError} at the deadline, the reason of `options.signal`
   * when it aborts, and the error that ended the session when it ends first.
   */
  async request(
    subtype: string,
    fields: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    options.signal?.throwIfAborted();
    if (this.#end !== undefined) throw this.#end;
    const timeoutMs = options.timeoutMs ?? this.#options.requestTimeoutMs ?? 60_000;
    const id = `${this.#idPrefix}${++this.#requests}`;
    const answer = this.#pending.open(id, subtype, {
      signal: options.signal,
      timeoutMs,
    });
    // The answer may be behind messages that nobody reads at the moment.
    this.messages.wake();
    this.#write({ type: "control_request", request_id: id, request: { subtype, ...fields } }).catch(
      async (error: unknown) => {
        this.#pending.settle(id, { error: await this.#explain(error) });
      },
    );
    return answer;
  }

  /**
   * Interrupts the turn. The session goes on.
   *
   * @returns What happened to queued prompts; `undefined` when the CLI is too old to say.
   */
  async interrupt(
    options: { readonly cancelQueued?: boolean } & RequestOptions = {},
  ): Promise<InterruptReceipt | undefined> {
    const { cancelQueued, ...requestOptions } = options;
    const answer = await this.request("interrupt", cancelQueued ? { cancel_queued: true } : {}, requestOptions);
    const stillQueued = answer["still_queued"];
    if (!Array.isArray(stillQueued)) return undefined;
    const cancelled = answer["cancelled"];
    return { stillQueued, cancelled: Array.isArray(cancelled) ? cancelled : [] };
  }

  /**
   * Sends a frame as it is, most often a prompt: `{ type: "user", message: { role: "user", content } }`. Settles when it was written.
   *
   * @throws a FrameEncodeError for a value that is no frame; otherwise why it could not be written, most often the error that
   * ended the session.
   */
  async send(frame: Frame | FrameValue): Promise<void> {
    if (this.#end !== undefined) throw this.#end;
    if (frame.type === "user") {
      // What cannot be written must not begin a run that nothing will end.
      encodeFrame(frame);
      this.#run.promptSent();
    }
    try {
      await this.#write(frame);
    } catch (error) {
      throw await this.#explain(error);
    }
  }

  /** Serves a kind of request that the client does not know, or replaces how it serves one. Returns the function that takes it back. */
  onRequest(subtype: string, handler: RequestHandler): () => void {
    return this.#inbound.serve(subtype, handler);
  }

  /** Settles when the current run is over: a result was seen and the CLI says that it is idle. Also when the session ends. */
  whenRunOver(): Promise<void> {
    return this.#run.whenOver();
  }

  /**
   * The normal end: waits until the run is over, ends the input, and lets the CLI exit by itself. What lives on with nothing left to
   * do is closed after the grace.
   *
   * @param graceMs Milliseconds that an idle CLI gets to exit after the end of its input. Default 2,000.
   */
  async finish(graceMs = 2_000): Promise<void> {
    await this.#run.whenOver();
    // Not waited for: a CLI that does not read must not keep the grace from running, and why a sink failed is told by the exit.
    void quietly(() => this.#transport.endInput());
    await this.#exitOrGrace(graceMs);
    await this.close();
  }

  /**
   * Ends the session and the transport. Settles when the transport's other side is gone; never rejects. Idempotent.
   *
   * @param reason What pending requests and the reader of messages get. Default: a SessionClosedError for the requests, and a quiet
   * end for the reader.
   */
  async close(reason?: unknown): Promise<void> {
    this.messages.end(reason === undefined ? {} : { error: reason });
    this.#finish(
      reason instanceof Error ? reason : new SessionClosedError("the session was closed by the host", reason),
    );
    await quietly(() => this.#transport.close());
    // Bounded for a transport that breaks its rule: frames end with the other side.
    await settledWithin(this.#reading, exitGraceMs);
  }

  /** Settles when the session has ended, for whatever reason, and the transport's other side is gone. Never rejects. */
  get ended(): Promise<void> {
    return this.#reading;
  }

  /** The same as {@link ControlClient.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The one reader. Never waits for user code, but for room in the queue. */
  async #read(): Promise<void> {
    let failure: unknown;
    try {
      for await (const batch of this.#transport.frames) {
        for (const frame of batch) this.#route(frame);
        while (this.messages.isFull && this.#pending.size === 0 && this.#end === undefined) {
          this.#run.holdBack(true);
          await this.messages.room();
          this.#run.holdBack(false);
        }
      }
    } catch (error) {
      failure = error;
    }
    const exit = await this.#exitAfterOutput();
    const error = failure ?? exit.error;
    const resultError = error === undefined ? undefined : this.#errorResult.toError(error);
    const cause = resultError ?? error;
    const lacksResult = this.#run.lacksResult;
    const reason = cause instanceof Error ? cause : new SessionClosedError("the CLI ended", cause);
    this.#finish(reason);
    if (cause !== undefined) this.messages.end({ error: cause });
    else if (lacksResult) this.messages.end({ error: new NoResultError(exit.stderrTail) });
    else this.messages.end();
  }

  #route(frame: Frame): void {
    const error = frame.error;
    if (error !== undefined) {
      this.#report({ kind: "malformed-frame", frame, error });
      return;
    }
    const value = frame.value;
    switch (value.type) {
      case "control_response":
        this.#settle(value);
        return;
      case "control_request":
        this.#dispatch(value);
        return;
      case "control_cancel_request":
        if (typeof value["request_id"] === "string") this.#inbound.cancel(value["request_id"]);
        return;
      case "keep_alive":
        return;
      default:
        this.#run.observe(frame);
        this.#errorResult.observe(value);
        // Asked for by the host's environment, to steer the run; not meant for the user.
        if (value["sdk_host_only"] !== true) this.messages.push(frame);
    }
  }

  #settle(value: FrameValue): void {
    const response = value["response"];
    const id = isRecord(response) ? response["request_id"] : undefined;
    const subtype = typeof id === "string" ? this.#pending.subtypeOf(id) : undefined;
    if (!isRecord(response) || typeof id !== "string" || subtype === undefined) {
      this.#report({ kind: "unmatched-response", response: value });
      return;
    }
    if (response["subtype"] === "success") {
      const payload = response["response"];
      this.#pending.settle(id, { response: isRecord(payload) ? payload : {} });
      return;
    }
    const text =
      typeof response["error"] === "string" ? response["error"] : `The CLI gave no valid answer to ${subtype}`;
    const errorCode = response["error_code"];
    this.#pending.settle(id, {
      error: new ControlError(subtype, text, typeof errorCode === "string" ? errorCode : undefined),
    });
  }

  #dispatch(value: FrameValue): void {
    const requestId = value["request_id"];
    const request = value["request"];
    if (typeof requestId !== "string" || !isRecord(request)) {
      this.#report({ kind: "unanswerable-request", request: value });
      return;
    }
    this.#inbound.dispatch(requestId, request);
  }

  /** Writes a frame at once; asynchronous so that a transport which throws rejects instead. */
  async #write(frame: Frame | FrameValue): Promise<void> {
    await this.#transport.send(frame);
  }

  async #answer(requestId: string, answer: Exclude<Answer, { kind: "none" }>): Promise<void> {
    const response =
      answer.kind === "success"
        ? { subtype: "success", request_id: requestId, response: answer.response }
        : { subtype: "error", request_id: requestId, error: answer.error, error_code: answer.errorCode };
    try {
      await this.#write({ type: "control_response", response });
    } catch (error) {
      if (error instanceof FrameEncodeError) throw error;
      this.#report({ kind: "answer-lost", requestId, error });
    }
  }

  #sendMcp(serverName: string, message: unknown): void {
    // An acknowledgement without content; what the CLI makes of the message comes as a message of its own.
    this.request("mcp_message", { server_name: serverName, message }).catch((error: unknown) => {
      if (this.#end === undefined) this.#report({ kind: "callback-failed", subtype: "mcp_message", error });
    });
  }

  #sendQuietly(frame: FrameValue): void {
    if (this.#end === undefined) void quietly(() => this.#write(frame));
  }

  #serveDefaults(): void {
    const { canUseTool } = this.#options;
    this.#inbound.serve(
      "can_use_tool",
      canUseTool === undefined
        ? { handle: () => ({ kind: "error", error: "canUseTool callback is not provided." }) }
        : createPermissionHandler(canUseTool),
    );
    this.#inbound.serve("hook_callback", this.#hooks.handler);
    this.#inbound.serve("mcp_message", this.#mcp.handler);
    this.#inbound.serve("elicitation", { handle: () => ({ kind: "success", response: { action: "decline" } }) });
    // Only kinds that initialize declared are asked for, and an error would not settle the dialog.
    this.#inbound.serve("request_user_dialog", { handle: () => ({ kind: "none" }) });
  }

  /** Settles everything that waits, once; the first reason counts. */
  #finish(reason: Error): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#inbound.close();
    this.#mcp.close();
    this.#pending.settleAll(reason);
    this.#run.close();
    this.messages.wake();
  }

  /** Turns a failed write into the reason why the session ended, if that becomes known soon. */
  async #explain(error: unknown): Promise<unknown> {
    if (error instanceof FrameEncodeError) return error;
    // While the reader waits for room, the end may be behind what it has not read.
    while (!(await settledWithin(this.#reading, exitGraceMs)) && this.#run.isHeldBack);
    return this.#end ?? error;
  }

  /** How the other side ended. One that closed its output but lives on cannot be understood any more, and is closed. */
  async #exitAfterOutput(): Promise<TransportExit> {
    const { closed } = this.#transport;
    if (!(await settledWithin(closed, exitGraceMs))) await quietly(() => this.#transport.close());
    // It must not reject; one that does has told at least why.
    return closed.catch((error: unknown) => ({
      code: null,
      signal: null,
      stderrTail: "",
      error: error instanceof Error ? error : new SessionClosedError("the transport failed", error),
    }));
  }

  /** Waits for the exit, but no longer than the grace once nothing is going on. */
  async #exitOrGrace(graceMs: number): Promise<void> {
    let stopTimer = (): void => {};
    let stopWatching = (): void => {};
    const grace = new Promise<void>((resolve) => {
      const check = (): void => {
        stopTimer();
        stopTimer = this.#run.isQuiet ? startTimer(graceMs, resolve) : () => {};
      };
      stopWatching = this.#run.watch(check);
      check();
    });
    await Promise.race([this.#reading, grace]);
    stopTimer();
    stopWatching();
  }

  #report(diagnostic: Diagnostic): void {
    try {
      this.#options.onDiagnostic?.(diagnostic);
    } catch {
      // A reporter that fails must not end the session, and there is nobody else to tell.
    }
  }
}

/** A process closes its output a moment before its exit is seen; after that long it will not exit by itself. */
const exitGraceMs = 2_000;

/** Does what a transport promises not to fail at, or whose failure the exit explains. */
async function quietly(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch {
    // There is nothing else to try, and nobody to tell.
  }
}

/** Whether the promise settles within the time. Leaves no timer. */
async function settledWithin(promise: Promise<unknown>, timeMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeMs);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type {
  HostBlock,
  InitializeRequest,
  InitializeResponse,
  McpMessageRequest,
  McpSetServersResult,
  OutboundSubtype,
  SlashCommand,
  UserFrame,
} from "@reins/messages";
import { encodeFrame, type Frame, FrameEncodeError, type FrameValue, type Transport } from "@reins/streamjson";
import type { ControlClientOptions } from "./client-options.ts";
import { ControlMethods, type RequestFieldsOf, type RequestOptions, type ResponseOf } from "./control-methods.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { ErrorResultMemory } from "./error-result.ts";
import { CapabilityError, ControlError, NoResultError, SessionClosedError } from "./errors.ts";
import { HookRegistry } from "./hooks.ts";
import { type Answer, InboundRequests, type RequestHandler } from "./inbound-requests.ts";
import { type InProcessServer, type JsonRpcMessage, McpRouter } from "./mcp-router.ts";
import { MessageQueue } from "./message-queue.ts";
import { PendingRequests } from "./pending-requests.ts";
import { createPermissionHandler } from "./permissions.ts";
import { ResultGate } from "./result-gate.ts";
import { RunState, type SessionState } from "./run-state.ts";
import {
  exitAfterOutput,
  exitGraceMs,
  exitOrGrace,
  explainFailedWrite,
  quietly,
  settledWithin,
} from "./session-exit.ts";
import { type Turn, TurnTracker } from "./turn-tracker.ts";
import { createDialogHandler, createElicitationHandler } from "./user-questions.ts";

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
export class ControlClient extends ControlMethods implements AsyncDisposable {
  /** Everything that is no control traffic, in order. One consumer; leaving it early closes the session. */
  readonly messages: MessageQueue;
  readonly #transport: Transport;
  readonly #options: ControlClientOptions;
  readonly #pending: PendingRequests;
  readonly #inbound: InboundRequests;
  readonly #hooks: HookRegistry;
  readonly #mcp: McpRouter;
  readonly #run: RunState;
  readonly #gate: ResultGate;
  readonly #turns = new TurnTracker((uuid) => this.cancelAsyncMessage(uuid));
  readonly #capabilities = new Set<string>();
  readonly #errorResult = new ErrorResultMemory();
  readonly #idPrefix = `req_${Math.random().toString(36).slice(2, 8)}_`;
  #requests = 0;
  #initialization:
    | { readonly fields: Partial<InitializeRequest>; readonly answer: Promise<InitializeResponse> }
    | undefined;
  /** The list of the newest `commands_changed` message. */
  #commands: SlashCommand[] | undefined;
  /** What in-process servers may know of the session. */
  readonly #session: { sessionId: string | undefined } = { sessionId: undefined };
  /** What is written waits for this, while there is something to be found out for the initialize request. */
  #preparing: Promise<void> | undefined;
  /** Why nothing can be sent any more. */
  #end: Error | undefined;
  readonly #reading: Promise<void>;

  /** @throws TypeError when `hooks` has not the shape of its type. */
  constructor(transport: Transport, options: ControlClientOptions = {}) {
    super();
    this.#transport = transport;
    this.#options = options;
    this.#hooks = new HookRegistry(options.hooks ?? {}, (event, fields) =>
      this.#report({ kind: "hook-fields-dropped", event, fields }),
    );
    this.messages = new MessageQueue(options.maxQueuedLength ?? 16 * 1024 * 1024, () => this.close());
    this.#gate = new ResultGate(this.messages, options.beforeResult);
    this.#run = new RunState(
      options.runCeilingMs ?? 600_000,
      () => this.#report({ kind: "run-ceiling" }),
      () => this.#turns.hasOpenPrompts,
    );
    this.#pending = new PendingRequests((id) => this.#sendQuietly({ type: "control_cancel_request", request_id: id }));
    this.#inbound = new InboundRequests({
      send: (requestId, answer) => this.#answer(requestId, answer),
      onFailure: (subtype, error) => this.#callbackFailed(subtype, error),
      onLateAnswer: (requestId, subtype) => this.#report({ kind: "late-answer", requestId, subtype }),
    });
    this.#mcp = new McpRouter(
      options.mcpServers ?? {},
      (serverName, message) => this.#sendMcp(serverName, message),
      this.#session,
    );
    this.#serveDefaults();
    for (const limit of this.#hooks.limits) this.#report({ kind: "hook-out-of-reach", ...limit });
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
   * @throws {@link ControlError} also when the CLI took the request and not the hooks, {@link CapabilityError} when a matcher says
   * `onFailure: "block"` to a CLI that is too old for it.
   */
  async initialize(
    fields: RequestFieldsOf<"initialize"> = {},
    options: RequestOptions = {},
  ): Promise<InitializeResponse> {
    const isFirst = this.#initialization === undefined;
    const answer = isFirst ? this.#initializeWithManifests(fields, options) : this.#initialize(fields, options);
    answer.catch(() => {});
    this.#initialization ??= { fields, answer };
    return answer;
  }

  /**
   * Initializes the session again after a gap, with the same callbacks. The CLI's open permission questions and dialogs are served
   * again where nobody does already; hooks that were open are settled by the CLI.
   */
  reinitialize(options: RequestOptions = {}): Promise<InitializeResponse> {
    // Manifests are for servers that were not shaken hands with.
    const { sdkMcpServerManifests: _, ...fields } = this.#initialization?.fields ?? {};
    return this.#initialize(fields, options);
  }

  async initializationResult(): Promise<InitializeResponse> {
    if (this.#initialization !== undefined) return this.#initialization.answer;
    throw new ControlError("initialize", "The session was not initialized. Call initialize() first.");
  }

  /**
   * Replaces what {@link ControlClient.initializationResult} gives, for a CLI that was initialized before it became this session.
   *
   * @param answer What the CLI says of itself now. Methods that tell of it wait for it.
   */
  becomes(answer: Promise<InitializeResponse>): void {
    answer.catch(() => {});
    this.#initialization = { fields: this.#initialization?.fields ?? {}, answer };
  }

  override async supportedCommands(): Promise<SlashCommand[]> {
    return this.#commands ?? super.supportedCommands();
  }

  supports(capability: string): boolean {
    return this.#capabilities.has(capability);
  }

  /**
   * Replaces the MCP servers of earlier calls and all in-process servers; those of the command line stay.
   *
   * @param external Servers that the CLI starts or dials, by name.
   * @param inProcess Servers in this process, by name.
   */
  setMcpServers(
    external: RequestFieldsOf<"mcp_set_servers">["servers"],
    inProcess: Readonly<Record<string, InProcessServer>> = {},
  ): Promise<McpSetServersResult> {
    this.#mcp.replace(inProcess);
    return this.request("mcp_set_servers", { servers: { ...external, ...this.#mcp.configs } });
  }

  async request<Subtype extends OutboundSubtype | (string & {})>(
    subtype: Subtype,
    fields?: RequestFieldsOf<Subtype>,
    options: RequestOptions = {},
  ): Promise<ResponseOf<Subtype>> {
    options.signal?.throwIfAborted();
    if (this.#end !== undefined) throw this.#end;
    const timeoutMs =
      options.timeoutMs ?? (openEnded.includes(subtype) ? Infinity : (this.#options.requestTimeoutMs ?? 60_000));
    const id = `${this.#idPrefix}${++this.#requests}`;
    const answer = this.#pending.open(id, subtype, { signal: options.signal, timeoutMs });
    // The answer may be behind messages that nobody reads at the moment.
    this.messages.wake();
    this.#write({ type: "control_request", request_id: id, request: { subtype, ...fields } }).catch(
      async (error: unknown) => {
        this.#pending.settle(id, { error: await this.#explain(error) });
      },
    );
    // The types say what this CLI answers; an answer that lacks something is handed on as it is.
    return (await answer) as ResponseOf<Subtype>;
  }

  /**
   * Sends a prompt, and gives a handle on what becomes of it.
   *
   * @param fields Further fields of the frame, such as `priority`. Default `uuid`: a random one.
   * @throws what {@link ControlClient.send} throws.
   */
  async prompt(
    content: string | readonly HostBlock[],
    fields: Omit<UserFrame, "type" | "message"> = {},
  ): Promise<Turn> {
    const uuid = fields.uuid ?? crypto.randomUUID();
    const turn = this.#turns.open(uuid);
    try {
      await this.send({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, ...fields, uuid });
    } catch (error) {
      this.#turns.drop(uuid, error);
      throw error;
    }
    return turn;
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
   * The normal end: waits until the run is over and, with callbacks, the work in the background too, ends the input, and lets the CLI
   * exit by itself. What lives on with nothing left to do is closed after the grace.
   *
   * @param graceMs Milliseconds that an idle CLI gets to exit after the end of its input. Default 2,000.
   */
  async finish(graceMs = 2_000): Promise<void> {
    // The initialize request is written before the input ends, if there is nothing else.
    await this.#preparing;
    await this.#run.whenOver();
    await this.#run.whenQuiet(this.#backgroundCeilingMs, () => this.#report({ kind: "background-ceiling" }));
    // Not waited for: a CLI that does not read must not keep the grace from running, and why a sink failed is told by the exit.
    void quietly(() => this.#transport.endInput());
    await exitOrGrace(this.#reading, this.#run, graceMs);
    await this.#gate.whenOpen();
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
    const exit = await exitAfterOutput(this.#transport);
    const error = failure ?? exit.error;
    const resultError =
      error === undefined ? undefined : this.#errorResult.toError(error, this.#options.sessionFolder?.());
    const cause = resultError ?? error;
    // A prompt may wait for the answer to initialize, and a CLI that never gave it has not come to a normal end in any case.
    const lacksResult = this.#run.lacksResult || this.#pending.hasSubtype("initialize");
    const reason = cause instanceof Error ? cause : new SessionClosedError("the CLI ended", cause);
    this.#finish(reason);
    await this.#gate.whenOpen();
    await this.#gate.pushAhead();
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
      case "transcript_mirror":
        if (this.#options.onTranscriptMirror !== undefined) {
          this.#options.onTranscriptMirror(frame);
          return;
        }
        this.messages.push(frame);
        return;
      default:
        this.#observe(value);
        this.#turns.observe(value);
        this.#run.observe(frame);
        this.#errorResult.observe(value);
        // Asked for by the host's environment, to steer the run; not meant for the user.
        if (value["sdk_host_only"] !== true) this.#deliver(frame);
    }
  }

  #deliver(frame: Frame): void {
    try {
      this.#options.onMessage?.(frame);
    } catch (error) {
      // Else the turn would go on for as long as a CLI may take to exit.
      this.#sendQuietly({
        type: "control_request",
        request_id: `${this.#idPrefix}${++this.#requests}`,
        request: { subtype: "interrupt" },
      });
      // A reason, whatever was thrown: without one the end would be quiet.
      void this.close(error ?? new SessionClosedError("onMessage threw nothing"));
      return;
    }
    this.#gate.deliver(frame);
  }

  /** Whatever is written meanwhile waits: the CLI has to know the servers before a prompt. */
  async #initializeWithManifests(
    fields: Partial<InitializeRequest>,
    options: RequestOptions,
  ): Promise<InitializeResponse> {
    let manifests: Awaited<ReturnType<McpRouter["captureManifests"]>>;
    if (this.#mcp.names.length > 0) {
      this.#preparing = this.#mcp.captureManifests(manifestsMs).then((captured) => {
        manifests = captured;
        this.#preparing = undefined;
      });
      // The first to wait, so the request is the first to be written.
      await this.#preparing;
    }
    return this.#initialize({ sdkMcpServerManifests: manifests, ...fields }, options);
  }

  async #initialize(fields: Partial<InitializeRequest>, options: RequestOptions): Promise<InitializeResponse> {
    const servers = this.#mcp.names;
    const kinds = this.#options.supportedDialogKinds;
    const answer = await this.request(
      "initialize",
      {
        hooks: this.#hooks.wire,
        sdkMcpServers: servers.length === 0 ? undefined : servers,
        sdkMcpServerConfigs: this.#mcp.settings,
        supportedDialogKinds: kinds,
        ...fields,
      },
      options,
    );
    this.#addCapabilities(answer.capabilities);
    // Without the hooks that should watch over it the CLI would run a prompt all the same.
    if (answer.hooks_applied === false) throw new ControlError("initialize", "The CLI did not apply the hooks.");
    if (this.#hooks.demandsBlock && answer.hook_on_failure_supported !== true)
      throw new CapabilityError('onFailure: "block"', "hook_on_failure_supported");
    return answer;
  }

  /** Takes note of what the client itself answers from. */
  #observe(value: FrameValue): void {
    if (value.type !== "system") return;
    if (value.subtype === "init") {
      this.#addCapabilities(value["capabilities"]);
      if (typeof value["session_id"] === "string") this.#session.sessionId = value["session_id"];
    }
    // The wire decides what a command is.
    if (value.subtype === "commands_changed" && Array.isArray(value["commands"])) this.#commands = value["commands"];
  }

  #addCapabilities(list: unknown): void {
    if (Array.isArray(list)) for (const capability of list) this.#capabilities.add(String(capability));
  }

  get #backgroundCeilingMs(): number {
    const { backgroundCeilingMs, canUseTool, onElicitation, onUserDialog } = this.#options;
    const serves = canUseTool ?? onElicitation ?? onUserDialog ?? this.#hooks.wire;
    return backgroundCeilingMs ?? (serves !== undefined || this.#mcp.names.length > 0 ? 600_000 : 0);
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
      if (subtype === "initialize") for (const list of pendingLists) this.#redeliver(response[list]);
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

  /** Serves what the CLI asked before a gap. What is being served already is not begun again. */
  #redeliver(requests: unknown): void {
    if (Array.isArray(requests)) for (const request of requests) if (isRecord(request)) this.#dispatch(request);
  }

  #dispatch(value: Readonly<Record<string, unknown>>): void {
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
    if (this.#preparing !== undefined) await this.#preparing;
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

  #sendMcp(serverName: string, message: JsonRpcMessage): void {
    // The server's own message, as it is. An acknowledgement without content; what the CLI makes of the message comes as a message of its own.
    this.request("mcp_message", { server_name: serverName, message: message as McpMessageRequest["message"] }).catch(
      (error: unknown) => {
        if (this.#end === undefined) this.#callbackFailed("mcp_message", error);
      },
    );
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
    const { onElicitation, onUserDialog, supportedDialogKinds = [] } = this.#options;
    this.#inbound.serve("elicitation", createElicitationHandler(onElicitation));
    this.#inbound.serve("request_user_dialog", createDialogHandler(onUserDialog, supportedDialogKinds));
  }

  /** Settles everything that waits, once; the first reason counts. */
  #finish(reason: Error): void {
    if (this.#end !== undefined) return;
    this.#end = reason;
    this.#inbound.close();
    this.#mcp.close();
    this.#pending.settleAll(reason);
    this.#turns.close(reason);
    this.#run.close();
    this.messages.wake();
  }

  #explain(error: unknown): Promise<unknown> {
    return explainFailedWrite(error, this.#reading, this.#run, () => this.#end);
  }

  #callbackFailed(subtype: string, error: unknown): void {
    this.#report({ kind: "callback-failed", subtype, error });
    try {
      this.#options.onCallbackError?.(error, { subtype });
    } catch {
      // As below.
    }
  }

  #report(diagnostic: Diagnostic): void {
    try {
      this.#options.onDiagnostic?.(diagnostic);
    } catch {
      // A reporter that fails must not end the session, and there is nobody else to tell.
    }
  }
}

/** Siblings of the answer to initialize: requests of the CLI that are open. */
const pendingLists = ["pending_permission_requests", "pending_user_dialog_requests", "pending_elicitation_requests"];

/** What takes as long as a model, a user or a tool takes. */
const openEnded: readonly string[] = ["side_question", "mcp_call", "mcp_authenticate"];

/** As long as the official SDK gives servers to answer before the initialize request, in milliseconds. */
const manifestsMs = 250;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { ControlClient, type ControlClientOptions, ControlError, ControlTimeoutError } from "@reins/control";
import type { Message } from "@reins/messages";
import { buildLaunch, CliNotFoundError, type LaunchHost, onAbort, startClaude } from "@reins/process";
import { AbortError, type Frame, type Transport } from "@reins/streamjson";
import { endedTransport } from "./ended-transport.ts";
import { type Options, splitOptions } from "./options.ts";
import { checkPrompt, feedPrompt, type Prompt } from "./prompt.ts";

/**
 * Starts a session with the Claude Code CLI and gives its messages, as the CLI writes them.
 *
 * The CLI is started at once. With a text the query ends by itself after the answer; with an iterable it ends when the iterable is
 * exhausted and the last run is over. Leaving the loop, `close()`, `await using` and an abort all stop the CLI: its input is ended,
 * after 2 s it gets SIGTERM, after 5 s more SIGKILL. With hooks the prompt is sent once the CLI has taken them; that it refuses them
 * ends the query with its ControlError.
 *
 * Reading throws, behind the messages that came before: a CliNotFoundError or LaunchError when the CLI could not be started, a
 * ResultError when it ended with an error result, a ProcessError when it failed otherwise, a NoResultError when it ended without
 * a result, an AbortError, and whatever the prompt iterable threw.
 *
 * @throws {@link OptionError} for an option that cannot reach the CLI, {@link PromptError} for a prompt that is none.
 * @example
 * for await (const message of query({ prompt: "What is 2 + 2?" })) {
 *   if (message.type === "result" && message.subtype === "success" && !message.is_error) console.log(message.result);
 * }
 */
export function query(parameters: { readonly prompt: Prompt; readonly options?: Options | undefined }): Query {
  const { prompt, options = {} } = parameters;
  checkPrompt(prompt);
  const { launch, inProcess } = splitOptions(options);
  const signal = options.abortController?.signal;
  const { transport, initialize } = open(options, launch, signal);
  const client = connect(transport, {
    ...(options.canUseTool && { canUseTool: options.canUseTool }),
    ...(options.hooks && { hooks: options.hooks }),
    ...(options.onDiagnostic && { onDiagnostic: options.onDiagnostic }),
    mcpServers: inProcess,
  });
  if (signal) closeOnAbort(client, signal);
  const initialization = client.initialize(initialize, { timeoutMs: options.initializeTimeoutMs ?? 60_000 });
  // Without the hooks that should watch over it the CLI would run the prompt all the same.
  const condition = options.hooks && initialization.then(checkHooks);
  void feedPrompt(client, prompt, options.verbatimPrompts ?? false, condition);
  return new QuerySession(client, initialization);
}

/** A running query: an async generator of messages with the controls of its session. */
export interface Query extends AsyncGenerator<Message, void> {
  /** The id of the session, from the latest init message that was read; `undefined` before. It changes when the CLI says so. */
  readonly sessionId: string | undefined;

  /**
   * Interrupts the turn. The session goes on, and the turn ends with a result.
   *
   * @returns The uuids of queued prompts that will still run; `undefined` when the CLI is too old to say.
   */
  interrupt(): Promise<{ still_queued: string[]; cancelled?: string[] } | undefined>;

  /** Changes how tool calls are permitted from now on. */
  setPermissionMode(mode: string): Promise<void>;

  /** Changes the model from now on; without an argument back to the default. */
  setModel(model?: string): Promise<void>;

  /** The CLI's answer to the initialize request: commands, agents, models, account, capabilities. Rejects when it refused. */
  initializationResult(): Promise<Readonly<Record<string, unknown>>>;

  /** Sends any control request under its wire name and fields, and gives the CLI's answer. */
  request(subtype: string, fields?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;

  /** Stops the CLI. Settles when its exit was seen; never rejects. A reader of the messages comes to a normal end. */
  close(): Promise<void>;
}

/** The transport to the CLI, and what the initialize request says beside the callbacks. */
function open(
  options: Options,
  launchOptions: Parameters<typeof buildLaunch>[0],
  signal: AbortSignal | undefined,
): { transport: Transport; initialize: Readonly<Record<string, unknown>> } {
  if (options.transport || signal?.aborted) {
    const { initialize } = buildLaunch(launchOptions, elsewhere);
    return { transport: options.transport ?? endedTransport(new AbortError(signal?.reason)), initialize };
  }
  try {
    const launch = buildLaunch(launchOptions);
    return { transport: startClaude(launch, options), initialize: launch.initialize };
  } catch (error) {
    if (!(error instanceof CliNotFoundError)) throw error;
    // The environment's fault and not the caller's, so it is told where the other failures of a start are.
    return { transport: endedTransport(error), initialize: {} };
  }
}

function closeOnAbort(client: ControlClient, signal: AbortSignal): void {
  const abort = (): void => {
    client.messages.clear();
    void client.close(new AbortError(signal.reason));
  };
  if (signal.aborted) abort();
  const release = onAbort(signal, abort);
  void client.ended.then(release);
}

/** @throws TypeError for hooks of the wrong shape; the transport is closed then, as nobody else knows of it. */
function connect(transport: Transport, options: ControlClientOptions): ControlClient {
  try {
    return new ControlClient(transport, options);
  } catch (error) {
    void Promise.resolve(transport.close()).catch(() => {});
    throw error;
  }
}

/** Throws when the answer to the initialize request says that the hooks are not in force. */
function checkHooks(answer: Readonly<Record<string, unknown>>): void {
  if (answer["hooks_applied"] === false)
    throw new ControlError("initialize", "The CLI did not apply the hooks, so the prompt was not sent.");
}

/** Where a CLI behind a transport runs is not known here, and its command line is not ours. */
const elsewhere: LaunchHost = { platform: "", env: {}, interpreter: "node", locate: () => "claude" };

class QuerySession implements Query {
  readonly #client: ControlClient;
  readonly #initialization: Promise<Readonly<Record<string, unknown>>>;
  #sessionId: string | undefined;

  constructor(client: ControlClient, initialization: Promise<Readonly<Record<string, unknown>>>) {
    this.#client = client;
    this.#initialization = initialization;
    // A refusal is told by initializationResult() alone, the prompt runs all the same unless there are hooks. A CLI that does not answer
    // at all is hung.
    initialization.catch((error: unknown) => {
      if (error instanceof ControlTimeoutError) void client.close(error);
    });
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  next(): Promise<IteratorResult<Message, void>> {
    // Messages that are there already need no second promise; this is most of the cost of a message (bench/, row "frames").
    const frame = this.#client.messages.take();
    if (frame !== undefined) return Promise.resolve({ done: false, value: this.#messageOf(frame) });
    return this.#client.messages.next().then((result) => {
      return result.done ? result : { done: false, value: this.#messageOf(result.value) };
    });
  }

  async return(): Promise<IteratorResult<Message, void>> {
    await this.#client.messages.return();
    return { done: true, value: undefined };
  }

  async throw(error: unknown): Promise<IteratorResult<Message, void>> {
    await this.return();
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async interrupt(): Promise<{ still_queued: string[]; cancelled?: string[] } | undefined> {
    const receipt = await this.request("interrupt");
    // A CLI that is too old for receipts answers without the list.
    return Array.isArray(receipt["still_queued"]) ? (receipt as { still_queued: string[] }) : undefined;
  }

  async setPermissionMode(mode: string): Promise<void> {
    await this.request("set_permission_mode", { mode });
  }

  async setModel(model?: string): Promise<void> {
    await this.request("set_model", { model });
  }

  initializationResult(): Promise<Readonly<Record<string, unknown>>> {
    return this.#initialization;
  }

  request(subtype: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.#client.request(subtype, fields);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #messageOf(frame: Frame): Message {
    const value = frame.value;
    if (value.type === "system" && value.subtype === "init" && typeof value["session_id"] === "string")
      this.#sessionId = value["session_id"];
    // The wire decides what a message is; kinds that the types do not know are delivered as they are.
    return value as unknown as Message;
  }
}

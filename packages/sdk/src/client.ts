import {
  type ControlClient,
  ControlMethods,
  type RequestFieldsOf,
  type RequestOptions,
  type ResponseOf,
  SessionClosedError,
  type Turn,
} from "@reins/control";
import {
  type HostBlock,
  type InitializeResponse,
  type InterruptResponse,
  type McpSetServersResult,
  type Message,
  type OutboundSubtype,
  type ResultMessage,
  type SlashCommand,
  type SystemInitMessage,
  UsageMeter,
  type UserFrame,
} from "@reins/messages";
import type { Frame, FrameValue } from "@reins/streamjson";
import { type Options, splitServers } from "./options.ts";
import { checkPrompt, type Prompt, sendPrompts } from "./prompt.ts";
import { openSession, type Session } from "./session.ts";
import { UnreadResults } from "./unread-results.ts";
import { isWarmQuery, useSession, type WarmQuery } from "./warm-query.ts";

/**
 * A conversation over many turns: send prompts when you like, read messages when you like, and control the session in between.
 *
 * The CLI is started by the first call that needs it, and stopped by `close()` or `await using`. Any number of callers may send and
 * control at once. Messages go to one reader at a time: a second one waits until the first has left. Leaving a reader early leaves the
 * session open, and the next one goes on where it left.
 *
 * Messages wait for a reader, so read them: unread, they keep the CLI from going on when about 16 MB of them have come.
 *
 * @example
 * await using client = new Client({ model: "haiku" });
 * await client.query("Which module handles VAT?");
 * for await (const message of client.receiveResponse()) if (message.type === "assistant") console.log(messageText(message));
 */
export class Client extends ControlMethods implements AsyncDisposable {
  readonly #options: Options;
  #session: Session | undefined;
  #isClosed = false;
  #init: SystemInitMessage | undefined;
  readonly #usage = new UsageMeter();
  /** Settles when the last of those who read, or wait to, has left. */
  #lastReader: Promise<void> = Promise.resolve();
  /** How many read, or wait to, for the sake of the messages and not of one result. */
  #readers = 0;
  readonly #unread = new UnreadResults();

  /**
   * Starts nothing yet.
   *
   * @param options Those of the session, or a session that was started ahead, which is then this client's to close.
   * @throws {@link AlreadyUsedError} for one that was used before.
   */
  constructor(options: Options | WarmQuery = {}) {
    super();
    if (isWarmQuery(options)) {
      const warm = useSession(options, "new Client");
      warm.observe((message) => this.#observe(message));
      this.#session = warm;
      this.#options = warm.options;
    } else this.#options = options;
  }

  /**
   * Starts the CLI ahead of the first prompt, and gives what it says of itself.
   *
   * @throws what reading would throw when it cannot be started.
   */
  connect(): Promise<InitializeResponse> {
    return this.initializationResult();
  }

  /** The id of the session, as the CLI said it last; `undefined` before the first turn. It changes when the CLI says so. */
  get sessionId(): string | undefined {
    return this.#init?.session_id;
  }

  /** The init message of the latest turn: model, tools, servers, permission mode; `undefined` before the first turn. */
  get init(): SystemInitMessage | undefined {
    return this.#init;
  }

  /** What the session has used so far. The meter is fed; do not feed it. */
  get usage(): UsageMeter {
    return this.#usage;
  }

  /**
   * Sends a prompt, and gives a handle on what becomes of it. Settles when the prompt was written.
   *
   * Sent while a turn runs, the CLI folds it into that turn or merges it with others into the next: the handle says which prompts share
   * its result.
   *
   * @param content A text, or blocks: text, images, documents.
   * @param fields Further fields of the frame, such as `priority`. Default `uuid`: a random one.
   */
  async send(content: string | readonly HostBlock[], fields: Omit<UserFrame, "type" | "message"> = {}): Promise<Turn> {
    const client = await this.#ready();
    const mark = this.#options.verbatimPrompts ? ({ client_composed: true } as const) : {};
    const prompt = this.#unread.promptSent(true);
    try {
      const turn = await client.prompt(content, { ...fields, ...mark });
      this.#unread.follow(prompt, turn);
      return turn;
    } catch (error) {
      this.#unread.drop(prompt);
      throw error;
    }
  }

  /** Sends a text, or prompts as they come. Settles when the last one was written. */
  async query(prompt: Prompt): Promise<void> {
    checkPrompt(prompt);
    if (typeof prompt === "string") {
      await this.send(prompt);
      return;
    }
    const client = await this.#ready();
    this.#unread.promptSent(false);
    await sendPrompts(client, prompt, this.#options.verbatimPrompts ? { client_composed: true } : {});
  }

  /** Sends a frame as it is: for what the other methods do not model. A user frame counts as a prompt. */
  async sendRaw(frame: Frame | FrameValue): Promise<void> {
    const client = await this.#ready();
    const prompt = frame.type === "user" ? this.#unread.promptSent(false) : undefined;
    try {
      await client.send(frame);
    } catch (error) {
      if (prompt !== undefined) this.#unread.drop(prompt);
      throw error;
    }
  }

  /** The messages from here on, until the session ends. Throws behind the last one why it ended, if not in the normal way. */
  async *receiveMessages(): AsyncGenerator<Message, void> {
    const leave = await this.#enter();
    try {
      for (let message = await this.#next(); message !== undefined; message = await this.#next()) yield message;
    } finally {
      leave();
    }
  }

  /**
   * The messages from here on, up to the next result and with it.
   *
   * What is left of a turn that was interrupted is passed over when a prompt was sent since; read before that, it ends with the result
   * of the interrupted turn.
   */
  async *receiveResponse(): AsyncGenerator<Message, void> {
    const leave = await this.#enter();
    try {
      const beganStale = this.#unread.isStale;
      for (;;) {
        const message = await this.#next((isStale) => beganStale && isStale);
        if (message === undefined) return;
        yield message;
        if (message.type === "result") return;
      }
    } finally {
      leave();
    }
  }

  /**
   * Sends a prompt and gives the result of its turn, for callers who want nothing else of it. Reads the messages up to the result,
   * unless somebody else is reading them.
   *
   * @throws what {@link Turn.result} rejects with.
   */
  async ask(
    content: string | readonly HostBlock[],
    fields: Omit<UserFrame, "type" | "message"> = {},
  ): Promise<ResultMessage> {
    const turn = await this.send(content, fields);
    if (this.#readers > 0) return turn.result;
    const leave = await this.#enter("for one result");
    try {
      // Another one who asked may have read it.
      while (await this.#unread.has(turn)) if ((await this.#next()) === undefined) break;
    } finally {
      leave();
    }
    return turn.result;
  }

  override async interrupt(
    options: { readonly cancelQueued?: boolean | undefined } & RequestOptions = {},
  ): Promise<InterruptResponse | undefined> {
    this.#unread.interrupted();
    return super.interrupt(options);
  }

  /** Replaces the MCP servers of earlier calls and all in-process servers; those of the command line stay. */
  async setMcpServers(servers: NonNullable<Options["mcpServers"]>): Promise<McpSetServersResult> {
    const { external, inProcess } = splitServers(servers);
    // Users write what a later CLI knows, too; it is the CLI that checks them.
    return this.#started().client.setMcpServers(external as RequestFieldsOf<"mcp_set_servers">["servers"], inProcess);
  }

  async request<Subtype extends OutboundSubtype | (string & {})>(
    subtype: Subtype,
    fields?: RequestFieldsOf<Subtype>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Subtype>> {
    return this.#started().client.request(subtype, fields, options);
  }

  async initializationResult(): Promise<InitializeResponse> {
    return this.#started().initialization;
  }

  supports(capability: string): boolean {
    return this.#session?.client.supports(capability) ?? false;
  }

  override async supportedCommands(): Promise<SlashCommand[]> {
    return this.#started().client.supportedCommands();
  }

  /** Initializes the session again after a gap in the connection. Open permission questions are asked again. */
  async reinitialize(): Promise<InitializeResponse> {
    return this.#started().client.reinitialize();
  }

  /** The normal end: waits until nothing runs any more, ends the input and lets the CLI exit. Unread messages can still be read. */
  async finish(): Promise<void> {
    await this.#session?.client.finish();
    await this.#session?.done;
  }

  /** Stops the CLI. Settles when its exit was seen; never rejects. Nothing can be sent any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#session === undefined) {
      // Nobody else would close it.
      await this.#options.transport?.close().catch(() => {});
      return;
    }
    await this.#session.client.close();
    await this.#session.done;
  }

  /** The same as {@link Client.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #started(): Session {
    if (this.#session !== undefined) return this.#session;
    if (this.#isClosed) throw new SessionClosedError("the client was closed");
    this.#session = openSession(this.#options, (message) => this.#observe(message));
    // Whoever sends or connects is told.
    this.#session.condition?.catch(() => {});
    return this.#session;
  }

  /** The session, when it may be given a prompt. */
  async #ready(): Promise<ControlClient> {
    const { client, condition } = this.#started();
    try {
      if (condition !== undefined) await condition;
    } catch (error) {
      await client.close(error);
      throw error;
    }
    return client;
  }

  #observe(message: Message): void {
    this.#usage.observe(message);
    if (message.type === "system" && message.subtype === "init") this.#init = message as SystemInitMessage;
  }

  /** Waits until the readers before have left. Gives the function that leaves. */
  async #enter(purpose?: "for one result"): Promise<() => void> {
    const weight = purpose === undefined ? 1 : 0;
    const before = this.#lastReader;
    let leave = (): void => {};
    this.#readers += weight;
    this.#lastReader = new Promise((resolve) => {
      leave = () => {
        this.#readers -= weight;
        resolve();
      };
    });
    await before;
    return leave;
  }

  /** @param passOver Whether a message is of no use, told whether it is the rest of a turn that was interrupted. */
  async #next(passOver: (isStale: boolean) => boolean = () => false): Promise<Message | undefined> {
    // A client that was closed before its start ends its readers like any other.
    if (this.#isClosed && this.#session === undefined) return undefined;
    const { messages } = this.#started().client;
    for (;;) {
      const { done, value } = await messages.next();
      if (done) return undefined;
      // The wire decides what a message is; kinds that the types do not know are delivered as they are.
      const message = value.value as unknown as Message;
      const { isStale } = this.#unread;
      if (message.type === "result") this.#unread.read(message);
      if (!passOver(isStale)) return message;
    }
  }
}

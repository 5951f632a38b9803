import {
  type ControlClient,
  ControlMethods,
  type RequestFieldsOf,
  type RequestOptions,
  type ResponseOf,
} from "@reins/control";
import type {
  InitializeResponse,
  McpSetServersResult,
  Message,
  OutboundSubtype,
  SlashCommand,
  UsageResponse,
} from "@reins/messages";
import type { Frame } from "@reins/streamjson";
import { type Options, splitServers } from "./options.ts";
import { sendPrompts, type UserPrompt } from "./prompt.ts";
import type { Query } from "./query.ts";
import type { Session } from "./session.ts";

/** The query of a session: its messages as a generator, its controls handed to the client. */
export class QuerySession extends ControlMethods implements Query {
  readonly #client: ControlClient;
  readonly #done: Promise<void>;
  #sessionId: string | undefined;

  constructor({ client, done }: Session) {
    super();
    this.#client = client;
    this.#done = done;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  next(): Promise<IteratorResult<Message, void>> {
    // Messages that are there already need no second promise; this is most of the cost of a message (bench/, row "frames").
    const frame = this.#client.messages.take();
    if (frame !== undefined) return Promise.resolve({ done: false, value: this.#messageOf(frame) });
    return this.#client.messages.next().then((result) => {
      if (result.done) return this.#done.then(() => result);
      return { done: false, value: this.#messageOf(result.value) };
    });
  }

  async return(): Promise<IteratorResult<Message, void>> {
    await this.#client.messages.return();
    await this.#done;
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

  request<Subtype extends OutboundSubtype | (string & {})>(
    subtype: Subtype,
    fields?: RequestFieldsOf<Subtype>,
    options?: RequestOptions,
  ): Promise<ResponseOf<Subtype>> {
    return this.#client.request(subtype, fields, options);
  }

  initializationResult(): Promise<InitializeResponse> {
    return this.#client.initializationResult();
  }

  supports(capability: string): boolean {
    return this.#client.supports(capability);
  }

  override supportedCommands(): Promise<SlashCommand[]> {
    return this.#client.supportedCommands();
  }

  reinitialize(): Promise<InitializeResponse> {
    return this.#client.reinitialize();
  }

  async setMcpServers(servers: NonNullable<Options["mcpServers"]>): Promise<McpSetServersResult> {
    const { external, inProcess } = splitServers(servers);
    // Users write what a later CLI knows, too; it is the CLI that checks them.
    return this.#client.setMcpServers(external as RequestFieldsOf<"mcp_set_servers">["servers"], inProcess);
  }

  streamInput(prompts: AsyncIterable<UserPrompt>): Promise<void> {
    return sendPrompts(this.#client, prompts, {});
  }

  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(
    options: { readonly skipBehaviors?: boolean } = {},
  ): Promise<UsageResponse> {
    return this.getUsage(options);
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#done;
  }

  #messageOf(frame: Frame): Message {
    const value = frame.value;
    if (value.type === "system" && value.subtype === "init" && typeof value["session_id"] === "string")
      this.#sessionId = value["session_id"];
    // The wire decides what a message is; kinds that the types do not know are delivered as they are.
    return value as unknown as Message;
  }
}

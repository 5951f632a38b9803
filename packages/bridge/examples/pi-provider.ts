// An extension for pi (@mariozechner/pi-coding-agent): a provider whose model is a Claude Code session, held over a bridge. pi keeps the
// conversation and runs the tools; it calls with all of it each time, and gets the next message of the model.
//
//     pi --extension pi-provider.ts --model claude-code/sonnet
import { type ChildProcess, spawn } from "node:child_process";
import { PassThrough } from "node:stream";
import type { BridgeMessage, HostMessage, PromptBlock, TranscriptEntry } from "@reins/bridge";
import type { Message } from "@reins/sdk";
import { decodeFrames, encodeFrame, type Frame } from "@reins/streamjson";

// Of pi's types what is used here, so that pi need not be installed to compile this.
type Text = { type: "text"; text: string };
type Image = { type: "image"; data: string; mimeType: string };
type Usage = { input: number; output: number; cacheRead: number; cacheWrite: number };
type ToolCall = { type: "toolCall"; id: string; name: string; arguments: object };

export type PiMessage =
  | { role: "user"; content: string | (Text | Image)[] }
  | { role: "assistant"; content: (Text | ToolCall | { type: "thinking" })[] }
  | { role: "toolResult"; toolCallId: string; content: (Text | Image)[]; isError: boolean };

export interface PiContext {
  systemPrompt?: string;
  messages: PiMessage[];
  tools?: { name: string; description: string; parameters: object }[];
}

/** A message of the model, which grows while pi reads its events. */
export interface PiReply {
  role: "assistant";
  content: (Text | ToolCall)[];
  api: string;
  provider: string;
  model: string;
  usage: Usage & { totalTokens: number; cost: Usage & { total: number } };
  stopReason: "stop" | "toolUse" | "aborted" | "error";
  errorMessage?: string;
  timestamp: number;
}

export type PiEvent =
  | { type: "start"; partial: PiReply }
  | { type: "text_start" | "toolcall_start"; contentIndex: number; partial: PiReply }
  | { type: "text_delta" | "toolcall_delta"; contentIndex: number; delta: string; partial: PiReply }
  | { type: "text_end"; contentIndex: number; content: string; partial: PiReply }
  | { type: "toolcall_end"; contentIndex: number; toolCall: ToolCall; partial: PiReply }
  | { type: "done"; reason: "stop" | "toolUse"; message: PiReply }
  | { type: "error"; reason: "aborted" | "error"; error: PiReply };

export interface PiModel {
  id: string;
  api: string;
  provider: string;
}

/** What pi reads of a stream. Its type is a class, whose private members nothing but that class has. */
export interface PiStream extends AsyncIterable<PiEvent> {
  result(): Promise<PiReply>;
}

export interface PiProvider {
  baseUrl: string;
  apiKey: string;
  api: string;
  models: object[];
  streamSimple(model: PiModel, context: PiContext, options?: { signal?: AbortSignal }): PiStream;
}

export interface Pi {
  registerProvider(name: string, provider: PiProvider): void;
  on(event: "session_shutdown", handler: () => Promise<void>): void;
}

/** Speaks with a bridge that was started with pipes for stdin and stdout. */
class Bridge {
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #frames: AsyncIterator<Frame>;

  constructor(process: ChildProcess) {
    if (process.stdin === null || process.stdout === null) throw new TypeError("The bridge needs pipes.");
    this.#process = process;
    this.#frames = decodeFrames(process.stdout)[Symbol.asyncIterator]();
    this.#exited = new Promise((resolve) => {
      process.once("exit", resolve);
      process.once("error", resolve);
    });
    // Without a process its output has no end.
    process.once("error", (error) => process.stdout?.destroy(error));
    // Of a bridge that is gone, the end of its output tells.
    process.stdin.on("error", () => {});
  }

  send(message: HostMessage): void {
    this.#process.stdin?.write(encodeFrame({ ...message }));
  }

  async read(): Promise<BridgeMessage> {
    const { done, value } = await this.#frames.next();
    if (done) throw new Error("The bridge ended.");
    // What a bridge writes; types that this program does not know match no case.
    return value.value as unknown as BridgeMessage;
  }

  async until(type: BridgeMessage["type"]): Promise<void> {
    for (let message = await this.read(); message.type !== type; message = await this.read()) failOn(message);
  }

  /** Ends the session, and the bridge. */
  async close(): Promise<void> {
    this.#process.stdin?.end();
    try {
      // To the end, so that the bridge has nobody to wait for.
      while (!(await this.#frames.next()).done);
    } catch {
      // Lines that are none; the stream of them has ended.
    }
    await this.#exited;
  }
}

/** The session, as pi sees it. */
class ClaudeCode {
  readonly #start: () => ChildProcess;
  #bridge: Bridge | undefined;
  /** What the session was opened with. */
  #opened = "";
  /** Prompts whose turn has not ended. */
  readonly #running = new Set<string>();
  /** The call that pi runs: its id in the bridge, and in pi. */
  #call: { readonly id: string; readonly toolCallId: string } | undefined;
  #ids = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start: () => ChildProcess) {
    this.#start = start;
  }

  /** The next message of the model. Goes on with the turn whose tool pi has run, or begins one. */
  stream(model: PiModel, context: PiContext, signal: AbortSignal | undefined): PiStream {
    const events = new PassThrough({ objectMode: true });
    const reply = this.#last.then(() => this.#reply(model, context, signal, (event) => void events.write(event)));
    this.#last = reply.then(() => events.end());
    return Object.assign(events, { result: () => reply });
  }

  async close(): Promise<void> {
    const bridge = this.#bridge;
    this.#bridge = undefined;
    this.#call = undefined;
    this.#running.clear();
    this.#opened = "";
    await bridge?.close();
  }

  /** Never rejects: pi is told of failures by an event. */
  async #reply(
    model: PiModel,
    context: PiContext,
    signal: AbortSignal | undefined,
    emit: (event: PiEvent) => void,
  ): Promise<PiReply> {
    const reply = emptyReply(model);
    emit({ type: "start", partial: reply });
    try {
      const problem = await this.#converse(model, context, signal, reply, emit);
      if (problem !== undefined) Object.assign(reply, { stopReason: "error", errorMessage: problem });
    } catch (error) {
      Object.assign(reply, {
        stopReason: "error",
        errorMessage: error instanceof Error ? error.message : String(error),
      });
      // How far the session has got is not known. The next call starts another one, to which the transcript brings the past.
      await this.close();
    }
    if (signal?.aborted) Object.assign(reply, { stopReason: "aborted", errorMessage: "Aborted." });
    if (reply.stopReason === "stop" || reply.stopReason === "toolUse")
      emit({ type: "done", reason: reply.stopReason, message: reply });
    else emit({ type: "error", reason: reply.stopReason, error: reply });
    return reply;
  }

  /** @returns Why there is no answer. @throws when the session cannot go on. */
  async #converse(
    model: PiModel,
    context: PiContext,
    signal: AbortSignal | undefined,
    reply: PiReply,
    emit: (event: PiEvent) => void,
  ): Promise<string | undefined> {
    if (!signal?.aborted && !this.#goOn(context.messages)) {
      await this.#interrupt();
      await this.#open(model, context);
      if (!signal?.aborted) this.#send({ transcript: context.messages.flatMap(toEntry) });
    }
    const bridge = this.#bridge;
    if (bridge === undefined) return undefined;
    const interrupt = (): void => {
      this.#call = undefined;
      if (this.#running.size > 0) bridge.send({ type: "interrupt", id: this.#newId() });
    };
    if (signal?.aborted) interrupt();
    signal?.addEventListener("abort", interrupt);
    try {
      let problem: string | undefined;
      while (this.#running.size > 0) {
        const message = await bridge.read();
        failOn(message);
        if (message.type === "event") addTexts(reply, message.message as unknown as Message, emit);
        else if (message.type === "turn_end") {
          this.#running.delete(message.id);
          if (message.outcome !== "completed") problem = `${message.outcome}: ${message.text}`;
        } else if (message.type === "permission_question") {
          bridge.send({ type: "permission_answer", id: message.id, behavior: "deny", message: "Nobody can be asked." });
        } else if (message.type === "tool_call" && !signal?.aborted) {
          // The call stays open in the bridge until pi comes back. Calls at the same time come one after the other to pi.
          const { id, tool_use_id: toolCallId = id, name, input } = message;
          this.#call = { id, toolCallId };
          addToolCall(reply, { type: "toolCall", id: toolCallId, name, arguments: input }, emit);
          return undefined;
        }
      }
      return problem;
    } finally {
      signal?.removeEventListener("abort", interrupt);
    }
  }

  /** Answers the call that waits. @returns Whether there is one, and its answer. */
  #goOn(messages: readonly PiMessage[]): boolean {
    const at = messages.findLastIndex((message) => {
      return message.role === "toolResult" && message.toolCallId === this.#call?.toolCallId;
    });
    const result = messages[at];
    if (this.#call === undefined || result?.role !== "toolResult") return false;
    // What the user said while the tool ran. The CLI folds it into the turn, or takes it up behind.
    for (const message of messages.slice(at + 1)) {
      if (message.role === "user") this.#send({ content: toBlocks(message.content) });
    }
    const content = result.content.map((block) =>
      block.type === "text" ? block : { type: "image" as const, media_type: block.mimeType, data: block.data },
    );
    this.#bridge?.send({ type: "tool_result", id: this.#call.id, content, is_error: result.isError });
    this.#call = undefined;
    return true;
  }

  /** Ends a turn that waits for a tool to which pi did not come back. */
  async #interrupt(): Promise<void> {
    this.#call = undefined;
    if (this.#running.size > 0) this.#bridge?.send({ type: "interrupt", id: this.#newId() });
    while (this.#running.size > 0 && this.#bridge !== undefined) {
      const message = await this.#bridge.read();
      failOn(message);
      if (message.type === "turn_end") this.#running.delete(message.id);
    }
  }

  /** Has a session with the model, the tools and the system prompt that pi wants now. */
  async #open(model: PiModel, { systemPrompt, tools = [] }: PiContext): Promise<void> {
    const bridge = this.#bridge ?? new Bridge(this.#start());
    if (this.#bridge === undefined) bridge.send({ type: "hello", protocols: [1], host: "pi" });
    this.#bridge = bridge;
    const open: HostMessage = {
      type: "open",
      options: { model: model.id, system_prompt: systemPrompt },
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: { ...parameters } })),
    };
    const wanted = JSON.stringify(open);
    if (this.#opened === wanted) return;
    if (this.#opened !== "") {
      bridge.send({ type: "close" });
      await bridge.until("closed");
    }
    bridge.send(open);
    await bridge.until("opened");
    this.#opened = wanted;
  }

  #send(prompt: { transcript: TranscriptEntry[] } | { content: PromptBlock[] }): void {
    const id = this.#newId();
    this.#running.add(id);
    this.#bridge?.send({ type: "send", id, ...prompt });
  }

  #newId(): string {
    return String(++this.#ids);
  }
}

function emptyReply({ id: model, api, provider }: PiModel): PiReply {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  return { role: "assistant", content: [], api, provider, model, usage, stopReason: "stop", timestamp: Date.now() };
}

/** Adds what the model said; of agents of its own it does not. */
function addTexts(reply: PiReply, message: Message, emit: (event: PiEvent) => void): void {
  if (message.type !== "assistant" || message.parent_tool_use_id != null) return;
  const { content, usage } = message.message;
  for (const block of content) {
    if (block.type !== "text" || block.text === "") continue;
    const { text } = block;
    const contentIndex = reply.content.push({ type: "text", text }) - 1;
    emit({ type: "text_start", contentIndex, partial: reply });
    emit({ type: "text_delta", contentIndex, delta: text, partial: reply });
    emit({ type: "text_end", contentIndex, content: text, partial: reply });
  }
  // By this pi knows how full the context is.
  const { input_tokens: input, output_tokens: output } = usage;
  const { cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite } = usage;
  const counts = { input, output, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 };
  const totalTokens = input + output + counts.cacheRead + counts.cacheWrite;
  Object.assign(reply.usage, counts, { totalTokens });
}

function addToolCall(reply: PiReply, toolCall: ToolCall, emit: (event: PiEvent) => void): void {
  reply.stopReason = "toolUse";
  const contentIndex = reply.content.push(toolCall) - 1;
  emit({ type: "toolcall_start", contentIndex, partial: reply });
  emit({ type: "toolcall_delta", contentIndex, delta: JSON.stringify(toolCall.arguments), partial: reply });
  emit({ type: "toolcall_end", contentIndex, toolCall, partial: reply });
}

/** What the bridge compares, and another session is told: texts and images. */
function toEntry(message: PiMessage): TranscriptEntry[] {
  if (message.role === "toolResult") return [];
  if (message.role === "user") return [{ role: "user", content: toBlocks(message.content) }];
  return [{ role: "assistant", content: message.content.filter(({ type }) => type === "text") }];
}

function toBlocks(content: string | readonly (Text | Image)[]): PromptBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    return { type: "image", source: { type: "base64", media_type: block.mimeType, data: block.data } };
  });
}

function failOn(message: BridgeMessage): void {
  // A call that was cancelled while pi ran it needs no answer any more.
  if (message.type === "error" && message.code !== "unknown_id") throw new Error(`${message.code}: ${message.message}`);
}

/**
 * Makes an extension of pi.
 *
 * @param start Starts a bridge with pipes for stdin and stdout. It ends with pi's session.
 */
export function claudeCodeProvider(start: () => ChildProcess): (pi: Pi) => void {
  return (pi) => {
    const session = new ClaudeCode(start);
    pi.registerProvider("claude-code", {
      // pi wants both; the CLI has its own.
      baseUrl: "https://api.anthropic.com",
      apiKey: "none",
      api: "reins-bridge",
      models: ["sonnet", "opus", "haiku"].map((id) => ({
        id,
        name: `Claude Code (${id})`,
        reasoning: false,
        input: ["text", "image"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 200_000,
        maxTokens: 32_000,
      })),
      streamSimple: (model, context, options) => session.stream(model, context, options?.signal),
    });
    pi.on("session_shutdown", () => session.close());
  };
}

/** A program of `@reins/cli`, found in the path. */
const program = "reins";

// What the bridge has to say to people would go over pi's screen.
const extension: (pi: Pi) => void = claudeCodeProvider(() =>
  spawn(program, ["bridge"], { stdio: ["pipe", "pipe", "ignore"] }),
);

// biome-ignore lint/style/noDefaultExport: pi takes the default export of a file for the extension.
export default extension;

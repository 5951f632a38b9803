import { allowAlways, type CanUseTool, inheritEnv, type Options, toolResult } from "@reins/sdk";
import { type Frame, type FrameSink, type FrameValue, FrameWriter } from "@reins/streamjson";
import { sessionOptions, type ToolAnswer } from "./open-options.ts";
import { parseHostMessage } from "./parse-host-message.ts";
import type {
  BridgeErrorCode,
  BridgeMessage,
  HostMessage,
  OpenMessage,
  PermissionAnswerMessage,
  SendMessage,
  ToolCallMessage,
  ToolResultMessage,
  TranscriptEntry,
} from "./protocol.ts";
import { Questions } from "./questions.ts";
import { Session } from "./session.ts";
import { writeHistory } from "./write-history.ts";

/** Why a bridge came to its end. */
export type BridgeEnd =
  /** The host closed its side. */
  | "input-ended"
  /** The host speaks no version that the bridge speaks. */
  | "protocol-refused"
  /** The host does not take any more lines. */
  | "output-failed"
  /** The signal of the options. */
  | "aborted";

/** Answers the lines of one host. */
export class Bridge {
  readonly #base: Options;
  readonly #writer: FrameWriter;
  readonly #tools = new Questions<ToolAnswer>("tool");
  readonly #permissions = new Questions<PermissionAnswerMessage>("permission");
  #hasHello = false;
  #opened: OpenMessage | undefined;
  #session: Session | undefined;
  /** Opening, sending and closing happen one after the other; answers do not wait for them. */
  #last: Promise<void> = Promise.resolve();
  #lastWrite: Promise<void> = Promise.resolve();
  #isOver = false;
  #end: (end: BridgeEnd) => void = () => {};
  /** Settles when there is no use in going on. */
  readonly over: Promise<BridgeEnd> = new Promise((resolve) => {
    this.#end = (end) => {
      this.#isOver = true;
      resolve(end);
    };
  });

  constructor(base: Options, output: FrameSink) {
    this.#base = base;
    this.#writer = new FrameWriter(output);
  }

  /** Takes a line of the host. */
  take(frame: Frame): void {
    const parsed = parseHostMessage(frame);
    if ("problem" in parsed) {
      const { problem, type, id } = parsed;
      // A malformed answer is no permission and no result. Nobody is left to wait for another one.
      if (id !== undefined && type === "permission_answer") this.#permissions.fail(id, problem.message);
      if (id !== undefined && type === "tool_result") this.#tools.fail(id, problem.message);
      this.#fail(problem.code, problem.message, id);
    } else if (!this.#hasHello && parsed.message.type !== "hello")
      this.#fail("hello_expected", "The first message has to be a hello.", idOf(parsed.message));
    else this.#dispatch(parsed.message);
  }

  /** Ends the session. Settles when its process is gone. */
  async close(end: BridgeEnd): Promise<void> {
    this.#end(end);
    const closing = this.#session?.close();
    await this.#last;
    await closing;
    // One that was opened meanwhile.
    await this.#session?.close();
    // A host that does not read any more must not keep the bridge.
    await withinMs(this.#lastWrite, 1_000);
  }

  #dispatch(message: HostMessage): void {
    switch (message.type) {
      case "hello":
        this.#greet(message.protocols);
        break;
      case "open":
        this.#enqueue(() => this.#open(message));
        break;
      case "send":
        this.#enqueue(() => this.#send(message), message.id);
        break;
      case "interrupt":
        this.#enqueue(() => this.#interrupt(message.id));
        break;
      case "close":
        // At once, also where an opening would have to be waited for.
        void this.#session?.close();
        this.#enqueue(() => this.#close());
        break;
      case "tool_result":
        this.#answerTool(message);
        break;
      case "permission_answer":
        if (!this.#permissions.answer(message.id, message)) this.#failUnknown(message.id);
        break;
    }
  }

  #greet(protocols: readonly number[]): void {
    if (this.#hasHello) this.#fail("hello_expected", "There was a hello already.");
    else if (protocols.includes(1)) {
      this.#hasHello = true;
      void this.#write({ type: "hello", protocol: 1, bridge: "@reins/bridge" });
    } else {
      this.#fail("unsupported_protocol", `This bridge speaks version 1, not ${protocols.join(", ")}.`);
      this.#end("protocol-refused");
    }
  }

  async #open(message: OpenMessage): Promise<void> {
    if (this.#session !== undefined) {
      this.#fail("already_open", "There is a session. Close it first.");
      return;
    }
    this.#opened = message;
    const resume = message.options?.resume;
    await this.#start(resume, resume === undefined ? [] : undefined, false);
  }

  /** @returns The session; `undefined` where it could not be started, which was told. */
  async #start(
    resume: string | undefined,
    history: readonly TranscriptEntry[] | undefined,
    restarted: boolean,
  ): Promise<Session | undefined> {
    const { options = {}, tools = [] } = this.#opened ?? {};
    const id = resume ?? crypto.randomUUID();
    try {
      const own = sessionOptions(this.#base, options, tools, (call, signal) => this.#callTool(call, signal));
      const begin = resume === undefined ? { sessionId: id } : { resume: id };
      const session = new Session(id, { ...own, ...begin, canUseTool: this.#canUseTool }, history, {
        write: (message) => this.#write(message),
        onEnd: (ended, error) => this.#onSessionEnd(ended, error),
      });
      this.#session = session;
      await session.connect();
      await this.#write({ type: "opened", session_id: id, restarted });
      return session;
    } catch (error) {
      // Who closes meanwhile is told of the close only.
      if (this.#session?.isClosing) return undefined;
      this.#session = undefined;
      this.#fail("open_failed", textOf(error));
      return undefined;
    }
  }

  async #send({ id, content, transcript }: SendMessage): Promise<void> {
    let session = this.#session;
    if (session === undefined) this.#fail("not_open", "There is no session. Open one first.", id);
    else if (session.has(id)) this.#fail("duplicate_id", "A prompt of this id runs.", id);
    else if (content !== undefined) await this.#sendTo(session, id, content);
    else if (session.isBusy) this.#fail("busy", "A turn runs. Interrupt it, or wait for its end.", id);
    else {
      const plan = session.conversation.plan(transcript ?? []);
      if (plan.kind === "invalid") {
        this.#fail("bad_message", plan.problem, id);
        return;
      }
      if (plan.kind === "restart") session = await this.#restart(session, plan.history);
      if (session === undefined) this.#fail("not_open", "The session could not be started again.", id);
      else await this.#sendTo(session, id, plan.content);
    }
  }

  async #sendTo(session: Session, id: string, content: NonNullable<SendMessage["content"]>): Promise<void> {
    try {
      await session.send(id, content);
    } catch (error) {
      this.#fail("refused", textOf(error), id);
    }
  }

  async #restart(session: Session, history: readonly TranscriptEntry[]): Promise<Session | undefined> {
    await session.close();
    if (this.#isOver) return undefined;
    const cwd = this.#opened?.options?.cwd ?? this.#base.cwd ?? process.cwd();
    try {
      const past = history.length === 0 ? undefined : await writeHistory(history, this.#base.env ?? inheritEnv(), cwd);
      return await this.#start(past, history, true);
    } catch (error) {
      this.#session = undefined;
      this.#fail("open_failed", textOf(error));
      return undefined;
    }
  }

  async #interrupt(id: string): Promise<void> {
    try {
      if (this.#session === undefined) this.#fail("not_open", "There is no session.", id);
      else {
        await this.#session.interrupt();
        await this.#write({ type: "interrupted", id });
      }
    } catch (error) {
      this.#fail("refused", textOf(error), id);
    }
  }

  async #close(): Promise<void> {
    const session = this.#session;
    if (session === undefined) {
      this.#fail("not_open", "There is no session.");
      return;
    }
    await session.close();
    this.#session = undefined;
    await this.#write({ type: "closed", reason: "closed" });
  }

  #onSessionEnd(session: Session, error: Error | undefined): void {
    // It was replaced, and nobody waits for it.
    if (session !== this.#session) return;
    this.#session = undefined;
    this.#fail("session_failed", error?.message ?? "The CLI ended.");
    void this.#write({ type: "closed", reason: "failed" });
  }

  readonly #canUseTool: CanUseTool = async (tool_name, input, asked) => {
    const { signal, toolUseID, title, description, decisionReason: reason, suggestions = [] } = asked;
    const answer = await this.#permissions.ask(
      signal,
      (id) =>
        this.#write({
          type: "permission_question",
          id,
          tool_name,
          input,
          tool_use_id: toolUseID,
          title,
          description,
          reason,
          can_allow_always: suggestions.length > 0,
        }),
      (id) => this.#write({ type: "cancelled", id }),
    );
    if (answer.behavior === "deny") {
      const { message = "The host did not permit it.", interrupt = false } = answer;
      return { behavior: "deny", message, interrupt };
    }
    const updatedInput = answer.updated_input ?? input;
    return answer.always === true ? allowAlways(updatedInput, suggestions) : { behavior: "allow", updatedInput };
  };

  #callTool(call: Omit<ToolCallMessage, "type" | "id">, signal: AbortSignal): Promise<ToolAnswer> {
    return this.#tools.ask(
      signal,
      (id) => this.#write({ type: "tool_call", id, ...call }),
      (id) => this.#write({ type: "cancelled", id }),
    );
  }

  #answerTool({ id, content, is_error: isError = false }: ToolResultMessage): void {
    try {
      const parts = typeof content === "string" ? [content] : content;
      const result = toolResult.content(
        parts.map((part) => {
          if (typeof part === "string") return part;
          return part.type === "text" ? part.text : toolResult.image(part.data, part.media_type);
        }),
      );
      if (!this.#tools.answer(id, { ...result, isError })) this.#failUnknown(id);
    } catch (error) {
      this.#tools.fail(id, textOf(error));
      this.#fail("bad_message", textOf(error), id);
    }
  }

  #enqueue(operation: () => Promise<void>, id?: string): void {
    this.#last = this.#last
      .then(() => (this.#isOver ? undefined : operation()))
      // What the operations expect they tell. This is a mistake of theirs, and the host has to know.
      .catch((error: unknown) => this.#fail("refused", textOf(error), id));
  }

  #failUnknown(id: string): void {
    this.#fail("unknown_id", "Nobody waits for an answer of this id. It was answered, or cancelled.", id);
  }

  #fail(code: BridgeErrorCode, message: string, id?: string): void {
    void this.#write({ type: "error", code, message, ...(id !== undefined && { id }) });
  }

  /** Waits until the host can take more, or nothing matters any more. Never rejects. */
  async #write(message: BridgeMessage): Promise<void> {
    // Interfaces have no index signature.
    const written = this.#writer.write(message as unknown as FrameValue).catch(() => this.#end("output-failed"));
    this.#lastWrite = written;
    await Promise.race([written, this.over]);
  }
}

function idOf(message: HostMessage): string | undefined {
  return "id" in message ? message.id : undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function withinMs(promise: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}

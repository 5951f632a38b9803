import {
  type Agent,
  type AgentOptions,
  createAgent,
  type Session,
  TurnFailedError,
  TurnRefusedError,
} from "@reins/runtime";
import type { Status } from "./status-line.ts";

/** The modes that one can change to while a session runs. */
export const modes: readonly string[] = ["default", "acceptEdits", "plan", "dontAsk"];

/** How a session begins: a new one, one that goes on, or a copy of one. */
interface Opening {
  /** The newest session of the folder. */
  readonly continue?: boolean;
  readonly resume?: string;
  readonly forkSession?: boolean;
}

/** The session that the chat is in, with what outlives it: the model and the mode that were chosen. */
export class Conversation implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #onError: (error: unknown) => void;
  #session: Session;
  #opening: Opening = {};
  #model: string | undefined;
  #mode: string;
  #contextPercent: number | undefined;
  /** Whether there is a transcript of this session to go on from. */
  #hasTurns = false;
  /** A message has been submitted, and says itself what is wrong. */
  #isSubmitting = false;
  /** The CLI is gone: the next message starts another one. */
  #isOver = false;

  constructor({ continue: goesOn, ...options }: AgentOptions, onError: (error: unknown) => void) {
    this.#mode = options.permissionMode ?? "default";
    this.#model = options.model;
    this.#onError = onError;
    this.#agent = createAgent(options);
    this.#session = this.#start(goesOn ? { continue: true } : {});
  }

  get status(): Status {
    const { client } = this.#session;
    const { costUsd, models } = client.usage.conversation;
    return {
      model: this.#model ?? client.init?.model,
      mode: this.#mode,
      contextPercent: this.#contextPercent,
      // Of a session that was resumed nothing is known before its next turn.
      costUsd: Object.keys(models).length > 0 ? costUsd : undefined,
    };
  }

  get session(): Session {
    return this.#session;
  }

  /** The session to which one could come back; `undefined` before its first turn. */
  get resumableId(): string | undefined {
    return this.#hasTurns || this.#opening.continue ? this.#session.sessionId : this.#opening.resume;
  }

  /** Submits a message; where the CLI has died since, in a new one that knows the conversation. */
  async submit(
    content: Parameters<Session["submitMessage"]>[0],
    signal: AbortSignal,
  ): ReturnType<Session["submitMessage"]> {
    this.#isSubmitting = true;
    if (this.#isOver) await this.#replace(this.#hasTurns ? { resume: this.#session.sessionId! } : this.#opening);
    const session = this.#session;
    try {
      const turn = await session.submitMessage(content, { signal });
      this.#hasTurns = true;
      return turn;
    } catch (error) {
      if (error instanceof TurnFailedError) this.#hasTurns ||= error.reason !== "session_ended";
      this.#isOver = isEnd(error) && this.#session === session;
      throw error;
    } finally {
      this.#isSubmitting = false;
    }
  }

  /** Begins a session without a past. */
  async startNew(): Promise<void> {
    await this.#replace({});
  }

  /** Goes on with a session of the past. */
  async resume(sessionId: string): Promise<void> {
    await this.#replace({ resume: sessionId });
  }

  /** Goes on in a copy of this session, which stays as it is. @returns whether there is anything to copy. */
  async fork(): Promise<boolean> {
    const resume = this.resumableId;
    if (resume === undefined) return false;
    await this.#replace({ resume, forkSession: true });
    return true;
  }

  async setModel(model: string): Promise<void> {
    await this.#session.connect();
    await this.#session.client.setModel(model);
    this.#model = model === "default" ? undefined : model;
  }

  async setMode(mode: string): Promise<void> {
    await this.#session.connect();
    await this.#session.client.setPermissionMode(mode);
    this.#mode = mode;
  }

  /** Calls a function with what each tool was given and gave, as soon as it is there. */
  onToolOutput(listener: (toolUseId: string, input: Readonly<Record<string, unknown>>, output: unknown) => void): void {
    this.#agent.registerHook("post_tool_use", ({ data }) =>
      listener(data.toolUseId, data.toolInput, data.error ?? data.output),
    );
  }

  /** The CLI has changed the mode by itself, such as with a plan that was approved. */
  modeChanged(mode: string): void {
    this.#mode = mode;
  }

  /** Asks how full the window is. Without an answer the last one stands. */
  async refreshContext(): Promise<void> {
    const session = this.#session;
    try {
      const { percentage } = await session.client.getContextUsage({ detail: "summary" });
      if (session === this.#session) this.#contextPercent = percentage;
    } catch {
      // The session has ended, which its turn has said, or the CLI is too old.
    }
  }

  async close(): Promise<void> {
    await this.#agent.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #replace(opening: Opening): Promise<void> {
    const before = this.#session;
    this.#session = this.#start(opening);
    await before.close();
  }

  #start(opening: Opening): Session {
    this.#opening = opening;
    this.#hasTurns = opening.resume !== undefined && opening.forkSession !== true;
    this.#isOver = false;
    this.#contextPercent = undefined;
    const session = this.#agent.session({
      ...opening,
      // What was chosen is kept. A mode is known by its name, whatever names a newer CLI has.
      permissionMode: this.#mode as NonNullable<AgentOptions["permissionMode"]>,
      ...(this.#model !== undefined && { model: this.#model }),
    });
    // Ahead of the first message: it is answered sooner, and a CLI that cannot be started is noticed at once.
    session.connect().then(
      () => {},
      (error: unknown) => {
        if (this.#session !== session) return;
        this.#isOver = true;
        if (!this.#isSubmitting) this.#onError(error);
      },
    );
    return session;
  }
}

function isEnd(error: unknown): boolean {
  if (error instanceof TurnFailedError) return error.reason === "session_ended";
  return error instanceof TurnRefusedError && error.by === "session";
}

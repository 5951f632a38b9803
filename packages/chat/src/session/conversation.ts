import {
  type Agent,
  type AgentOptions,
  createAgent,
  type Session,
  TurnFailedError,
  TurnRefusedError,
} from "@reins/runtime";

/** The modes that one can change to while a session runs. */
export const modes: readonly string[] = ["default", "acceptEdits", "plan", "dontAsk"];

/** How a session begins: a new one, one that goes on, or a copy of one. It holds for one session, all other options for each. */
type Opening = Pick<
  AgentOptions,
  "continue" | "resume" | "resumeSessionAt" | "resumeDropsTurn" | "forkSession" | "sessionId"
>;

/** What is known of the session. */
export interface Status {
  readonly model: string | undefined;
  /** `undefined` until the CLI has said it, where none was chosen. */
  readonly mode: string | undefined;
  /** How full the context window is, in percent. */
  readonly contextPercent: number | undefined;
  readonly costUsd: number | undefined;
}

/** What is told of a conversation between its messages. */
export interface ConversationListener {
  /** The session has ended, or could not be started, and no message was there to say so. */
  failed(error: unknown): void;
  /** There is a new {@link Status}. */
  changed(): void;
}

/** The session that the chat is in, with what outlives it: the model and the mode that were chosen. */
export class Conversation implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #listener: ConversationListener;
  #session: Session;
  #opening: Opening = {};
  #model: string | undefined;
  #mode: string | undefined;
  /** The mode of the settings, which holds where none was chosen. */
  #settingsMode: string | undefined;
  #contextPercent: number | undefined;
  /** Whether there is a transcript of this session to go on from. */
  #hasTurns = false;
  /** Messages and commands that wait for the session, and say themselves what is wrong. */
  #waiting = 0;
  /** The CLI is gone: the next message starts another one. */
  #isOver = false;
  #isClosed = false;

  constructor(options: AgentOptions, listener: ConversationListener) {
    const { continue: goesOn, resume, resumeSessionAt, resumeDropsTurn, forkSession, sessionId, ...lasting } = options;
    this.#mode = lasting.permissionMode;
    this.#model = lasting.model;
    this.#listener = listener;
    this.#agent = createAgent(lasting);
    this.#session = this.#start({ continue: goesOn, resume, resumeSessionAt, resumeDropsTurn, forkSession, sessionId });
  }

  get status(): Status {
    const { client } = this.#session;
    const { costUsd, models } = client.usage.conversation;
    return {
      model: this.#model ?? client.init?.model,
      mode: this.#mode ?? this.#settingsMode,
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
    const { continue: goesOn, forkSession, resume } = this.#opening;
    return this.#hasTurns || (goesOn && !forkSession) ? this.#session.sessionId : resume;
  }

  /** Submits a message; where the CLI has died since, in a new one that knows the conversation. */
  async submit(
    content: Parameters<Session["submitMessage"]>[0],
    signal: AbortSignal,
  ): ReturnType<Session["submitMessage"]> {
    this.#waiting++;
    let session = this.#session;
    try {
      await this.#revive();
      session = this.#session;
      const turn = await session.submitMessage(content, { signal });
      this.#hasTurns = true;
      return turn;
    } catch (error) {
      if (error instanceof TurnFailedError) this.#hasTurns ||= error.reason !== "session_ended";
      if (isEnd(error) && this.#session === session) this.#isOver = true;
      throw error;
    } finally {
      this.#waiting--;
    }
  }

  /** The session, connected; where the CLI has died since, a new one that knows the conversation. */
  async connected(): Promise<Session> {
    this.#waiting++;
    try {
      await this.#revive();
      await this.#session.connect();
      return this.#session;
    } catch (error) {
      throw new TurnRefusedError("session", "The session could not be started.", error);
    } finally {
      this.#waiting--;
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
    // The latest session is one before its id is known.
    const goesOn = this.#opening.continue;
    if (resume === undefined && !goesOn) return false;
    await this.#replace({ ...(resume === undefined ? { continue: goesOn } : { resume }), forkSession: true });
    return true;
  }

  async setModel(model: string): Promise<void> {
    const { client } = await this.connected();
    await client.setModel(model);
    this.#model = model === "default" ? undefined : model;
  }

  async setMode(mode: string): Promise<void> {
    const { client } = await this.connected();
    await client.setPermissionMode(mode);
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
    this.#isClosed = true;
    await this.#agent.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #revive(): Promise<void> {
    if (this.#isOver) await this.#replace(this.#hasTurns ? { resume: this.#session.sessionId! } : this.#opening);
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
      ...(this.#mode !== undefined && { permissionMode: this.#mode as NonNullable<AgentOptions["permissionMode"]> }),
      ...(this.#model !== undefined && { model: this.#model }),
    });
    session.registerHook("session_end", ({ data }) => {
      if (data.reason === "exited") this.#ended(session, data.error ?? new Error("Claude Code has exited."));
    });
    void this.#connect(session);
    return session;
  }

  /** Ahead of the first message: it is answered sooner, and a CLI that cannot be started is noticed at once. */
  async #connect(session: Session): Promise<void> {
    try {
      await session.connect();
      const { current_permission_mode: mode } = await session.client.initializationResult();
      this.#settingsMode ??= mode;
      this.#listener.changed();
    } catch (error) {
      this.#ended(session, error);
    }
  }

  #ended(session: Session, error: unknown): void {
    if (this.#session !== session || this.#isClosed || this.#isOver) return;
    this.#isOver = true;
    if (this.#waiting === 0) this.#listener.failed(error);
  }
}

/** Whether the CLI is gone, or was never there. */
export function isEnd(error: unknown): boolean {
  if (error instanceof TurnFailedError) return error.reason === "session_ended";
  return error instanceof TurnRefusedError && error.by === "session";
}

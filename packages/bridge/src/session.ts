import { Client, type Message, messageText, type Options, resultOutcome, type Turn, TurnEndedError } from "@reins/sdk";
import { Conversation } from "./conversation.ts";
import type { BridgeMessage, PromptContent, TranscriptEntry, TurnOutcome } from "./protocol.ts";

/** What a session needs of the bridge. */
export interface SessionHost {
  /** Never rejects. */
  readonly write: (message: BridgeMessage) => Promise<void>;
  /** The session ended and was not told to. */
  readonly onEnd: (session: Session, error: Error | undefined) => void;
}

/** A session of the CLI, and its prompts that run. */
export class Session {
  readonly id: string;
  readonly conversation: Conversation;
  readonly #client: Client;
  readonly #host: SessionHost;
  /** Prompts whose end was not told, by the host's id. */
  readonly #turns = new Map<string, Turn | "sending">();
  readonly #results = new WeakSet<object>();
  #isClosing = false;
  #reading: Promise<void> | undefined;

  /**
   * Starts nothing yet.
   *
   * @param history What it begins with; `undefined` when that is not known.
   */
  constructor(id: string, options: Options, history: readonly TranscriptEntry[] | undefined, host: SessionHost) {
    this.id = id;
    this.conversation = new Conversation(history);
    this.#client = new Client(options);
    this.#host = host;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get isBusy(): boolean {
    return this.#turns.size > 0;
  }

  /** Whether a prompt of this id runs. */
  has(id: string): boolean {
    return this.#turns.has(id);
  }

  /** Starts the CLI. @throws when it cannot be started; the session is closed then. */
  async connect(): Promise<void> {
    try {
      await this.#client.connect();
    } catch (error) {
      await this.#client.close();
      // Why the process failed is told to who reads.
      throw (await this.#reason()) ?? error;
    }
    this.#reading = this.#read();
  }

  /** @throws when the prompt could not be written. */
  async send(id: string, content: PromptContent): Promise<void> {
    this.#turns.set(id, "sending");
    this.conversation.prompted(content);
    try {
      const turn = await this.#client.send(content);
      this.#turns.set(id, turn);
      turn.result.catch((error: unknown) => {
        // It never ran, so there is no message to wait for. All else is told when the messages end.
        if (error instanceof TurnEndedError) void this.#endTurn(id, "not_run", error.message);
      });
      // A CLI that is quick may have answered already.
      const result = await settledResult(turn);
      if (isResult(result) && this.#results.has(result)) await this.#endTurns(result);
    } catch (error) {
      // Unless its end was told already, with that of the session.
      if (this.#turns.delete(id)) throw error;
    }
  }

  /** @throws when the CLI refuses, or is gone. */
  async interrupt(): Promise<void> {
    await this.#client.interrupt();
  }

  /** Stops the CLI. Settles when its exit was seen and all that it said was passed on; never rejects. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#client.close();
    await this.#reading;
  }

  async #read(): Promise<void> {
    let error: Error | undefined;
    try {
      for await (const message of this.#client.receiveMessages()) {
        this.#note(message);
        // The wire decides what a message is.
        await this.#host.write({ type: "event", message: message as unknown as Record<string, unknown> });
        if (message.type === "result") {
          this.#results.add(message);
          await this.#endTurns(message);
        }
      }
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    for (const id of [...this.#turns.keys()])
      await this.#endTurn(id, "session_ended", error?.message ?? "The session was closed.");
    if (!this.#isClosing) this.#host.onEnd(this, error);
  }

  /** Why the session has ended, if not because it was told to. */
  async #reason(): Promise<unknown> {
    const messages = this.#client.receiveMessages();
    try {
      while (!(await messages.next()).done);
    } catch (error) {
      return error;
    }
    return undefined;
  }

  #note(message: Message): void {
    if (message.type !== "assistant" || message.parent_tool_use_id != null) return;
    this.conversation.answered(messageText(message));
  }

  async #endTurns(result: Extract<Message, { type: "result" }>): Promise<void> {
    for (const [id, turn] of [...this.#turns]) {
      if (turn === "sending" || (await settledResult(turn)) !== result) continue;
      const { kind, text } = resultOutcome(result);
      await this.#endTurn(id, kind.replaceAll("-", "_"), text);
    }
  }

  async #endTurn(id: string, outcome: TurnOutcome, text: string): Promise<void> {
    if (!this.#turns.delete(id)) return;
    await this.#host.write({ type: "turn_end", id, outcome, text, session_id: this.#client.sessionId ?? this.id });
  }
}

type Result = Awaited<Turn["result"]>;

/** The result of a turn as far as it is known: `undefined` while it is not, `"failed"` where there will be none. */
async function settledResult(turn: Turn): Promise<Result | "failed" | undefined> {
  try {
    // Of promises that are settled, the first one wins.
    return await Promise.race([turn.result, undefined]);
  } catch {
    return "failed";
  }
}

function isResult(result: Result | "failed" | undefined): result is Result {
  return typeof result === "object";
}

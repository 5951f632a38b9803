import type { AgentOptions, RuntimeEvent } from "@reins/runtime";
import type { SessionLocation } from "@reins/sessions";
import { runCommand } from "../session/commands.ts";
import { Conversation, isEnd } from "../session/conversation.ts";
import { failureText, messageOf } from "../session/message.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import { toolSummary } from "../text/tool-text.ts";
import { LineInput } from "./line-input.ts";
import { LineQuestions } from "./line-questions.ts";
import { spawnApart } from "./spawn-apart.ts";

/** What a chat without a screen needs. */
interface PlainChatOptions {
  readonly agent: AgentOptions;
  /** Where the session works, and where the transcripts are. */
  readonly location: SessionLocation & { readonly dir: string };
  /** Lines come from here: a pipe, a file, a terminal that can do nothing else. */
  readonly input: AsyncIterable<Uint8Array | string>;
  /** Whether somebody types the input, and has to be told when. */
  readonly isTyped: boolean;
  /** Answers go here, and nothing else does. */
  readonly write: (text: string) => void;
  /** All that is about them: tools, questions, errors. */
  readonly tell: (text: string) => void;
}

/** The chat without a screen: each line of the input is a message or an answer to a question, the text of the answers is the output. */
export class PlainChat {
  readonly #options: PlainChatOptions;
  readonly #input: LineInput;
  readonly #conversation: Conversation;
  readonly #over = new AbortController();
  /** Interrupts the turn that runs. */
  #turnAbort: AbortController | undefined;
  #hasFailed = false;
  /** Why there can be no further answer. */
  #end: { readonly error: unknown } | undefined;
  /** The answer has text. */
  #hasText = false;
  /** Its last line has no end yet. */
  #isLineOpen = false;

  constructor(options: PlainChatOptions) {
    const { agent, input, isTyped, tell } = options;
    this.#options = options;
    this.#input = new LineInput(input);
    const questions = new LineQuestions(this.#input, isTyped, tell);
    const spawn = agent.spawnClaudeCodeProcess ?? (isTyped ? spawnApart : undefined);
    this.#conversation = new Conversation(
      {
        ...agent,
        ...(spawn && { spawnClaudeCodeProcess: spawn }),
        prompt: (request) => questions.ask(request),
        onRuntimeEvent: (event) => this.#happened(event),
      },
      { failed: (error) => this.#ended(error), changed: () => {} },
    );
  }

  /** The session to which one could come back. */
  get sessionId(): string | undefined {
    return this.#conversation.resumableId;
  }

  /**
   * Runs until the input ends.
   *
   * @returns whether every message had an answer, but for those that were interrupted.
   * @throws what has ended the session, or kept it from starting.
   */
  async run(): Promise<boolean> {
    const { signal } = this.#over;
    try {
      for (;;) {
        const message = await this.#nextMessage();
        if (message === undefined || signal.aborted) break;
        if (message !== "" && !(await this.#isCommand(message))) await this.#sendMessage(message);
      }
    } finally {
      await this.#conversation.close();
    }
    if (this.#end !== undefined) throw this.#end.error;
    return !this.#hasFailed;
  }

  /** Interrupts the turn that runs; where none does, leaves the chat. @returns false where that was asked for before, and was not done yet. */
  interrupt(): boolean {
    const abort = this.#turnAbort ?? this.#over;
    if (abort.signal.aborted) return false;
    if (abort === this.#over) this.stop();
    else abort.abort();
    return true;
  }

  /** Leaves the chat, whatever runs. */
  stop(): void {
    this.#over.abort();
    void this.#conversation.close();
  }

  /** One message: a line, and those that a backslash adds. */
  async #nextMessage(): Promise<string | undefined> {
    const { isTyped, tell } = this.#options;
    const { signal } = this.#over;
    const lines: string[] = [];
    for (;;) {
      if (isTyped) tell(lines.length === 0 ? "> " : ". ");
      const line = await this.#input.next(signal);
      if (line === undefined) {
        // The shell's prompt does not go behind this one.
        if (isTyped) tell("\n");
        return lines.length === 0 || signal.aborted ? undefined : lines.join("\n").trim();
      }
      if (!line.endsWith("\\")) return [...lines, line].join("\n").trim();
      lines.push(line.slice(0, -1));
    }
  }

  /** Whether it was a command, which has been run then. */
  async #isCommand(message: string): Promise<boolean> {
    try {
      return await runCommand(message, {
        conversation: this.#conversation,
        location: this.#options.location,
        ask: undefined,
        say: (markdown) => this.#note(plainText(markdown)),
        replay: (role, text) => this.#note(`${role === "user" ? "> " : ""}${plainText(text)}`),
        exit: () => this.stop(),
      });
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  async #sendMessage(message: string): Promise<void> {
    this.#hasText = false;
    const abort = new AbortController();
    this.#turnAbort = abort;
    try {
      const { content, notes } = await messageOf(message, this.#options.location.dir);
      for (const note of notes) this.#note(`+ ${plainLine(note)}`);
      const { text, stopped } = await this.#conversation.submit(content, abort.signal);
      // Commands of the CLI have their answer here alone.
      if (!this.#hasText && text !== "") this.#options.write(`${plainText(text)}\n`);
      if (stopped !== undefined) this.#note(`Stopped by ${stopped.by}.`);
    } catch (error) {
      this.#endLine();
      this.#fail(error);
    } finally {
      this.#turnAbort = undefined;
    }
  }

  #happened({ type, data, agentToolUseId }: RuntimeEvent): void {
    if (type === "response.chunk" && agentToolUseId === undefined) {
      if (data.type === "content_block_delta" && data.deltaType === "text_delta" && data.delta) {
        this.#hasText = true;
        this.#isLineOpen = !data.delta.endsWith("\n");
        this.#options.write(plainText(data.delta));
      } else if (data.type === "content_block_stop") this.#endLine();
    } else if (type === "execution_mode.changed") this.#conversation.modeChanged(data.to);
    else if (type === "tool.progress" && data.stage === "requested")
      this.#note(`[${toolSummary(data.toolName, data.input ?? {})}]`);
    else if (type === "tool.progress" && (data.stage === "failed" || data.stage === "denied"))
      this.#note(`[${plainLine(data.toolName)} ${data.stage}]`);
  }

  #endLine(): void {
    if (this.#isLineOpen) this.#options.write("\n");
    this.#isLineOpen = false;
  }

  /** Nothing can be answered any more. */
  #ended(error: unknown): void {
    // The end that was asked for is none to tell of.
    if (this.#over.signal.aborted) return;
    this.#end = { error };
    this.stop();
  }

  #fail(error: unknown): void {
    if (this.#over.signal.aborted) return;
    if (isEnd(error)) {
      this.#ended(error instanceof Error && error.cause !== undefined ? error.cause : error);
      return;
    }
    const text = failureText(error);
    if (text !== "Interrupted.") this.#hasFailed = true;
    this.#note(plainText(text));
  }

  #note(line: string): void {
    this.#options.tell(`${line}\n`);
  }
}

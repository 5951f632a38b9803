import type { RuntimeEvent } from "@reins/runtime";
import type { Conversation } from "../session/conversation.ts";
import { messageOf } from "../session/message.ts";
import type { Style } from "../text/style.ts";
import type { FrameClock } from "./frame-clock.ts";
import type { Transcript } from "./transcript.ts";
import { TurnView } from "./turn-view.ts";

/** What turns are shown with. */
interface TurnsOptions {
  readonly conversation: Conversation;
  /** The folder that the paths of images are relative to. */
  readonly cwd: string;
  readonly style: Style;
  readonly transcript: Transcript;
  readonly clock: FrameClock;
  readonly width: () => number;
}

/** Sends messages, and shows what their turns bring. One turn runs at a time. */
export class Turns {
  readonly #options: TurnsOptions;
  #view: TurnView | undefined;
  /** Takes back the message of the turn, where it has one of ours. */
  #abort: AbortController | undefined;
  #isInterrupted = false;
  #isOver = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    options.conversation.onToolOutput((toolUseId, input, output) => this.#view?.output(toolUseId, input, output));
  }

  /** The turn that runs. */
  get view(): TurnView | undefined {
    return this.#view;
  }

  /** The turn was interrupted, and is about to end. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Sends a message, and waits for the end of its turn. Never rejects: what went wrong is in the transcript. */
  async send(text: string): Promise<void> {
    const { conversation, cwd, transcript, clock } = this.#options;
    const turn = this.#begin();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const { content, notes } = await messageOf(text, cwd);
      for (const note of notes) transcript.note(note);
      const result = await conversation.submit(content, abort.signal);
      // Commands of the CLI have their answer here alone.
      if (!turn.hasText && result.text !== "") turn.text(result.text);
      this.#end();
      if (result.stopped !== undefined) transcript.warn(`Stopped by ${result.stopped.by}.`);
    } catch (error) {
      this.#end();
      if (!this.#isOver) transcript.fail(error);
    }
    if (!this.#isOver) void conversation.refreshContext().then(clock.changed);
  }

  interrupt(): void {
    const { conversation, transcript } = this.#options;
    this.#isInterrupted = true;
    if (this.#abort !== undefined) this.#abort.abort();
    else conversation.session.interrupt().catch((error: unknown) => transcript.fail(error));
  }

  /** For `onRuntimeEvent`. */
  happened(event: RuntimeEvent): void {
    // The CLI begins turns by itself, such as when a task in the background has ended.
    if (event.type === "turn.started" && event.data.origin === "wake" && this.#view === undefined) this.#begin();
    else if (event.type === "turn.completed" || event.type === "turn.failed") {
      // That of a message ends where it was sent.
      if (this.#abort === undefined) this.#end();
    } else if (event.type === "response.chunk" && event.agentToolUseId === undefined) this.#view?.chunk(event.data);
    else if (event.type === "tool.progress") this.#view?.progress(event.data);
  }

  /** The lines of the turn that have become final since the last time. */
  takePrinted(): string[] {
    return this.#view?.takePrinted(this.#options.width()) ?? [];
  }

  /** The chat is over: what the turn has brought so far is final, and its message is taken back. */
  close(): void {
    this.#isOver = true;
    this.#view?.end();
    this.#abort?.abort();
  }

  #begin(): TurnView {
    // One that the CLI has begun by itself goes on in this one.
    this.#end();
    const view = new TurnView(this.#options.style);
    this.#view = view;
    this.#options.clock.animate(true);
    return view;
  }

  #end(): void {
    this.#view?.end();
    this.#options.transcript.print(this.takePrinted());
    this.#view = undefined;
    this.#abort = undefined;
    this.#isInterrupted = false;
    this.#options.clock.animate(false);
  }
}

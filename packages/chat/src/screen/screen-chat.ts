import type { AgentOptions, RuntimeEvent } from "@reins/runtime";
import type { SessionLocation } from "@reins/sessions";
import { PanelQueue } from "../panels/panel-queue.ts";
import { answerPrompt } from "../panels/questions.ts";
import { isImmediate, runCommand } from "../session/commands.ts";
import { Conversation, modes } from "../session/conversation.ts";
import { Editor } from "../terminal/editor.ts";
import type { Key } from "../terminal/keys.ts";
import { Screen, type ScreenOutput } from "../terminal/screen.ts";
import { Terminal } from "../terminal/terminal.ts";
import type { Style } from "../text/style.ts";
import { FrameClock } from "./frame-clock.ts";
import { layout } from "./layout.ts";
import { Transcript } from "./transcript.ts";
import { Turns } from "./turns.ts";
import { WorkQueue } from "./work-queue.ts";

/** What a chat with a screen needs. */
interface ScreenChatOptions {
  readonly agent: AgentOptions;
  /** Where the session works, and where the transcripts are. */
  readonly location: SessionLocation & { readonly dir: string };
  readonly style: Style;
  readonly output: ScreenOutput;
  /** Said at the beginning, in Markdown. */
  readonly welcome: string;
}

/** The narrowest terminal that is drawn for; a narrower one wraps the lines itself. */
const minWidth = 20;
/** A second Ctrl-C ends the chat within this time. */
const exitMs = 2000;
/** After a pause of this length nobody is in the middle of a word. */
const writingMs = 1000;
/** Longest wait for the end of an interrupted turn. */
const endMs = 1500;

/** The chat in a terminal: a transcript that is printed, and below it an input, or what is asked. */
export class ScreenChat {
  readonly #options: ScreenChatOptions;
  readonly #screen: Screen;
  readonly #terminal: Terminal;
  readonly #clock: FrameClock = new FrameClock(() => this.#draw());
  readonly #panels: PanelQueue = new PanelQueue(this.#clock.changed);
  readonly #editor = new Editor();
  readonly #conversation: Conversation;
  readonly #transcript: Transcript;
  readonly #turns: Turns;
  /** Messages and commands. */
  readonly #work: WorkQueue = new WorkQueue((text) => this.#workOn(text));
  /** In the place of the status, until the next key. */
  #notice = "";
  #lastInterruptAt = Number.NEGATIVE_INFINITY;
  #lastEditAt = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #leave: () => void = () => {};

  constructor(options: ScreenChatOptions) {
    const { agent, location, style, output } = options;
    this.#options = options;
    this.#screen = new Screen(output);
    this.#terminal = new Terminal({
      key: (key) => this.#pressed(key),
      resized: this.#clock.changed,
      resumed: () => this.#resumed(),
      ended: () => this.stop(),
    });
    const width = (): number => this.#width;
    this.#transcript = new Transcript(style, width, this.#clock.changed);
    this.#conversation = new Conversation(
      {
        ...agent,
        prompt: (request) => answerPrompt(request, this.#panels.askFor(request.signal)),
        onRuntimeEvent: (event) => this.#happened(event),
      },
      { failed: (error) => this.#transcript.fail(error), changed: this.#clock.changed },
    );
    this.#turns = new Turns({
      conversation: this.#conversation,
      cwd: location.dir,
      style,
      transcript: this.#transcript,
      clock: this.#clock,
      width,
    });
  }

  /** The session to which one could come back. */
  get sessionId(): string | undefined {
    return this.#conversation.resumableId;
  }

  /** Runs until it is left. The terminal is then as it was. */
  async run(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#leave = resolve;
    });
    try {
      this.#terminal.take();
      this.#transcript.say(this.#options.welcome);
      this.#clock.start();
      if (!this.#isOver) await left;
    } finally {
      this.stop();
      this.#clock.stop();
      this.#panels.close();
      // Interrupted, the turn and with it the CLI end much sooner than closed in the middle of one.
      this.#turns.close();
      this.#screen.update(this.#takePrinted(), { lines: [] });
      this.#screen.clear();
      this.#terminal.release();
      await this.#work.settledWithin(endMs);
      await this.#conversation.close();
    }
  }

  /** Leaves the chat, whatever runs. */
  stop(): void {
    this.#isOver = true;
    this.#work.close();
    this.#leave();
  }

  #pressed(key: Key): void {
    if (this.#isOver) return;
    this.#notice = "";
    const name = key.type === "key" ? key.name : undefined;
    const panel = this.#panels.first?.panel;
    if (name === "ctrl-c") this.#interrupt();
    else if (name === "ctrl-z") this.#suspend();
    else if (name === "ctrl-l") this.#redraw();
    else if (panel !== undefined && !this.#isWriting()) panel.press(key);
    else if (name === "ctrl-d" && this.#editor.text === "") this.stop();
    else if (name === "shift-tab") void this.#cycleMode();
    else if (name === "escape" && this.#turns.view !== undefined) this.#notice = "ctrl-c interrupts";
    else {
      this.#lastEditAt = Date.now();
      if (this.#editor.press(key) === "submit") this.#submit();
    }
    this.#clock.changed();
  }

  /** Whether somebody is in the middle of a message: the question that has come up now must not take its letters for an answer. */
  #isWriting(): boolean {
    return this.#editor.text !== "" && Date.now() - this.#lastEditAt < writingMs;
  }

  /** Ctrl-C: the turn first, then the panel, then what was written; what has none of them is left by a second one. */
  #interrupt(): void {
    const isRunning = this.#turns.view !== undefined;
    const panel = this.#panels.first;
    const isSecond = Date.now() - this.#lastInterruptAt < exitMs;
    const isIdle = !isRunning && panel === undefined && this.#editor.text === "";
    if (isSecond && (this.#turns.isInterrupted || isIdle)) {
      this.stop();
      return;
    }
    if (isRunning && !this.#turns.isInterrupted) {
      // What was to be said next may not be meant any more.
      this.#editor.set([...this.#work.takeBack(), this.#editor.text].filter((text) => text !== "").join("\n"));
      this.#turns.interrupt();
    } else if (!isRunning && panel !== undefined) {
      panel.cancel();
      return;
    } else if (!isRunning && this.#editor.text !== "") {
      this.#editor.set("");
      return;
    } else {
      this.#notice = "Ctrl-C again exits.";
    }
    this.#lastInterruptAt = Date.now();
  }

  #suspend(): void {
    // The screen is the shell's from here on.
    this.#clock.stop();
    this.#screen.clear();
    this.#terminal.suspend();
  }

  #resumed(): void {
    this.#screen.forget();
    this.#clock.start();
    this.#clock.animate(this.#turns.view !== undefined);
  }

  /** For a screen that something else has written on. */
  #redraw(): void {
    this.#options.output.write("\x1b[2J\x1b[H");
    this.#screen.forget();
  }

  #submit(): void {
    const text = this.#editor.text;
    this.#editor.remember(text);
    if (text.trim() === "") return;
    if (this.#work.isBusy && isImmediate(text)) {
      this.#transcript.echo(text);
      void this.#isCommand(text);
    } else this.#work.add(text);
  }

  async #workOn(text: string): Promise<void> {
    this.#transcript.echo(text);
    if (!(await this.#isCommand(text))) await this.#turns.send(text);
    this.#clock.changed();
  }

  /** Whether it was a command, which has been run then. */
  async #isCommand(line: string): Promise<boolean> {
    const transcript = this.#transcript;
    try {
      return await runCommand(line.trim(), {
        conversation: this.#conversation,
        location: this.#options.location,
        ask: this.#panels.askFor(undefined),
        say: (markdown) => transcript.say(markdown),
        replay: (role, text) => (role === "user" ? transcript.echo(text) : transcript.say(text)),
        exit: () => this.stop(),
      });
    } catch (error) {
      transcript.fail(error);
      return true;
    }
  }

  #happened(event: RuntimeEvent): void {
    if (event.type === "execution_mode.changed") this.#conversation.modeChanged(event.data.to);
    else if (event.type === "context.compacted") this.#transcript.say("*The conversation was compacted.*");
    else this.#turns.happened(event);
    this.#clock.changed();
  }

  async #cycleMode(): Promise<void> {
    const at = modes.indexOf(this.#conversation.status.mode ?? "");
    try {
      await this.#conversation.setMode(modes[(at + 1) % modes.length] ?? "default");
    } catch (error) {
      this.#transcript.fail(error);
    }
    this.#clock.changed();
  }

  #draw(): void {
    const { output, style } = this.#options;
    const shown = {
      turn: this.#turns.view,
      queued: this.#work.waiting,
      panel: this.#panels.first?.panel,
      editor: this.#editor,
      notice: this.#turns.isInterrupted ? "Interrupting. Ctrl-C again exits." : this.#notice,
      status: this.#conversation.status,
    };
    // What the turn has printed is taken first: the rest of it is what may still change.
    const printed = this.#takePrinted();
    this.#screen.update(printed, layout(shown, this.#width, Math.max(output.rows - 1, 3), style));
  }

  #takePrinted(): string[] {
    return [...this.#transcript.take(), ...this.#turns.takePrinted()];
  }

  get #width(): number {
    // The last column stays free: some terminals wrap when it is written to, others with the character behind it.
    return Math.max(this.#options.output.columns - 1, minWidth);
  }
}

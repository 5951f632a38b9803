import type { AgentOptions, RuntimeEvent } from "@reins/runtime";
import { isImmediate, runCommand } from "./commands.ts";
import { Conversation, modes } from "./conversation.ts";
import { Editor } from "./editor.ts";
import type { Key } from "./keys.ts";
import { markdownLines, wrap, wrapVerbatim } from "./markdown.ts";
import { failureText, messageOf } from "./message.ts";
import type { Ask, Panel } from "./panel.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { answerPrompt } from "./questions.ts";
import { type LiveRegion, Screen, type ScreenOutput } from "./screen.ts";
import { statusLine } from "./status-line.ts";
import type { Style } from "./style.ts";
import { Terminal } from "./terminal.ts";
import { TurnView } from "./turn-view.ts";
import { truncate } from "./width.ts";

export interface ChatOptions {
  readonly agent: AgentOptions;
  /** Where the transcripts of the sessions are. */
  readonly location: { readonly dir: string; readonly configDir?: string | undefined };
  readonly style: Style;
  readonly output: ScreenOutput;
  /** Said at the beginning, in Markdown. */
  readonly welcome: string;
}

/** The narrowest terminal that is drawn for; a narrower one wraps the lines itself. */
const minWidth = 20;
/** Between two frames. More often nobody sees. */
const frameMs = 33;
/** Between two steps of the spinner. */
const spinnerMs = 100;
/** A second Ctrl-C ends the chat within this time. */
const exitMs = 2000;

/** After a pause of this length nobody is in the middle of a word. */
const writingMs = 1000;
/** Longest wait for the end of an interrupted turn. */
const endMs = 1500;

/** A panel that waits for its answer. */
interface OpenPanel {
  readonly panel: Panel;
  /** Takes it away without an answer. */
  cancel(): void;
}

/** The chat in a terminal: a transcript that is printed, and below it an input, or what is asked. */
export class Chat {
  readonly #options: ChatOptions;
  readonly #screen: Screen;
  readonly #terminal: Terminal;
  readonly #editor = new Editor();
  readonly #conversation: Conversation;
  /** Lines that the next frame prints. */
  #printed: string[] = [];
  readonly #panels: OpenPanel[] = [];
  #turn: TurnView | undefined;
  /** Interrupts the turn, where it has a message of ours. */
  #turnAbort: AbortController | undefined;
  /** Messages that were written while a turn runs. */
  #queue: string[] = [];
  /** A command or a message is being worked on; what is submitted waits. */
  #isWorking = false;
  /** Settles when that is done. */
  #worked: Promise<void> = Promise.resolve();
  /** The turn was interrupted, and is about to end. */
  #isInterrupted = false;
  /** In the place of the status, until the next key. */
  #notice = "";
  #lastInterruptAt = Number.NEGATIVE_INFINITY;
  #lastEditAt = Number.NEGATIVE_INFINITY;
  #frameTimer: NodeJS.Timeout | undefined;
  #lastFrameMs = 0;
  #spinnerTimer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isSuspended = false;
  #exit: () => void = () => {};

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#screen = new Screen(options.output);
    this.#terminal = new Terminal({
      key: (key) => this.#pressed(key),
      resized: () => this.#draw(),
      resumed: () => {
        this.#isSuspended = false;
        this.#screen.forget();
        this.#draw();
      },
      ended: () => this.stop(),
    });
    const agent: AgentOptions = {
      ...options.agent,
      prompt: (request) => answerPrompt(request, this.#askFor(request.signal)),
      onRuntimeEvent: (event) => this.#happened(event),
    };
    this.#conversation = new Conversation(agent, (error) => {
      this.#fail(error);
      this.#draw();
    });
    this.#conversation.onToolOutput((toolUseId, input, output) => this.#turn?.output(toolUseId, input, output));
  }

  /** Runs until it is left. The terminal is then as it was. */
  async run(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#exit = resolve;
    });
    try {
      this.#terminal.take();
      this.#say(this.#options.welcome);
      this.#draw();
      await left;
    } finally {
      this.#isOver = true;
      for (const panel of [...this.#panels]) panel.cancel();
      clearTimeout(this.#frameTimer);
      clearInterval(this.#spinnerTimer);
      this.#turn?.end();
      this.#screen.update([...this.#printed, ...(this.#turn?.takePrinted(this.#width) ?? [])], { lines: [] });
      this.#screen.clear();
      this.#terminal.release();
      await this.#endWork();
      await this.#conversation.close();
    }
  }

  /** Leaves the chat, whatever runs. */
  stop(): void {
    this.#isOver = true;
    this.#exit();
  }

  /** Interrupts the turn, which ends the CLI much sooner than to close it in the middle of one. */
  async #endWork(): Promise<void> {
    this.#turnAbort?.abort();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, endMs);
    });
    await Promise.race([this.#worked, timeout]);
    clearTimeout(timer);
  }

  #pressed(key: Key): void {
    if (this.#isOver) return;
    this.#notice = "";
    const name = key.type === "key" ? key.name : undefined;
    if (name === "ctrl-c") this.#interrupt();
    else if (name === "ctrl-z") this.#suspend();
    else if (name === "ctrl-l") this.#redraw();
    else if (this.#panels[0] !== undefined && !this.#isWriting()) this.#panels[0].panel.press(key);
    else if (name === "ctrl-d" && this.#editor.text === "") this.stop();
    else if (name === "shift-tab") void this.#cycleMode();
    else if (name === "escape" && this.#turn !== undefined) this.#notice = "ctrl-c interrupts";
    else {
      this.#lastEditAt = Date.now();
      if (this.#editor.press(key) === "submit") this.#submit();
    }
    this.#schedule();
  }

  /** Whether somebody is in the middle of a message: the question that has come up now must not take its letters for an answer. */
  #isWriting(): boolean {
    return this.#editor.text !== "" && Date.now() - this.#lastEditAt < writingMs;
  }

  /** Ctrl-C: the turn first, then the panel, then what was written; what has none of them is left by a second one. */
  #interrupt(): void {
    const isSecond = Date.now() - this.#lastInterruptAt < exitMs;
    const isIdle = this.#turn === undefined && this.#panels.length === 0 && this.#editor.text === "";
    if (isSecond && (this.#isInterrupted || isIdle)) {
      this.stop();
      return;
    }
    if (this.#turn !== undefined && !this.#isInterrupted) {
      this.#isInterrupted = true;
      // What was to be said next may not be meant any more.
      this.#editor.set([...this.#queue.splice(0), this.#editor.text].filter((text) => text !== "").join("\n"));
      if (this.#turnAbort !== undefined) this.#turnAbort.abort();
      else this.#conversation.session.interrupt().catch((error: unknown) => this.#fail(error));
      this.#notice = "Interrupting. Ctrl-C again exits.";
    } else if (this.#turn === undefined && this.#panels[0] !== undefined) {
      this.#panels[0].cancel();
      return;
    } else if (this.#turn === undefined && this.#editor.text !== "") {
      this.#editor.set("");
      return;
    } else {
      this.#notice = "Ctrl-C again exits.";
    }
    this.#lastInterruptAt = Date.now();
  }

  #suspend(): void {
    // The screen is the shell's from here on.
    this.#isSuspended = true;
    this.#screen.clear();
    this.#terminal.suspend();
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
    if (this.#isWorking && isImmediate(text)) {
      this.#echo(text);
      void this.#isCommand(text);
    } else {
      this.#queue.push(text);
      if (!this.#isWorking) this.#worked = this.#work();
    }
  }

  /** Works on what was submitted, one after the other. */
  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let text = this.#queue.shift(); text !== undefined && !this.#isOver; text = this.#queue.shift()) {
      this.#echo(text);
      this.#schedule();
      if (!(await this.#isCommand(text))) await this.#sendMessage(text);
    }
    this.#isWorking = false;
    this.#schedule();
  }

  /** Whether it was a command, which has been run then. */
  async #isCommand(line: string): Promise<boolean> {
    try {
      return await runCommand(line.trim(), {
        conversation: this.#conversation,
        location: this.#options.location,
        ask: this.#askFor(undefined),
        say: (markdown) => this.#say(markdown),
        replay: (role, text) => (role === "user" ? this.#echo(text) : this.#say(text)),
        exit: () => this.stop(),
      });
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  async #sendMessage(text: string): Promise<void> {
    const turn = this.#beginTurn();
    const abort = new AbortController();
    this.#turnAbort = abort;
    try {
      const { content, notes } = await messageOf(text, this.#options.location.dir);
      for (const note of notes)
        this.#print(wrap(`+ ${plainLine(note)}`, this.#width - 2).map((line) => this.#options.style.dim(`  ${line}`)));
      this.#schedule();
      const result = await this.#conversation.submit(content, abort.signal);
      // Commands of the CLI have their answer here alone.
      if (!turn.hasText && result.text !== "") turn.text(result.text);
      this.#endTurn();
      if (result.stopped !== undefined) this.#warn(`Stopped by ${result.stopped.by}.`);
    } catch (error) {
      this.#endTurn();
      if (!this.#isOver) this.#fail(error);
    }
    if (!this.#isOver) void this.#conversation.refreshContext().then(() => this.#schedule());
  }

  #beginTurn(): TurnView {
    // One that the CLI has begun by itself goes on in this one.
    if (this.#turn !== undefined) this.#endTurn();
    const turn = new TurnView(this.#options.style);
    this.#turn = turn;
    this.#isInterrupted = false;
    this.#spinnerTimer ??= setInterval(() => this.#schedule(), spinnerMs);
    return turn;
  }

  #endTurn(): void {
    this.#turn?.end();
    this.#print(this.#turn?.takePrinted(this.#width) ?? []);
    this.#turn = undefined;
    this.#turnAbort = undefined;
    if (this.#isInterrupted) this.#notice = "";
    this.#isInterrupted = false;
    clearInterval(this.#spinnerTimer);
    this.#spinnerTimer = undefined;
  }

  #happened(event: RuntimeEvent): void {
    if (event.type === "execution_mode.changed") this.#conversation.modeChanged(event.data.to);
    // The CLI begins turns by itself, such as when a task in the background has ended.
    else if (event.type === "turn.started" && event.data.origin === "wake" && this.#turn === undefined)
      this.#beginTurn();
    else if (event.type === "turn.completed" || event.type === "turn.failed") {
      if (this.#turn !== undefined && !this.#isWorking) this.#endTurn();
    } else if (event.type === "response.chunk" && event.agentToolUseId === undefined) this.#turn?.chunk(event.data);
    else if (event.type === "tool.progress") this.#turn?.progress(event.data);
    else if (event.type === "context.compacted") this.#say("*The conversation was compacted.*");
    this.#schedule();
  }

  async #cycleMode(): Promise<void> {
    const at = modes.indexOf(this.#conversation.status.mode);
    try {
      await this.#conversation.setMode(modes[(at + 1) % modes.length] ?? "default");
    } catch (error) {
      this.#fail(error);
    }
    this.#schedule();
  }

  /** Panels of one question come one after the other; those of several wait in a row. */
  #askFor(signal: AbortSignal | undefined): Ask {
    return (make) =>
      new Promise((resolve) => {
        if (signal?.aborted || this.#isOver) {
          resolve(undefined);
          return;
        }
        const settle = (value: Parameters<typeof resolve>[0]): void => {
          const at = this.#panels.indexOf(open);
          if (at < 0) return;
          this.#panels.splice(at, 1);
          signal?.removeEventListener("abort", open.cancel);
          resolve(value);
          this.#schedule();
        };
        const open: OpenPanel = { panel: make(settle), cancel: () => settle(undefined) };
        signal?.addEventListener("abort", open.cancel);
        this.#panels.push(open);
        this.#schedule();
      });
  }

  #echo(text: string): void {
    const { style } = this.#options;
    const lines = wrapVerbatim(plainText(text), this.#width - 2);
    this.#print(["", ...lines.map((line, i) => style.bold(`${i === 0 ? ">" : " "} ${line}`))]);
  }

  #say(markdown: string): void {
    this.#print(["", ...markdownLines(markdown, this.#width, this.#options.style)]);
  }

  #warn(text: string): void {
    this.#print(["", ...wrap(plainText(text), this.#width).map((line) => this.#options.style.yellow(line))]);
  }

  #fail(error: unknown): void {
    const { style } = this.#options;
    const text = failureText(error);
    const lines = wrap(plainText(text === "Interrupted." ? text : `✗ ${text}`), this.#width);
    this.#print(["", ...lines.map((line) => (text === "Interrupted." ? style.yellow(line) : style.red(line)))]);
  }

  #print(lines: readonly string[]): void {
    // Without a spread: there may be very many.
    for (const line of lines) this.#printed.push(line);
    this.#schedule();
  }

  get #width(): number {
    // The last column stays free: some terminals wrap when it is written to, others with the character behind it.
    return Math.max(this.#options.output.columns - 1, minWidth);
  }

  #schedule(): void {
    if (this.#isOver) return;
    // A frame that took long is not followed at once by another one: keys come first.
    this.#frameTimer ??= setTimeout(() => this.#draw(), Math.max(frameMs, 2 * this.#lastFrameMs));
  }

  #draw(): void {
    clearTimeout(this.#frameTimer);
    this.#frameTimer = undefined;
    if (this.#isOver || this.#isSuspended) return;
    const startedAt = performance.now();
    const printed = [...this.#printed, ...(this.#turn?.takePrinted(this.#width) ?? [])];
    this.#printed = [];
    this.#screen.update(printed, this.#live());
    this.#lastFrameMs = performance.now() - startedAt;
  }

  #live(): LiveRegion {
    const { style, output } = this.#options;
    const width = this.#width;
    const rows = Math.max(output.rows - 1, 3);
    const status =
      this.#notice === ""
        ? statusLine(this.#conversation.status, width, style)
        : style.yellow(truncate(this.#notice, width));
    const input = this.#input(width, Math.max(rows - 4, 1));
    const queued = this.#queue.map((text) => style.dim(truncate(`+ ${plainLine(text)}`, width)));
    const room = rows - input.lines.length - queued.length - 3;
    const turn = this.#turn !== undefined && room >= 2 ? this.#turn.live(width, room) : [];
    const above = [...turn, ...queued, ""];
    const cursor = input.cursor && { ...input.cursor, row: input.cursor.row + above.length };
    return { lines: [...above, ...input.lines, "", status], cursor };
  }

  #input(width: number, height: number): LiveRegion {
    const { style } = this.#options;
    const [open] = this.#panels;
    if (open !== undefined) return open.panel.view({ width, height, style });
    const { lines, row, column } = this.#editor.view(width - 2);
    const room = Math.min(height, 10);
    const start = Math.max(Math.min(row - Math.floor(room / 2), lines.length - room), 0);
    const shown = lines
      .slice(start, start + room)
      .map((line, i) => `${start + i === 0 ? style.cyan(">") : " "} ${line}`);
    return { lines: shown, cursor: { row: row - start, column: column + 2 } };
  }
}

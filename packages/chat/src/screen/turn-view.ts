import type { ResponseChunk, ToolProgress, ToolStage } from "@reins/runtime";
import { markdownLines, settledLength } from "../text/markdown.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import type { Style } from "../text/style.ts";
import { outputText, toolSummary } from "../text/tool-text.ts";
import { truncate } from "../text/width.ts";
import { wrapVerbatim } from "../text/wrap.ts";

/** A tool call on the screen. */
interface ToolLine {
  readonly kind: "tool";
  readonly name: string;
  input: Readonly<Record<string, unknown>>;
  readonly isNested: boolean;
  startedAt: number;
  stage: ToolStage | "interrupted";
  endedAt: number | undefined;
  message: string | undefined;
  output: string | undefined;
}

/** A block of text on the screen; `rest` is what was not printed yet. */
interface TextPart {
  readonly kind: "text";
  rest: string;
  isWhole: boolean;
}

/** A block that is longer is printed in pieces, so that no frame has to look at more. */
const maxPending = 8_000;
/** Lines of a tool's output that are shown. */
const maxOutputLines = 4;
const spinnerFrames: readonly string[] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/**
 * What a turn brings, in lines: those that are final, each given once, and those that may still change. Text is final block by block, a tool
 * call when it has ended.
 */
export class TurnView {
  readonly #style: Style;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #parts: (TextPart | ToolLine)[] = [];
  readonly #tools = new Map<string, ToolLine>();
  #lastPrinted: "text" | "tool" | undefined;
  #isThinking = false;
  #hasText = false;

  constructor(style: Style, now: () => number = Date.now) {
    this.#style = style;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Whether there was text of the answer. Local commands have none: theirs is in the result alone. */
  get hasText(): boolean {
    return this.#hasText;
  }

  chunk(chunk: ResponseChunk): void {
    if (chunk.type === "content_block_start") {
      this.#settleText();
      this.#isThinking = chunk.blockType === "thinking";
    } else if (chunk.type === "content_block_delta" && chunk.deltaType === "text_delta" && chunk.delta) {
      this.text(chunk.delta);
    } else if (chunk.type === "content_block_stop") {
      this.#settleText();
      this.#isThinking = false;
    }
  }

  /** Adds to the text of the answer. */
  text(delta: string): void {
    this.#hasText = true;
    const last = this.#parts.at(-1);
    if (last?.kind === "text" && !last.isWhole) last.rest += delta;
    else this.#parts.push({ kind: "text", rest: delta, isWhole: false });
  }

  progress({ toolUseId, toolName, stage, input, message, agentToolUseId }: ToolProgress): void {
    let tool = this.#tools.get(toolUseId);
    if (tool === undefined) {
      this.#settleText();
      tool = {
        kind: "tool",
        name: toolName,
        input: input ?? {},
        isNested: agentToolUseId !== undefined,
        startedAt: this.#now(),
        stage,
        endedAt: undefined,
        message: undefined,
        output: undefined,
      };
      this.#tools.set(toolUseId, tool);
      this.#parts.push(tool);
    }
    // What ran has ended, whatever is told late.
    if (tool.endedAt !== undefined) return;
    // The time that somebody took to answer is not the tool's.
    if (stage === "running" && tool.stage === "awaiting_permission") tool.startedAt = this.#now();
    tool.stage = stage;
    tool.message = message ?? tool.message;
    if (stage === "completed" || stage === "failed" || stage === "denied") tool.endedAt = this.#now();
  }

  /** Shows with a call what it gave, and with which input: somebody may have edited it. To be said before the lines are taken. */
  output(toolUseId: string, input: Readonly<Record<string, unknown>>, output: unknown): void {
    const tool = this.#tools.get(toolUseId);
    if (tool === undefined) return;
    tool.input = input;
    tool.output = outputText(output);
  }

  /** The turn is over: all of it is final. */
  end(): void {
    this.#settleText();
    for (const tool of this.#tools.values()) {
      if (tool.endedAt !== undefined) continue;
      tool.stage = "interrupted";
      tool.endedAt = this.#now();
    }
  }

  /** The lines that have become final since the last time. */
  takePrinted(width: number): string[] {
    const lines: string[] = [];
    for (const part of [...this.#parts]) {
      if (part.kind === "text") {
        const settled = takeSettled(part);
        const block = settled === "" ? [] : markdownLines(settled, width, this.#style);
        if (block.length > 0) lines.push("", ...block);
        if (block.length > 0) this.#lastPrinted = "text";
        // What comes behind this text is printed behind it.
        if (!part.isWhole) break;
        this.#drop(part);
      } else if (part.endedAt !== undefined) {
        if (this.#lastPrinted !== "tool") lines.push("");
        lines.push(...this.#endedLines(part, part.endedAt, width));
        this.#lastPrinted = "tool";
        this.#drop(part);
      }
    }
    return lines;
  }

  /** The lines that may still change: the end of the text, the tools that run, or what is waited for. */
  live(width: number, height: number): string[] {
    const style = this.#style;
    const lines: string[] = [];
    const running: string[] = [];
    let isAsking = false;
    for (const part of this.#parts) {
      if (part.kind === "text") lines.push("", ...markdownLines(part.rest, width, style));
      // The panel that asks shows what it is about.
      else if (part.stage === "awaiting_permission") isAsking = true;
      else if (part.endedAt === undefined) running.push(this.#runningLine(part, width));
    }
    if (running.length > 0) lines.push("", ...running);
    else if (!isAsking) {
      const doing = this.#isThinking ? "Thinking" : lines.length > 0 ? "Writing" : "Working";
      const text = truncate(
        `${this.#frame} ${doing} ${seconds(this.#now() - this.#startedAt)} · ctrl-c interrupts`,
        width,
      );
      lines.push("", style.dim(text));
    }
    const room = Math.max(height, 2);
    return lines.length > room ? lines.slice(lines.length - room) : lines;
  }

  get #frame(): string {
    const step = Math.floor((this.#now() - this.#startedAt) / 100);
    return spinnerFrames[step % spinnerFrames.length] ?? "";
  }

  #runningLine(tool: ToolLine, width: number): string {
    const style = this.#style;
    const indent = tool.isNested ? "  " : "";
    const time = seconds(this.#now() - tool.startedAt);
    const about = tool.message === undefined ? "" : ` · ${plainLine(tool.message)}`;
    const text = truncate(toolSummary(tool.name, tool.input) + about, width - indent.length - time.length - 3);
    return `${indent}${style.yellow(this.#frame)} ${text} ${style.dim(time)}`;
  }

  #endedLines(tool: ToolLine, endedAt: number, width: number): string[] {
    const style = this.#style;
    const indent = tool.isNested ? "  " : "";
    const { sign, word, paint } = ends(style)[tool.stage] ?? { sign: "·", word: "", paint: style.dim };
    const time = [word, seconds(endedAt - tool.startedAt)].filter((part) => part !== "").join(" ");
    const text = truncate(toolSummary(tool.name, tool.input), width - indent.length - time.length - 3);
    const lines = [`${indent}${paint(sign)} ${text} ${style.dim(time)}`];
    const output = plainText(tool.output ?? "").replace(/^\n+|\s+$/g, "");
    if (output === "") return lines;
    // A line of a megabyte is not wrapped as a whole to show its beginning.
    const all = output
      .split("\n")
      .flatMap((line) => wrapVerbatim(line.slice(0, 20 * width), width - indent.length - 2));
    const shown = all.slice(0, maxOutputLines).map((line) => style.dim(`${indent}  ${line}`));
    const hidden = all.length - shown.length;
    if (hidden > 0) shown.push(style.dim(`${indent}  … ${hidden} more ${hidden === 1 ? "line" : "lines"}`));
    return [...lines, ...shown];
  }

  #settleText(): void {
    const last = this.#parts.findLast((part) => part.kind === "text");
    if (last?.kind === "text") last.isWhole = true;
  }

  #drop(part: TextPart | ToolLine): void {
    this.#parts.splice(this.#parts.indexOf(part), 1);
  }
}

/** Takes whole blocks from the beginning of a text. */
function takeSettled(part: TextPart): string {
  const { rest, isWhole } = part;
  const length = isWhole ? rest.length : settledLength(rest);
  if (length > 0 || rest.length <= maxPending) {
    part.rest = rest.slice(length);
    return rest.slice(0, length);
  }
  // A very long block: its lines so far. What goes on in a fence goes on as code.
  const cut = rest.lastIndexOf("\n") + 1 || rest.length;
  const fence = /^ {0,3}(```+|~~~+)[^\n]*\n/.exec(rest)?.[0] ?? "";
  part.rest = fence + rest.slice(cut);
  return rest.slice(0, cut);
}

function ends(style: Style): Partial<Record<string, { sign: string; word: string; paint: (text: string) => string }>> {
  return {
    completed: { sign: "✓", word: "", paint: style.green },
    failed: { sign: "✗", word: "failed", paint: style.red },
    denied: { sign: "✗", word: "denied", paint: style.yellow },
    interrupted: { sign: "✗", word: "interrupted", paint: style.yellow },
  };
}

/** A duration for a reader. */
export function seconds(ms: number): string {
  if (ms < 59_950) return ms < 9_950 ? `${(ms / 1000).toFixed(1)}s` : `${Math.round(ms / 1000)}s`;
  const whole = Math.round(ms / 1000);
  return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}

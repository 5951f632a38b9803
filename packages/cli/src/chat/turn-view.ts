import type { ResponseChunk, ToolProgress } from "@reins/runtime";
import type { Context } from "../context.ts";
import { inputText } from "../terminal/conversation.ts";
import { printable, printableLine } from "../terminal/printable.ts";

/** Shows a turn while it runs: its text as it comes, and a line for each tool. */
export class TurnView {
  readonly #context: Context;
  #hasText = false;
  #isLineOpen = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** For `onResponseChunk`. */
  chunk({ type, deltaType, delta = "" }: ResponseChunk): void {
    if (type !== "content_block_delta" || deltaType !== "text_delta" || delta === "") return;
    this.#hasText = true;
    this.#isLineOpen = !delta.endsWith("\n");
    this.#write(printable(delta));
  }

  /** For `onToolProgress`. */
  tool({ stage, toolName, input, message = "" }: ToolProgress): void {
    const { style } = this.#context;
    const name = printableLine(toolName, 80);
    if (stage === "running") this.#line(`${style.cyan(`> ${name}`)} ${printableLine(inputText(input), 160)}`);
    if (stage === "failed" || stage === "denied")
      this.#line(style.red(`< ${name} ${stage} ${printableLine(message, 160)}`));
  }

  /** The turn is over. `text` is shown unless it was while it came. */
  end(text: string): void {
    if (!this.#hasText && text !== "") this.#line(printable(text));
    else if (this.#isLineOpen) this.#write("\n");
    this.#hasText = false;
    this.#isLineOpen = false;
  }

  #line(text: string): void {
    this.#write(`${this.#isLineOpen ? "\n" : ""}${text.trimEnd()}\n`);
    this.#isLineOpen = false;
  }

  // The stream keeps the order, and a reader that is gone ends the chat by `Output.gone`.
  #write(text: string): void {
    this.#context.out.write(text).catch(() => {});
  }
}

import { Editor } from "../terminal/editor.ts";
import type { Key } from "../terminal/keys.ts";
import type { LiveRegion } from "../terminal/screen.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import { truncate } from "../text/width.ts";
import { wrap } from "../text/wrap.ts";
import type { Panel, PanelRoom } from "./panel.ts";

export interface TextPanelOptions {
  readonly title: string;
  /** What is there to begin with. Default: nothing. */
  readonly text?: string | undefined;
  /** Says what is wrong with a text; `undefined` where nothing is. */
  readonly check?: ((text: string) => string | undefined) | undefined;
  /** Called once; without an answer when it was left. */
  readonly onAnswer: (text: string | undefined) => void;
}

/** An input with a title. */
export class TextPanel implements Panel {
  readonly #options: TextPanelOptions;
  readonly #editor: Editor;
  #problem: string | undefined;
  #isDone = false;

  constructor(options: TextPanelOptions) {
    this.#options = options;
    this.#editor = new Editor(options.text);
  }

  view({ width, height, style }: PanelRoom): LiveRegion {
    const title = wrap(plainText(this.#options.title), width - 2).map((line, i) =>
      i === 0 ? `${style.yellow("?")} ${style.bold(line)}` : `  ${style.bold(line)}`,
    );
    const { lines, row, column } = this.#editor.view(width - 3);
    const room = Math.max(height - title.length - 2, 1);
    const start = Math.max(Math.min(row - Math.floor(room / 2), lines.length - room), 0);
    const shown = lines.slice(start, start + room).map((line, i) => `${i === 0 ? "> " : "  "}${line}`);
    const hint = this.#problem ?? "enter accepts · esc leaves";
    const foot = truncate(`  ${plainLine(hint)}`, width);
    return {
      lines: [...title, ...shown, this.#problem === undefined ? style.dim(foot) : style.red(foot)],
      cursor: { row: title.length + row - start, column: column + 2 },
    };
  }

  press(key: Key): void {
    if (this.#isDone) return;
    this.#problem = undefined;
    if (key.type === "key" && (key.name === "escape" || key.name === "ctrl-c")) this.#answer(undefined);
    else if (this.#editor.press(key) === "submit") {
      this.#problem = this.#options.check?.(this.#editor.text);
      if (this.#problem === undefined) this.#answer(this.#editor.text);
    }
  }

  #answer(text: string | undefined): void {
    this.#isDone = true;
    this.#options.onAnswer(text);
  }
}

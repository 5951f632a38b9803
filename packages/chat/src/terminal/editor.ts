import { plainText } from "../text/plain-text.ts";
import { charactersOf, widthOf } from "../text/width.ts";
import type { Key } from "./keys.ts";

/** Lines of an input as they are shown, and where the cursor is. */
export interface EditorView {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
}

/** An input of one or more lines, with a history. It draws nothing and knows no terminal. */
export class Editor {
  /** In characters as a reader counts them, so that one Backspace takes one of them. */
  #before: string[] = [];
  #after: string[] = [];
  readonly #history: string[] = [];
  #at = 0;
  /** What was being written when the history was opened. */
  #draft = "";

  constructor(text = "") {
    this.set(text);
  }

  get text(): string {
    return this.#before.join("") + this.#after.join("");
  }

  /** Replaces the text; the cursor goes to its end. */
  set(text: string): void {
    this.#before = charactersOf(plainText(text));
    this.#after = [];
  }

  /** Adds to the history, and begins anew. */
  remember(text: string): void {
    if (text.trim() !== "" && this.#history.at(-1) !== text) this.#history.push(text);
    // Nobody goes back further.
    if (this.#history.length > 500) this.#history.shift();
    this.#at = this.#history.length;
    this.set("");
  }

  /** Takes a key: `submit` for Enter, `undefined` where the key means nothing here. */
  press(key: Key): "submit" | "changed" | undefined {
    if (key.type !== "key") {
      this.#insert(key.text);
      return "changed";
    }
    if (key.name === "enter") {
      if (this.#before.at(-1) !== "\\" || this.#after.length > 0) return "submit";
      this.#before[this.#before.length - 1] = "\n";
      return "changed";
    }
    const action = Object.hasOwn(actions, key.name) ? actions[key.name] : undefined;
    if (action === undefined) return undefined;
    this.#act(action);
    return "changed";
  }

  /** The text in lines of that many columns; the cursor may stand one column behind a line that is full. */
  view(width: number): EditorView {
    const lines = [""];
    let used = 0;
    let place = { row: 0, column: 0 };
    const all = [...this.#before, ...this.#after];
    for (let i = 0; i <= all.length; i++) {
      if (i === this.#before.length) place = { row: lines.length - 1, column: used };
      const character = all[i];
      if (character === undefined) break;
      if (character === "\n") {
        lines.push("");
        used = 0;
        continue;
      }
      const taken = widthOf(character);
      if (used + taken > width && used > 0) {
        lines.push("");
        used = 0;
        if (i === this.#before.length) place = { row: lines.length - 1, column: 0 };
      }
      lines[lines.length - 1] += character;
      used += taken;
    }
    return { lines, ...place };
  }

  #insert(text: string): void {
    // Joined with what is before: a mark may complete a character.
    const last = this.#before.pop() ?? "";
    this.#before = this.#before.concat(charactersOf(last + plainText(text)));
  }

  #act(action: Action): void {
    if (action.kind === "newline") this.#before.push("\n");
    else if (action.kind === "swap") this.#swap();
    else if (action.kind === "history") this.#upOrDown(action.to);
    else {
      const count = this.#distance(action.to, action.unit);
      const taken = action.to < 0 ? this.#before.splice(this.#before.length - count) : this.#after.splice(0, count);
      if (action.kind === "delete") return;
      if (action.to < 0) this.#after = taken.concat(this.#after);
      else this.#before = this.#before.concat(taken);
    }
  }

  /** How many characters there are to the end of the unit. */
  #distance(to: -1 | 1, unit: Unit): number {
    const ahead = to < 0 ? this.#before.toReversed() : this.#after;
    if (unit === "character") return Math.min(1, ahead.length);
    if (unit === "line") {
      const newline = ahead.indexOf("\n");
      return newline < 0 ? ahead.length : newline;
    }
    const isPart = (character: string): boolean => (unit === "word" ? /[\p{L}\p{N}_]/u : /\S/).test(character);
    const start = ahead.findIndex(isPart);
    if (start < 0) return ahead.length;
    const end = ahead.findIndex((character, i) => i > start && !isPart(character));
    return end < 0 ? ahead.length : end;
  }

  /** To the line above or below; from the first and the last into the history. */
  #upOrDown(to: -1 | 1): void {
    const column = this.#distance(-1, "line");
    const ahead = this.#distance(to, "line");
    const edge = to < 0 ? this.#before.length - column === 0 : this.#after.length === ahead;
    if (edge) {
      this.#recall(to);
      return;
    }
    const all = [...this.#before, ...this.#after];
    const start =
      to < 0 ? all.lastIndexOf("\n", this.#before.length - column - 2) + 1 : this.#before.length + ahead + 1;
    const end = all.indexOf("\n", start);
    const target = Math.min(start + column, end < 0 ? all.length : end);
    this.#before = all.slice(0, target);
    this.#after = all.slice(target);
  }

  #recall(to: -1 | 1): void {
    const next = this.#at + to;
    if (next < 0 || next > this.#history.length) return;
    if (this.#at === this.#history.length) this.#draft = this.text;
    this.#at = next;
    this.set(this.#history[next] ?? this.#draft);
  }

  #swap(): void {
    if (this.#after.length > 0 && this.#before.length > 0) this.#before.push(...this.#after.splice(0, 1));
    const [first, second] = this.#before.slice(-2);
    if (first !== undefined && second !== undefined) this.#before.splice(-2, 2, second, first);
  }
}

/** `word` is letters and digits, `chunk` what stands between spaces. */
type Unit = "character" | "word" | "chunk" | "line";

type Action =
  | { readonly kind: "move" | "delete"; readonly to: -1 | 1; readonly unit: Unit }
  | { readonly kind: "history"; readonly to: -1 | 1 }
  | { readonly kind: "newline" }
  | { readonly kind: "swap" };

const back = (unit: Unit): Action => ({ kind: "move", to: -1, unit });
const forth = (unit: Unit): Action => ({ kind: "move", to: 1, unit });

const actions: Readonly<Record<string, Action>> = {
  left: back("character"),
  "ctrl-b": back("character"),
  right: forth("character"),
  "ctrl-f": forth("character"),
  home: back("line"),
  "ctrl-a": back("line"),
  end: forth("line"),
  "ctrl-e": forth("line"),
  "ctrl-left": back("word"),
  "alt-left": back("word"),
  "alt-b": back("word"),
  "ctrl-right": forth("word"),
  "alt-right": forth("word"),
  "alt-f": forth("word"),
  backspace: { kind: "delete", to: -1, unit: "character" },
  delete: { kind: "delete", to: 1, unit: "character" },
  "ctrl-d": { kind: "delete", to: 1, unit: "character" },
  "ctrl-w": { kind: "delete", to: -1, unit: "chunk" },
  "alt-backspace": { kind: "delete", to: -1, unit: "word" },
  "alt-d": { kind: "delete", to: 1, unit: "word" },
  "ctrl-u": { kind: "delete", to: -1, unit: "line" },
  "ctrl-k": { kind: "delete", to: 1, unit: "line" },
  up: { kind: "history", to: -1 },
  "ctrl-p": { kind: "history", to: -1 },
  down: { kind: "history", to: 1 },
  "ctrl-n": { kind: "history", to: 1 },
  "alt-enter": { kind: "newline" },
  "shift-enter": { kind: "newline" },
  "ctrl-j": { kind: "newline" },
  "ctrl-t": { kind: "swap" },
};

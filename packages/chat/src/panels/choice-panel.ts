import { Editor } from "../terminal/editor.ts";
import type { Key } from "../terminal/keys.ts";
import type { LiveRegion } from "../terminal/screen.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import { truncate } from "../text/width.ts";
import { wrap } from "../text/wrap.ts";
import type { Panel, PanelRoom } from "./panel.ts";

/** One of the things to choose from. */
export interface Choice<Value> {
  readonly label: string;
  readonly value: Value;
  readonly description?: string | undefined;
  /** A letter that chooses it at once. */
  readonly key?: string | undefined;
  /** Chosen to say something else: what is typed next is the answer. */
  readonly isFreeText?: boolean | undefined;
}

export interface ChoicePanelOptions<Value> {
  readonly title: string;
  /** Lines between the title and the choices, coloured already and no wider than the room. */
  readonly details?: ((room: PanelRoom) => readonly string[]) | undefined;
  readonly choices: readonly Choice<Value>[];
  /** Whether several may be chosen. Default: one. */
  readonly isMultiple?: boolean | undefined;
  /** Whether typing narrows the list. Letters choose nothing then. */
  readonly hasFilter?: boolean | undefined;
  /** The choice to begin with. Default: the first. */
  readonly selected?: number | undefined;
  /** Called once; without an answer when it was left. */
  readonly onAnswer: (answer: { readonly values: readonly Value[]; readonly text?: string } | undefined) => void;
}

/** A list to choose from with the arrows, a number, or the letter of a choice. */
export class ChoicePanel<Value> implements Panel {
  readonly #options: ChoicePanelOptions<Value>;
  readonly #checked = new Set<Choice<Value>>();
  readonly #filter = new Editor();
  /** What is typed for the choice of free text; `undefined` while there is none. */
  #free: Editor | undefined;
  #selected: number;
  #isDone = false;

  constructor(options: ChoicePanelOptions<Value>) {
    this.#options = options;
    this.#selected = options.selected ?? 0;
  }

  view(room: PanelRoom): LiveRegion {
    const { style, width } = room;
    const { title, details, hasFilter, isMultiple } = this.#options;
    const lines = wrap(plainText(title), width - 2).map((line, i) =>
      i === 0 ? `${style.yellow("?")} ${style.bold(line)}` : `  ${style.bold(line)}`,
    );
    lines.push(...(details?.(room) ?? []));
    let cursor: LiveRegion["cursor"];
    if (hasFilter && this.#filter.text !== "") lines.push(style.dim(truncate(`  Filter: ${this.#filter.text}`, width)));
    const choices = this.#choices;
    const heads = choices.map((choice, i) => this.#choiceLines(choice, i, room));
    const shown = windowOf(heads, this.#selected, Math.max(room.height - lines.length - 2, 3));
    lines.push(...heads.slice(shown.start, shown.end).flat());
    if (choices.length === 0) lines.push(style.dim("  Nothing matches."));
    if (this.#free !== undefined) {
      const view = this.#free.view(width - 5);
      const row = lines.length + view.row;
      lines.push(...view.lines.map((line, i) => `  ${i === 0 ? "> " : "  "}${line}`));
      cursor = { row, column: 4 + view.column };
    }
    const more = choices.length - (shown.end - shown.start);
    const hints = [
      ...(more > 0 ? [`${more} more`] : []),
      ...(isMultiple ? ["space marks"] : []),
      ...(hasFilter ? ["type to filter"] : []),
      "enter chooses",
      "esc leaves",
    ];
    lines.push(style.dim(truncate(`  ${hints.join(" · ")}`, width)));
    return { lines, cursor };
  }

  press(key: Key): void {
    if (this.#isDone) return;
    if (this.#free !== undefined) this.#pressFree(key, this.#free);
    else if (key.type === "key") this.#pressKey(key.name);
    else if (this.#options.hasFilter) this.#narrow(key);
    else if (key.type === "text") this.#pressText(key.text);
  }

  get #choices(): readonly Choice<Value>[] {
    const words = this.#filter.text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.#options.choices;
    return this.#options.choices.filter(({ label, description = "" }) => {
      const text = `${label} ${description}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }

  #choiceLines(choice: Choice<Value>, index: number, { width, style }: PanelRoom): string[] {
    const isSelected = index === this.#selected;
    const box = this.#options.isMultiple ? (this.#checked.has(choice) ? "[x] " : "[ ] ") : "";
    const sign = this.#options.hasFilter ? "" : `${choice.key ?? index + 1} `;
    const indent = " ".repeat(2 + sign.length);
    const label = `${box}${plainLine(choice.label)}`;
    // What is agreed to is shown as a whole; of a long list a line each has to do.
    const parts = this.#options.hasFilter
      ? [truncate(label, width - indent.length)]
      : wrap(label, width - indent.length).slice(0, maxLabelLines);
    const lines = parts.map((part, i) => {
      const text = i === 0 ? `${isSelected ? "❯" : " "} ${sign}${part}` : indent + part;
      return isSelected ? style.cyan(text) : text;
    });
    if (choice.description === undefined || choice.description === "") return lines;
    const room = width - indent.length;
    const about = plainLine(choice.description);
    const wrapped = this.#options.hasFilter ? [truncate(about, room)] : wrap(about, room).slice(0, maxLabelLines);
    return [...lines, ...wrapped.map((line) => style.dim(indent + line))];
  }

  #pressKey(name: string): void {
    const count = this.#choices.length;
    if (name === "up" || name === "ctrl-p") this.#selected = (this.#selected - 1 + count) % Math.max(count, 1);
    else if (name === "down" || name === "ctrl-n" || name === "tab")
      this.#selected = (this.#selected + 1) % Math.max(count, 1);
    else if (name === "page-up") this.#selected = Math.max(this.#selected - 5, 0);
    else if (name === "page-down") this.#selected = Math.max(Math.min(this.#selected + 5, count - 1), 0);
    else if (name === "enter") this.#choose(this.#choices[this.#selected]);
    else if (name === "escape" || name === "ctrl-c") this.#answer(undefined);
    else if (this.#options.hasFilter) this.#narrow({ type: "key", name });
  }

  /** Keys that came at once. What is typed behind the choice of free text is the text. */
  #pressText(text: string): void {
    const characters = [...text];
    while (characters.length > 0 && !this.#isDone && this.#free === undefined)
      this.#pressCharacter(characters.shift()!);
    if (characters.length > 0) this.#free?.press({ type: "text", text: characters.join("") });
  }

  #pressCharacter(character: string): void {
    const { choices, isMultiple } = this.#options;
    const number = choices.some(({ key }) => key !== undefined) ? Number.NaN : Number(character);
    const index = choices.findIndex(({ key }, i) => key === character.toLowerCase() || i + 1 === number);
    const marked = character === " " ? choices[this.#selected] : choices[index];
    if (index >= 0) this.#selected = index;
    if (marked === undefined) return;
    if (!isMultiple || marked.isFreeText) {
      if (character !== " ") this.#choose(marked);
    } else if (!this.#checked.delete(marked)) this.#checked.add(marked);
  }

  #choose(choice: Choice<Value> | undefined): void {
    if (choice === undefined) return;
    if (choice.isFreeText) {
      this.#free = new Editor();
      return;
    }
    const checked = this.#options.choices.filter((each) => this.#checked.has(each));
    this.#answer({ values: (checked.length > 0 ? checked : [choice]).map(({ value }) => value) });
  }

  #pressFree(key: Key, editor: Editor): void {
    if (key.type === "key" && (key.name === "escape" || key.name === "ctrl-c")) this.#free = undefined;
    else if (editor.press(key) === "submit" && editor.text.trim() !== "") {
      const checked = this.#options.choices.filter((each) => this.#checked.has(each));
      this.#answer({ values: checked.map(({ value }) => value), text: editor.text });
    }
  }

  #narrow(key: Key): void {
    this.#filter.press(key);
    this.#selected = 0;
  }

  #answer(answer: { readonly values: readonly Value[]; readonly text?: string } | undefined): void {
    this.#isDone = true;
    this.#options.onAnswer(answer);
  }
}

/** Room for a label; nobody reads more. */
const maxLabelLines = 6;

/** The choices that there is room for, the selected one among them, with the ones around it. */
function windowOf(
  choices: readonly (readonly string[])[],
  selected: number,
  height: number,
): { readonly start: number; readonly end: number } {
  let [start, end] = [selected, Math.min(selected + 1, choices.length)];
  let left = height - (choices[selected]?.length ?? 0);
  for (let grown = true; grown; ) {
    grown = false;
    const [below, above] = [choices[end], choices[start - 1]];
    if (below !== undefined && below.length <= left) {
      left -= below.length;
      end++;
      grown = true;
    }
    if (above !== undefined && above.length <= left) {
      left -= above.length;
      start--;
      grown = true;
    }
  }
  return { start, end };
}

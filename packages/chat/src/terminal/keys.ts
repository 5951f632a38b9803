import { StringDecoder } from "node:string_decoder";

/** What somebody typed. */
export type Key =
  | { readonly type: "text"; readonly text: string }
  /** Came in one piece from the clipboard, newlines included. */
  | { readonly type: "paste"; readonly text: string }
  /** `enter`, `alt-enter`, `ctrl-left`, `shift-tab`, `ctrl-c`, `alt-b`, `escape`, ... */
  | { readonly type: "key"; readonly name: string };

/** Decodes the bytes of a terminal in raw mode. Sequences may be split anywhere. */
export class KeyDecoder {
  readonly #utf8 = new StringDecoder("utf8");
  #rest = "";
  #paste: string[] | undefined;

  /** Whether the input so far ends inside of a sequence. The Escape key alone looks like that: see {@link KeyDecoder.flush}. */
  get isInSequence(): boolean {
    return this.#paste === undefined && this.#rest !== "";
  }

  push(bytes: Buffer): Key[] {
    let input = this.#rest + this.#utf8.write(bytes);
    this.#rest = "";
    const keys: Key[] = [];
    while (input !== "") {
      if (this.#paste !== undefined) {
        input = this.#pasted(input, this.#paste, keys);
        continue;
      }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the bytes of keys.
      const text = /^[^\x00-\x1f\x7f]+/.exec(input)?.[0];
      if (text !== undefined) {
        keys.push({ type: "text", text });
        input = input.slice(text.length);
      } else if (input.startsWith("\x1b")) {
        const length = sequenceLength(input);
        if (length === undefined) {
          this.#rest = input;
          return keys;
        }
        const sequence = input.slice(0, length);
        input = input.slice(length);
        if (sequence === pasteStart) this.#paste = [];
        else keys.push(...keyOf(sequence));
      } else {
        keys.push({ type: "key", name: controlName(input.charCodeAt(0)) });
        input = input.slice(1);
      }
    }
    return keys;
  }

  /** Gives what was begun as it is: to be called when nothing has followed for some milliseconds. */
  flush(): Key[] {
    if (!this.isInSequence) return [];
    const rest = this.#rest;
    this.#rest = "";
    return rest === "\x1b" ? [{ type: "key", name: "escape" }] : keyOf(rest);
  }

  #pasted(input: string, parts: string[], keys: Key[]): string {
    const end = input.indexOf(pasteEnd);
    if (end >= 0) {
      const text = parts.join("") + input.slice(0, end);
      this.#paste = undefined;
      // Terminals send a newline as the Enter key does.
      keys.push({ type: "paste", text: text.replace(/\r\n?/g, "\n") });
      return input.slice(end + pasteEnd.length);
    }
    // The end mark may be split.
    const cut = Math.max(input.lastIndexOf("\x1b"), 0);
    const isMaybeEnd = input.includes("\x1b") && pasteEnd.startsWith(input.slice(cut));
    parts.push(isMaybeEnd ? input.slice(0, cut) : input);
    this.#rest = isMaybeEnd ? input.slice(cut) : "";
    return "";
  }
}

const pasteStart = "\x1b[200~";
const pasteEnd = "\x1b[201~";
/** No key is longer; what goes on without an end is none. */
const maxSequence = 64;

/** Length of the sequence at the beginning; `undefined` when it goes on. */
function sequenceLength(input: string): number | undefined {
  // Alt with a key that is a sequence itself.
  const start = input.startsWith("\x1b\x1b") ? 1 : 0;
  const second = input[start + 1];
  if (second === undefined) return undefined;
  if (second === "O") return input.length > start + 2 ? start + 3 : undefined;
  if (second !== "[") return start + 1 + String.fromCodePoint(input.codePointAt(start + 1) ?? 0).length;
  for (let at = start + 2; at < input.length; at++) {
    const code = input.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e && !(input[at] === "[" && at === start + 2)) return at + 1;
    // Not a sequence after all: its beginning is dropped, the rest is typed text.
    if (code < 0x20 || code > 0x7e || at - start > maxSequence) return at;
  }
  return undefined;
}

function keyOf(sequence: string): Key[] {
  const isAlt = sequence.startsWith("\x1b\x1b");
  const body = sequence.slice(isAlt ? 2 : 1);
  if (body.startsWith("[") || body.startsWith("O")) {
    const name = sequenceName(body.slice(1));
    return name === undefined ? [] : [{ type: "key", name: isAlt ? `alt-${name}` : name }];
  }
  if (body === "" || body === "\x1b") return [{ type: "key", name: "escape" }];
  const code = body.charCodeAt(0);
  return [{ type: "key", name: `alt-${code < 0x20 || code === 0x7f ? controlName(code) : body}` }];
}

/** What stands behind `ESC [` or `ESC O`. */
function sequenceName(body: string): string | undefined {
  // Function keys of the Linux console, and answers of terminals to questions.
  if (!/^[\d;]*.$/.test(body)) return undefined;
  const parameters = body.slice(0, -1).split(";");
  const final = body.at(-1) ?? "";
  const [first = "", second = "", third = ""] = parameters;
  if (final === "Z") return "shift-tab";
  // Enter with modifiers, of terminals that tell it apart (CSI u, and xterm's modifyOtherKeys).
  if (final === "u") return withModifiers(codeName(Number(first)), second);
  if (final === "~" && first === "27") return withModifiers(codeName(Number(third)), second);
  const name = final === "~" ? byNumber[first] : byLetter[final];
  return withModifiers(name, second);
}

function withModifiers(name: string | undefined, parameter: string): string | undefined {
  if (name === undefined) return undefined;
  const bits = Math.max((Number.parseInt(parameter, 10) || 1) - 1, 0);
  return `${bits & 4 ? "ctrl-" : ""}${bits & 2 ? "alt-" : ""}${bits & 1 ? "shift-" : ""}${name}`;
}

function codeName(code: number): string | undefined {
  if (code >= 0x21 && code < 0x7f) return String.fromCharCode(code);
  return code <= 0x20 || code === 0x7f ? controlName(code) : undefined;
}

function controlName(code: number): string {
  if (code === 0x0d) return "enter";
  if (code === 0x09) return "tab";
  if (code === 0x20) return "space";
  if (code === 0x7f || code === 0x08) return "backspace";
  if (code === 0x1b) return "escape";
  if (code === 0) return "ctrl-space";
  return `ctrl-${String.fromCharCode(code + 0x60)}`;
}

const byLetter: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  M: "enter",
};

const byNumber: Readonly<Record<string, string>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "5": "page-up",
  "6": "page-down",
  "7": "home",
  "8": "end",
};

/** A command line of a shell, as far as it can be told without running it. */
export interface ShellCommand {
  /** The simple commands in it, those of substitutions and subshells too, without needless white space. */
  readonly parts: readonly string[];
  /** Whether the parts are all that it does: nothing is substituted, redirected, defined or commented out. */
  readonly isPlain: boolean;
}

/** Splits a command line at its operators, outside of quotes. Takes linear time. */
export function readCommand(command: string): ShellCommand {
  const reader = new CommandReader();
  reader.read(command);
  // A quote in the body of a here-document, or one that never ends, hides what comes behind it.
  const further = reader.isClear ? [] : command.split(/[;&|\n()`]/).map((part) => part.trim());
  return {
    parts: [...reader.parts, ...further].filter((part) => part !== ""),
    isPlain: reader.isPlain && reader.isClear,
  };
}

/**
 * The ways in which a part can name its command: as it is, and without quotes, assignments, keywords and programs that run another
 * one in front of it, with and without the folder of the program.
 */
export function commandForms(part: string): readonly string[] {
  const words = wordsOf(part);
  const forms = [part, words.join(" ")];
  for (let first = 0; first < words.length; first++) {
    const [word = "", ...rest] = words.slice(first);
    const name = word.slice(word.lastIndexOf("/") + 1);
    forms.push([word, ...rest].join(" "), [name, ...rest].join(" "));
    if (!isPrefix(name)) break;
  }
  return forms;
}

/** Far more than a command has; bounds the time that a hostile one takes. */
const mostWords = 64;

function isPrefix(word: string): boolean {
  return /^-|^[A-Za-z_]\w*\+?=|^\d*[<>]|^[\d.]+[smhd]?$/.test(word) || prefixes.includes(word);
}

const prefixes: readonly string[] = [
  ..."! { if then elif else while until do time coproc exec command builtin eval env nohup nice".split(" "),
  ..."timeout stdbuf setsid ionice sudo doas xargs".split(" "),
];

/** The words of a part without their quotes; from the 64th on, the rest is one word. */
function wordsOf(part: string): readonly string[] {
  const words: string[] = [];
  const pattern = /(?:\\.|'[^']*'|"(?:[^"\\]|\\.)*"|[^\s])+/gs;
  for (let match = pattern.exec(part); match !== null; match = pattern.exec(part)) {
    if (words.length === mostWords) return [...words, part.slice(match.index)];
    words.push(match[0].replace(/\\(.)|\$?(["'])/gs, (_, escaped: string | undefined) => escaped ?? ""));
  }
  return words;
}

type Quote = "" | "'" | "$'" | '"';

class CommandReader {
  readonly parts: string[] = [];
  isPlain = true;
  isClear = true;
  #part = "";
  /** The last character of the part, if it was not escaped. Looked up in the part itself it would cost a copy of it each time. */
  #last = "";
  #quote: Quote = "";
  /** What a substitution or subshell returns to at its end. */
  readonly #outer: { readonly quote: Quote; readonly close: ")" | "`" }[] = [];

  read(command: string): void {
    for (let at = 0; at < command.length; at++) {
      const next = command[at + 1] ?? "";
      const character = command[at] as string;
      if (this.#quote === "'" || (character !== "\\" && this.#quote === "$'")) {
        this.#add(character);
        if (character === "'") this.#quote = "";
      } else if (character === "\\") {
        // A line that goes on in the next one.
        if (next !== "\n" || this.#quote === "$'") this.#add(character + next, "");
        at++;
      } else if (character === "`") this.#toggle();
      else if (character === "$" && next === "(") {
        this.#open(")");
        at++;
      } else if (character === "$" && (next === "{" || next === "[")) {
        this.isPlain = false;
        this.#add(character);
      } else if (this.#quote === '"') {
        this.#add(character);
        if (character === '"') this.#quote = "";
      } else at = this.#unquoted(command, at, character, next);
    }
    this.#end();
    if (this.#quote !== "") this.isClear = false;
  }

  #add(text: string, last: string = text): void {
    this.#part += text;
    this.#last = last;
  }

  /** Gives the place up to which it has read. */
  #unquoted(command: string, at: number, character: string, next: string): number {
    switch (character) {
      case "'":
      case '"': {
        const isEscaping = this.#last === "$";
        if (isEscaping) this.isPlain = false;
        this.#quote = isEscaping && character === "'" ? "$'" : character;
        this.#add(character);
        return at;
      }
      case ";":
      case "&":
      case "|":
      case "\n":
        this.#end();
        return at;
      case "(":
        this.#open(")");
        return at;
      case ")":
        this.isPlain = false;
        this.#close(")");
        return at;
      case "<":
      case ">":
        this.isPlain = false;
        if (character === "<" && next === "<") this.isClear = false;
        this.#add(character);
        return at;
      case " ":
      case "\t":
        if (this.#last !== " ") this.#add(" ");
        return at;
      case "#":
        if (this.#part !== "" && this.#last !== " ") break;
        return this.#comment(command, at);
    }
    this.#add(character);
    return at;
  }

  #comment(command: string, at: number): number {
    this.isPlain = false;
    const end = command.indexOf("\n", at);
    return end === -1 ? command.length : end - 1;
  }

  #toggle(): void {
    if (this.#outer.at(-1)?.close === "`") this.#close("`");
    else this.#open("`");
  }

  #open(close: ")" | "`"): void {
    this.isPlain = false;
    this.#end();
    this.#outer.push({ quote: this.#quote, close });
    this.#quote = "";
  }

  #close(close: ")" | "`"): void {
    this.#end();
    if (this.#outer.at(-1)?.close === close) this.#quote = this.#outer.pop()?.quote ?? "";
  }

  #end(): void {
    this.parts.push(this.#part.trim());
    this.#part = "";
    this.#last = "";
  }
}

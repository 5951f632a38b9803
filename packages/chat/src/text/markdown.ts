import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { tableLines } from "./markdown-table.ts";
import { plainText } from "./plain-text.ts";
import type { Style } from "./style.ts";
import { widthOf } from "./width.ts";
import { wrap, wrapVerbatim } from "./wrap.ts";

/** A text beyond this is shown as it is: nested marks can take long to parse, and models write what they like. */
const maxLength = 40_000;
/** Deeper nesting is not writing. */
const maxDepth = 12;
/** Text is not indented further when it would have less room than this. */
const minWidth = 12;

/** Shows Markdown in lines of at most that many columns. Control characters in it are made visible. */
export function markdownLines(markdown: string, width: number, style: Style): string[] {
  const text = plainText(markdown);
  const tokens = tokensOf(text);
  return tokens === undefined ? wrapVerbatim(text, width) : blocks(tokens, { width, style, depth: 0 });
}

/**
 * How many characters at the beginning of a text that still grows are whole blocks, which nothing can change that follows. The last block
 * and the empty lines behind it are never among them: a list goes on after an empty line.
 */
export function settledLength(markdown: string): number {
  if (!markdown.includes("\n")) return 0;
  const tokens = tokensOf(markdown);
  if (tokens === undefined) return 0;
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  return tokens.slice(0, Math.max(last, 0)).reduce((sum, { raw }) => sum + raw.length, 0);
}

interface Place {
  readonly width: number;
  readonly style: Style;
  readonly depth: number;
}

function tokensOf(text: string): Token[] | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return lexer(text, { gfm: true });
  } catch {
    return undefined;
  }
}

/** Blocks with an empty line between them. */
function blocks(tokens: readonly Token[], place: Place): string[] {
  const lines: string[] = [];
  for (const token of tokens) {
    const block = blockLines(token as MarkedToken, place);
    if (block.length === 0) continue;
    if (lines.length > 0) lines.push("");
    lines.push(...block);
  }
  return lines;
}

function blockLines(token: MarkedToken, place: Place): string[] {
  const { width, style } = place;
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading": {
      const text = inline(token.tokens, style);
      // Without weight a heading is told from a paragraph by its mark.
      if (!style.isColoured) return wrap(`${"#".repeat(token.depth)} ${text}`, width);
      return wrap(text, width).map((line) => style.bold(token.depth === 1 ? style.underline(line) : line));
    }
    case "code":
      return indented(
        wrapVerbatim(token.text, indentedWidth(width, 2)).map((line) => style.cyan(line)),
        width,
        "  ",
      );
    case "blockquote": {
      if (place.depth > maxDepth) return wrap(token.raw, width);
      const inner = blocks(token.tokens, { ...place, width: indentedWidth(width, 2), depth: place.depth + 1 });
      return indented(inner, width, style.dim("│ "));
    }
    case "list":
      return place.depth > maxDepth ? wrap(token.raw, width) : listLines(token, place);
    case "table": {
      const cells = (row: readonly Tokens.TableCell[]): string[] => row.map(({ tokens }) => inline(tokens, style));
      const rows = [token.header, ...token.rows].map(cells);
      return tableLines(rows, token.align, width, style);
    }
    case "hr":
      return [style.dim("─".repeat(Math.min(width, 40)))];
    case "paragraph":
      return wrap(inline(token.tokens, style), width);
    case "text":
      return wrap(token.tokens === undefined ? entities(token.text) : inline(token.tokens, style), width);
    default:
      // HTML among them: shown, not followed.
      return wrap(token.raw.trimEnd(), width);
  }
}

function listLines(list: Tokens.List, place: Place): string[] {
  const first = Number(list.start) || 1;
  const lines: string[] = [];
  for (const [i, item] of list.items.entries()) {
    const box = `[${item.checked ? "x" : " "}] `;
    const mark = item.task ? box : list.ordered ? `${first + i}. ` : "• ";
    const columns = widthOf(mark);
    const inner = itemLines(item, {
      ...place,
      width: indentedWidth(place.width, columns),
      depth: place.depth + 1,
    });
    if (list.loose && lines.length > 0) lines.push("");
    const [head = "", ...tail] = inner;
    lines.push(mark + head, ...indented(tail, place.width, " ".repeat(columns)));
  }
  return lines;
}

/** What an item holds: no empty lines in one that has none. */
function itemLines(item: Tokens.ListItem, place: Place): string[] {
  if (item.loose) return blocks(item.tokens.filter(isContent), place);
  return item.tokens.filter(isContent).flatMap((token) => blockLines(token as MarkedToken, place));
}

/** The box of a task is drawn with the mark of its item. */
function isContent({ type }: Token): boolean {
  return type !== "checkbox";
}

function indentedWidth(width: number, columns: number): number {
  return width - columns < minWidth ? width : width - columns;
}

function indented(lines: readonly string[], width: number, indent: string): string[] {
  const isTooNarrow = width - widthOf(indent) < minWidth;
  return lines.map((line) => (isTooNarrow || line === "" ? line : indent + line));
}

function inline(tokens: readonly Token[], style: Style, depth = 0): string {
  if (depth > maxDepth) return tokens.map(({ raw }) => raw).join("");
  return tokens.map((token) => inlineText(token as MarkedToken, style, depth + 1)).join("");
}

/** Without weight and slant the marks stay, as the writer has set them. */
function inlineText(token: MarkedToken, style: Style, depth: number): string {
  const { isColoured } = style;
  switch (token.type) {
    case "strong":
      return isColoured ? style.bold(inline(token.tokens, style, depth)) : `**${inline(token.tokens, style, depth)}**`;
    case "em":
      return isColoured ? style.italic(inline(token.tokens, style, depth)) : `*${inline(token.tokens, style, depth)}*`;
    case "del":
      return isColoured
        ? style.strike(inline(token.tokens, style, depth))
        : `~~${inline(token.tokens, style, depth)}~~`;
    case "codespan":
      return isColoured ? style.cyan(token.text) : `\`${token.text}\``;
    case "link": {
      const text = inline(token.tokens, style, depth);
      // The address is always to be seen: a text may promise another one.
      if (token.href === token.text || token.href === `mailto:${token.text}`) return style.underline(text);
      return `${style.underline(text)} ${style.dim(`(${token.href})`)}`;
    }
    case "image":
      return `[image: ${token.text}] ${style.dim(`(${token.href})`)}`;
    case "br":
      return "\n";
    case "checkbox":
      return "";
    case "escape":
      return token.text;
    case "text":
      return token.tokens === undefined ? entities(token.text) : inline(token.tokens, style, depth);
    default:
      return token.raw;
  }
}

/** The entities that models write. What they stand for is printable. */
function entities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (whole, name: string) => named[name] ?? whole);
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

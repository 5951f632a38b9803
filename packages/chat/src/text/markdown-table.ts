import wrapAnsi from "wrap-ansi";
import type { Style } from "./style.ts";
import { widthOf } from "./width.ts";

/** A column that is narrower is not read but deciphered. */
const minColumn = 6;

/**
 * Shows a table, its header first. Where it is too wide, the widest columns are wrapped; where even that does not fit, each row becomes a
 * list of its cells.
 */
export function tableLines(
  rows: readonly (readonly string[])[],
  alignments: readonly ("center" | "left" | "right" | null)[],
  width: number,
  style: Style,
): string[] {
  const [header = [], ...body] = rows;
  const natural = header.map((_, column) => Math.max(1, ...rows.map((row) => widthOf(row[column] ?? ""))));
  const room = width - 3 * (header.length - 1);
  const widths = narrowed(natural, room);
  if (widths === undefined) return stacked(header, body, width, style);
  const line = (cells: readonly string[]): string[] => rowLines(cells, widths, alignments, style);
  const rule = style.dim(widths.map((columns) => "─".repeat(columns)).join("─┼─"));
  return [...line(header.map((cell) => style.bold(cell))), rule, ...body.flatMap(line)];
}

/** Takes from the widest columns until all have room. */
function narrowed(natural: readonly number[], room: number): number[] | undefined {
  const widths = [...natural];
  let excess = widths.reduce((sum, columns) => sum + columns, 0) - room;
  while (excess > 0) {
    const widest = Math.max(...widths);
    if (widest <= minColumn) return undefined;
    const at = widths.indexOf(widest);
    // Down to the next one in size at once: a cell may be very long.
    const next = Math.max(minColumn, ...widths.filter((columns) => columns < widest));
    const cut = Math.min(excess, Math.max(widest - next, 1));
    widths[at] = widest - cut;
    excess -= cut;
  }
  return widths;
}

function rowLines(
  cells: readonly string[],
  widths: readonly number[],
  alignments: readonly ("center" | "left" | "right" | null)[],
  style: Style,
): string[] {
  const wrapped = widths.map((columns, i) => wrapAnsi(cells[i] ?? "", columns, { hard: true }).split("\n"));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const padded = widths.map((columns, i) => pad(wrapped[i]?.[row] ?? "", columns, alignments[i] ?? "left"));
    return padded.join(style.dim(" │ ")).trimEnd();
  });
}

function pad(text: string, columns: number, alignment: "center" | "left" | "right"): string {
  const missing = Math.max(columns - widthOf(text), 0);
  const left = alignment === "right" ? missing : alignment === "center" ? Math.floor(missing / 2) : 0;
  return " ".repeat(left) + text + " ".repeat(missing - left);
}

function stacked(
  header: readonly string[],
  body: readonly (readonly string[])[],
  width: number,
  style: Style,
): string[] {
  return body.flatMap((cells, row) => {
    const lines = cells.flatMap((cell, i) => {
      const name = header[i] ?? "";
      const text = name === "" ? cell : `${style.bold(`${name}:`)} ${cell}`;
      return wrapAnsi(text, width, { hard: true }).split("\n");
    });
    return row === 0 ? lines : ["", ...lines];
  });
}

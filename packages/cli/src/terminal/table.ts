/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Numbers stand at the right. Default false. */
  readonly isNumber?: boolean;
}

/** Sets texts in columns. The last column is not padded; cells must be one line of printable text. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => width(line[index] ?? ""))));
  return lines
    .map((line) =>
      columns
        .map(({ isNumber = false }, index) => {
          const cell = line[index] ?? "";
          const pad = " ".repeat((widths[index] ?? 0) - width(cell));
          return isNumber ? pad + cell : cell + pad;
        })
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

// Wide characters are counted as one: a crooked column is better than a table of widths.
function width(text: string): number {
  return [...text].length;
}

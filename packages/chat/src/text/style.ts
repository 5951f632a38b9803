/** Writes text in a colour or weight; without colour it gives back what it gets. */
export interface Style {
  /** Whether there are colours. What is only a colour with them needs a sign without. */
  readonly isColoured: boolean;
  bold(text: string): string;
  dim(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  strike(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Makes a style. The sixteen colours of the terminal's own theme are used, so that it is readable on light and dark. */
export function createStyle(isColoured: boolean): Style {
  const sgr =
    (on: number, off: number) =>
    (text: string): string =>
      isColoured && text !== "" ? `\x1b[${on}m${text}\x1b[${off}m` : text;
  return {
    isColoured,
    bold: sgr(1, 22),
    dim: sgr(2, 22),
    italic: sgr(3, 23),
    underline: sgr(4, 24),
    strike: sgr(9, 29),
    red: sgr(31, 39),
    green: sgr(32, 39),
    yellow: sgr(33, 39),
    cyan: sgr(36, 39),
  };
}

/** Whether colours are wanted: not with NO_COLOR (whatever its value, unless it is empty), nor on a terminal that knows none. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

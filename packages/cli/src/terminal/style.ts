/** Emphasis for a terminal; where there is none, the texts as they are. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** What of the environment decides about colours. */
export interface StyleEnvironment {
  readonly NO_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

/**
 * Decides about colours: on a terminal only, not with a `NO_COLOR` that is not empty (no-color.org), and not with `TERM=dumb`.
 */
export function createStyle(isTerminal: boolean, env: StyleEnvironment): Style {
  const isOn = isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  const wrap = (open: number, close: number) => (text: string) =>
    isOn && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    red: wrap(31, 39),
    green: wrap(32, 39),
    yellow: wrap(33, 39),
    cyan: wrap(36, 39),
  };
}

import { InvalidArgumentError } from "commander";

/** Reads a whole number above zero. */
export function positiveInteger(text: string): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError("It is no whole number above 0.");
  return Number(text);
}

/** Reads a whole number. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It is no whole number.");
  return Number(text);
}

/** Reads a number above zero. */
export function positiveNumber(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  if (value <= 0 || value > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError("It is no number above 0.");
  return value;
}

/** Reads a list: commas between the items, or the option several times. Commas in parentheses belong to an item: `Bash(a, b)`. */
export function list(text: string, earlier: readonly string[] = []): string[] {
  const items = text.match(/(?:\([^)]*\)|[^,])+/g) ?? [];
  return [...earlier, ...items.map((item) => item.trim()).filter((item) => item !== "")];
}

/** Adds up an option that may be given several times. */
export function each(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

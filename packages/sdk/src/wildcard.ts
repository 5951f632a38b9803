/** What one element of a pattern is: a star, which fits any number of items, or a test of a single one. */
export type PatternElement<Item> = typeof star | ((item: Item) => boolean);

/** Fits any number of items. */
export const star: unique symbol = Symbol("star");

/**
 * Whether a pattern fits all of the items.
 *
 * Takes time in the product of both lengths at most: a pattern made into a regular expression would take far more with some inputs, and
 * a model chooses the input.
 */
export function fits<Item>(pattern: readonly PatternElement<Item>[], items: ArrayLike<Item>): boolean {
  let at = 0;
  let item = 0;
  let lastStar = -1;
  let starEnd = 0;
  while (item < items.length) {
    const element = pattern[at];
    if (element === star) {
      lastStar = at++;
      starEnd = item;
    } else if (element?.(items[item] as Item)) {
      at++;
      item++;
    } else if (lastStar >= 0) {
      // The last star takes one more. What the stars before it took does not matter any more.
      at = lastStar + 1;
      item = ++starEnd;
    } else return false;
  }
  while (pattern[at] === star) at++;
  return at === pattern.length;
}

/** A text in which each `*` is a star, and everything else itself. */
export function wildcard(text: string): readonly PatternElement<string>[] {
  return text.split("").map((character) => (character === "*" ? star : (other) => other === character));
}

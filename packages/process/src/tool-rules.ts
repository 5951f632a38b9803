/**
 * The rules in the entries of a list for `--allowedTools` or `--disallowedTools`, as the CLI takes them apart: at commas and white space
 * outside of parentheses. In settings and in the initialize request it does not. A rule that is not complete stays as it is, so that it does
 * not become a wider one.
 */
export function toolRules(entries: readonly string[]): readonly string[] {
  return entries.flatMap((entry) => entry.match(/(?:\([^)]*(?:\)|$)|[^\s,(])+/g) ?? []);
}

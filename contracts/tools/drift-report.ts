import type { Drift } from "./drift.ts";

/**
 * Puts drift into words: by kind of frame, then by path, with how often it was seen. The same change in a hundred frames is one line.
 *
 * @example
 * system/init
 *   + .new_field "value" (12 times in 9 captures: session-two-turns, ...)
 */
export function reportDrift(drift: readonly Drift[]): string {
  const lines: string[] = [];
  for (const [kind, ofKind] of groups(drift, ({ kind }) => kind)) {
    lines.push(kind);
    for (const [, same] of groups(ofKind, ({ change, path, detail }) => JSON.stringify([change, path, detail]))) {
      const [first] = same;
      const captures = [...new Set(same.map(({ capture }) => capture))];
      const where = `${captures.slice(0, 3).join(", ")}${captures.length > 3 ? ", ..." : ""}`;
      const place = first!.path === "" ? "" : `${first!.path} `;
      const times = same.length === 1 ? "" : `${same.length} times in `;
      const many = captures.length === 1 ? "" : `${captures.length} captures: `;
      const often = `${times}${many}${where}`;
      lines.push(`  ${signs[first!.change]} ${place}${first!.detail} (${often})`);
    }
  }
  return lines.join("\n");
}

const signs: Readonly<Record<Drift["change"], string>> = { added: "+", removed: "-", changed: "~" };

function groups<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    found.set(key, [...(found.get(key) ?? []), item]);
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1));
}

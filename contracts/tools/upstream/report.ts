import { packageOf } from "./decisions.ts";
import type { Parity } from "./parity.ts";

/** What `pnpm upstream:check` prints: what is new first, then what the data says too much, then the plans. */
export function formatReport(version: string, { names, undecided, stale, spare, broken }: Parity): string {
  const planned = names.flatMap(({ section, name, decision, otherFields }) => [
    ...(decision && "planned" in decision ? [`${section} ${name} (${packageOf(decision.planned)})`] : []),
    ...otherFields.flatMap((other) =>
      other.decision && "planned" in other.decision
        ? [`${section} ${name}, ${other.field} (${packageOf(other.decision.planned)})`]
        : [],
    ),
  ]);
  const here = names.filter(({ decision }) => decision && "ours" in decision).length;
  const renamed = names.filter(
    ({ name, decision }) => decision && "ours" in decision && lastWord(decision.ours) !== name,
  );
  return [
    `Official SDK ${version}: ${names.length} names, ${here} of them here.`,
    ...list("New: neither here nor in contracts/parity/reasons.json", undecided),
    ...list("In reasons.json, and not in this version", stale),
    ...list("In reasons.json, and not needed any more (--write strikes them)", spare),
    ...list("In reasons.json, and no name of ours", broken),
    ...list("Planned", planned),
    `Under another name here: ${renamed.length}; PARITY.md has them all.`,
  ].join("\n");
}

function list(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${title}: ${entries.length}`, ...entries.map((entry) => `  ${entry}`)];
}

function lastWord(reference: string): string {
  return reference.split(/[#.]/).at(-1)!;
}

import { type Decision, type Decisions, packageOf } from "./decisions.ts";
import { joined } from "./page-text.ts";
import type { ParityName } from "./parity.ts";

/** Names of another document, by section, and what they are here. */
export interface NamedDocument {
  readonly title: string;
  /** What the document is, in a sentence. */
  readonly about: string;
  readonly names: Decisions;
}

/** A table of the page. */
export interface Area {
  readonly title: string;
  readonly about?: string;
  readonly rows: readonly ParityName[];
}

/** What a row can say, in the order of the columns. */
interface Counts {
  names: number;
  here: number;
  planned: number;
  notApplicable: number;
  undecided: number;
}

/** The head of the page: how many names there are and what became of them, and what is planned. */
export function formatSummary(
  areas: readonly Area[],
  names: readonly ParityName[],
  documents: readonly NamedDocument[],
): string[] {
  return [...counts(areas, documents), "", ...plans(names, documents), ...messagesPart(names)];
}

function counts(areas: readonly Area[], documents: readonly NamedDocument[]): string[] {
  const officialRows = areas.map(({ title, rows }) => ({ title, counts: count(rows.map(({ decision }) => decision)) }));
  const fields = areas.flatMap(({ rows }) =>
    rows.flatMap(({ otherFields }) =>
      otherFields.flatMap(({ covers, decision }) => Array.from({ length: covers }, () => decision)),
    ),
  );
  const same = areas.flatMap(({ rows }) => rows.flatMap(({ sameFields }) => sameFields)).length;
  const fieldCounts = count(fields);
  const documentRows = documents.map(({ title, names }) => ({ title, counts: count(decisionsOf(names)) }));
  return [
    "| | names | here | planned | does not apply | undecided |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...officialRows.map(({ title, counts }) => countRow(title, counts)),
    countRow("**The official SDK**", sum(officialRows.map(({ counts }) => counts))),
    countRow("Fields and values of those that are here", {
      ...fieldCounts,
      names: fieldCounts.names + same,
      here: fieldCounts.here + same,
    }),
    ...documentRows.map(({ title, counts }) => countRow(title, counts)),
  ];
}

/** The gaps on top, by the package that is to close them. */
function plans(names: readonly ParityName[], documents: readonly NamedDocument[]): string[] {
  const byPackage = new Map<string, string[]>();
  const note = (decision: Decision | undefined, text: string): void => {
    if (decision === undefined || !("planned" in decision)) return;
    const home = packageOf(decision.planned);
    const texts = byPackage.get(home) ?? [];
    if (!texts.includes(text)) byPackage.set(home, [...texts, text]);
  };
  for (const { section, name, decision, otherFields } of names) {
    note(decision, placed(section, name));
    for (const other of otherFields) note(other.decision, placed(section, joined(name, other.field)));
  }
  const official = [...byPackage].sort(([a], [b]) => (a < b ? -1 : 1));
  const others = count(documents.flatMap((document) => decisionsOf(document.names))).planned;
  return [
    `Planned of the official SDK: ${official.length === 0 ? "nothing" : ""}`.trimEnd(),
    ...(official.length === 0 ? [] : [""]),
    ...official.map(
      ([home, texts]) => `- \`${home}\`, ${texts.length}: ${texts.map((text) => `\`${text}\``).join(", ")}`,
    ),
    "",
    `Planned of the other documents: ${others}.`,
    "",
  ];
}

/** How many names are the business of `@reins/messages`, and how many of them and of their fields are missing. */
function messagesPart(names: readonly ParityName[]): string[] {
  const part = names.filter(({ decision }) => referenceOf(decision)?.startsWith("@reins/messages") ?? false);
  const decisions = part.flatMap(({ decision, otherFields }) => [
    decision,
    ...otherFields.map((field) => field.decision),
  ]);
  const gaps = decisions.filter((decision) => decision !== undefined && "planned" in decision).length;
  return [`The part of \`@reins/messages\`: ${part.length} names, ${gaps === 0 ? "no gap" : `${gaps} gaps`}.`];
}

function referenceOf(decision: Decision | undefined): string | undefined {
  if (decision === undefined || "reason" in decision) return undefined;
  return "ours" in decision ? decision.ours : decision.planned;
}

function placed(section: string, name: string): string {
  if (section === "options") return `Options.${name}`;
  if (section === "query") return `Query.${name}`;
  return name;
}

function decisionsOf(names: Decisions): Decision[] {
  return Object.values(names).flatMap((entries) => Object.values(entries));
}

function count(decisions: readonly (Decision | undefined)[]): Counts {
  const counts: Counts = { names: decisions.length, here: 0, planned: 0, notApplicable: 0, undecided: 0 };
  for (const decision of decisions) {
    if (decision === undefined) counts.undecided += 1;
    else if ("ours" in decision) counts.here += 1;
    else if ("planned" in decision) counts.planned += 1;
    else counts.notApplicable += 1;
  }
  return counts;
}

function sum(all: readonly Counts[]): Counts {
  const total: Counts = { names: 0, here: 0, planned: 0, notApplicable: 0, undecided: 0 };
  for (const counts of all) for (const key of Object.keys(total) as (keyof Counts)[]) total[key] += counts[key]; // the keys of a literal
  return total;
}

function countRow(title: string, { names, here, planned, notApplicable, undecided }: Counts): string {
  return `| ${title} | ${names} | ${here} | ${planned} | ${notApplicable} | ${undecided} |`;
}

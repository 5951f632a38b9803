import type { Decision } from "./decisions.ts";
import { type Area, formatSummary, type NamedDocument } from "./page-summary.ts";
import { code, escaped, joined } from "./page-text.ts";
import type { Parity, ParityName } from "./parity.ts";

/** Exports by what their name speaks of; the first that fits takes it. */
const exportAreas: readonly (readonly [title: string, fits: (row: ParityName) => boolean])[] = [
  ["Functions, classes and constants", ({ kind }) => kind === "value"],
  ["Types of control requests", ({ name }) => name.startsWith("SDKControl")],
  ["Types of hooks", ({ name }) => /Hook/.test(name) && !/^SDK/.test(name)],
  ["Types of messages", ({ name }) => name.startsWith("SDK") && !/^SDKSessionInfo|^SDKMcpResourceLink/.test(name)],
  ["Types of permissions", ({ name }) => /Permission|CanUseTool/.test(name)],
  ["Types of MCP servers and tools", ({ name }) => /Mcp|Tool|Zod|InferShape/i.test(name)],
  ["Types of sessions and stores", ({ name }) => /Session|Subagent(s|Messages)/.test(name)],
  ["Other types", () => true],
];

const sectionAreas: readonly (readonly [section: string, title: string, about?: string])[] = [
  ["internal", "Answers to control requests that are declared and not exported"],
  ["options", "Options", "Fields of `Options`."],
  ["query", "Methods of a query", "Methods of `Query`."],
  ["messages", "Messages on the wire", "By `type`, or `type/subtype`. Their fields are compared by their types."],
  ["events", "Hook events"],
  ["control", "Control requests", "By `subtype`, in both directions."],
  ["tools", "Names of tools", "The list `BUILTIN_TOOL_NAMES`."],
  ["./sdk-tools", "Inputs and outputs of tools", "The entry `./sdk-tools`."],
  ["./core", "The entry `./core`"],
  ["./extract", "The entry `./extract`"],
  ["./browser", "The entry `./browser`"],
  ["./bridge", "The entry `./bridge`"],
];

/** Writes PARITY.md: the comparison with the official SDK, and the names of other documents. */
export function formatPage(version: string, parity: Parity, documents: readonly NamedDocument[]): string {
  const areas = areasOf(parity.names);
  const lines = [
    "# Parity with the official Agent SDK, and with its ports",
    "",
    "Written by `pnpm upstream:check --write` from the declarations of the packages here and there and from the decisions in",
    "`contracts/parity/`. Do not edit; a test compares it. How a row is to be read:",
    "",
    "- a name: it is there under this name. Fields are compared too, at any depth, with the values of enumerations;",
    "- *planned*: it is not there yet, and will be in this package;",
    "- a sentence: it does not apply, for this reason.",
    "",
    `Compared with \`@anthropic-ai/claude-agent-sdk\` ${version}. Only names are listed here: what they do is said by our own docs.`,
    "",
    "## In short",
    "",
    ...formatSummary(areas, parity.names, documents),
    "",
    "## The official SDK",
    "",
    "What an entry hands on from the main entry is listed once, so that `./core` has no table.",
    "",
    ...areas.flatMap(formatArea),
    "## Other documents",
    "",
    ...documents.flatMap(formatDocument),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function areasOf(names: readonly ParityName[]): Area[] {
  const exported = names.filter(({ section }) => section === "exports");
  const taken = new Set<ParityName>();
  const areas: Area[] = exportAreas.map(([title, fits]) => {
    const rows = exported.filter((row) => !taken.has(row) && fits(row));
    for (const row of rows) taken.add(row);
    return { title, rows };
  });
  const known = new Set(["exports", ...sectionAreas.map(([section]) => section)]);
  const others = [...new Set(names.map(({ section }) => section))].filter((section) => !known.has(section));
  const rest = others.map((section): readonly [string, string, string?] => [section, `The entry \`${section}\``]);
  for (const [section, title, about] of [...sectionAreas, ...rest])
    areas.push({ title, ...(about && { about }), rows: names.filter((row) => row.section === section) });
  return areas.filter(({ rows }) => rows.length > 0);
}

function formatArea({ title, about, rows }: Area): string[] {
  const others = rows.flatMap(({ name, otherFields }) =>
    otherFields.map(({ field, decision }) => [code(joined(name, field)), decisionText(decision)]),
  );
  const hasFields = rows.some(({ sameFields }) => sameFields.length > 0);
  const head = hasFields ? ["upstream", "here", "fields alike"] : ["upstream", "here"];
  const body = rows.map(({ name, decision, sameFields }) => [
    code(name),
    decisionText(decision),
    ...(hasFields ? [sameFields.length === 0 ? "" : String(sameFields.length)] : []),
  ]);
  return [
    `### ${title}`,
    "",
    ...(about === undefined ? [] : [about, ""]),
    ...table(head, body),
    ...(others.length === 0 ? [] : ["Fields that differ:", "", ...table(["upstream", "here"], others)]),
  ];
}

function formatDocument({ title, about, names }: NamedDocument): string[] {
  return [
    `### ${title}`,
    "",
    about,
    "",
    ...Object.entries(names).flatMap(([section, entries]) => [
      `#### ${section}`,
      "",
      ...table(
        ["there", "here"],
        Object.entries(entries).map(([name, decision]) => [code(name), decisionText(decision)]),
      ),
    ]),
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line), ""];
}

function decisionText(decision: Decision | undefined): string {
  if (decision === undefined) return "**undecided**";
  if ("reason" in decision) return escaped(decision.reason);
  if ("ours" in decision) return referenceText(decision.ours);
  return `*planned*: ${referenceText(decision.planned)}`;
}

function referenceText(reference: string): string {
  const [specifier = "", path] = reference.split("#");
  return path === undefined ? code(specifier) : `${code(path)} of ${code(specifier)}`;
}

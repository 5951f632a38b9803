import { readFileSync, writeFileSync } from "node:fs";

/**
 * What somebody decided about a name of another SDK: it has this name here, or it will have one in this package, or it does not apply.
 * References look like `@reins/sdk#Options.cwd`; a plan names at least the package.
 */
export type Decision = { readonly ours: string } | { readonly planned: string } | { readonly reason: string };

/** Decisions by section and name. */
export type Decisions = Readonly<Record<string, Readonly<Record<string, Decision>>>>;

/** Reads a data file of decisions. @throws Error that names the entry which is no decision. */
export function readDecisions(path: string): Decisions {
  const decisions: Decisions = JSON.parse(readFileSync(path, "utf8"));
  for (const [section, entries] of Object.entries(decisions))
    for (const [name, decision] of Object.entries(entries)) {
      const problem = problemOf(decision);
      if (problem !== undefined) throw new Error(`${path}: ${section}, ${name}: ${problem}`);
    }
  return decisions;
}

/** Writes them with an entry a line, sections and names in the order given. */
export function writeDecisions(path: string, decisions: Decisions): void {
  writeFileSync(path, formatDecisions(decisions));
}

function formatDecisions(decisions: Decisions): string {
  const sections = Object.entries(decisions).map(([section, entries]) => {
    const lines = Object.entries(entries).map(([name, decision]) => {
      const [kind = "", text = ""] = Object.entries(decision)[0] ?? [];
      return `    ${JSON.stringify(name)}: { ${JSON.stringify(kind)}: ${JSON.stringify(text)} }`;
    });
    return `  ${JSON.stringify(section)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${sections.join(",\n")}\n}\n`;
}

/** The decisions that name something of ours which does not exist, each with what it names. */
export function brokenReferences(decisions: Decisions, resolves: Resolves): string[] {
  return Object.entries(decisions).flatMap(([section, entries]) =>
    Object.entries(entries).flatMap(([name, decision]) =>
      "ours" in decision && !resolves(decision.ours) ? [`${section} ${name}: ${decision.ours}`] : [],
    ),
  );
}

function problemOf(decision: Decision): string | undefined {
  const [kind, ...others] = Object.keys(decision);
  if (kind === undefined || others.length > 0) return "says exactly one of ours, planned and reason";
  const text: unknown = Object.values(decision)[0];
  if (typeof text !== "string" || text === "") return `${kind} is no text`;
  if (kind === "reason") return undefined;
  if (kind === "ours") return /^@reins\/[a-z\d/-]+#\w/.test(text) ? undefined : "ours is no reference to an export";
  if (kind === "planned") return /^@reins\/[a-z\d/-]+(#\w.*)?$/.test(text) ? undefined : "planned names no package";
  return `${kind} is unknown`;
}

/** Tells whether a name exists that a decision refers to. */
export type Resolves = (reference: string) => boolean;

/**
 * What holds of a name by now: a plan that was carried out has become our name.
 *
 * A plan that names the package alone is carried out under the upstream name.
 */
export function inForce(decision: Decision, name: string, resolves: Resolves): Decision {
  if (!("planned" in decision)) return decision;
  const reference = decision.planned.includes("#") ? decision.planned : `${decision.planned}#${name}`;
  return resolves(reference) ? { ours: reference } : decision;
}

/** The package of a reference: `@reins/sessions` of `@reins/sessions/conformance#x`. */
export function packageOf(reference: string): string {
  return reference.split("#")[0]!.split("/").slice(0, 2).join("/");
}

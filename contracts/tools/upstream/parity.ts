import { compareTypes } from "./compare.ts";
import { brokenReferences, type Decision, type Decisions, inForce } from "./decisions.ts";
import type { Declarations } from "./declarations.ts";
import type { OurNames } from "./our-names.ts";
import { isListed, type UpstreamName, upstreamNames } from "./upstream-names.ts";

/** A name of theirs, and what it is here. `undefined`: nobody has decided, which fails the check. */
export interface ParityName {
  readonly section: string;
  readonly name: string;
  readonly kind: UpstreamName["kind"];
  readonly decision: Decision | undefined;
  /** Fields, values and parameters that ours has under the same names, at any depth. */
  readonly sameFields: readonly string[];
  /** Those that ours has not, with what was decided. */
  readonly otherFields: readonly FieldDecision[];
}

/** What was decided about a field that ours has not, or with a wildcard about several. */
interface FieldDecision {
  readonly field: string;
  /** How many fields of theirs it is about. */
  readonly covers: number;
  readonly decision: Decision | undefined;
}

/** How our surface stands to theirs. */
export interface Parity {
  readonly names: readonly ParityName[];
  /** What is neither in our surface nor in the data, as `section name` or `section name.field`. */
  readonly undecided: readonly string[];
  /** Decisions about names and fields that theirs does not have. */
  readonly stale: readonly string[];
  /** Decisions that nothing needs any more: ours has the name by now. */
  readonly spare: readonly string[];
  /** Decisions that name something of ours which does not exist. */
  readonly broken: readonly string[];
}

/** Section of the data that holds decisions about fields, keyed `section name.field`; `.*` at the end covers all below. */
const fieldSection = "fields";

/** Compares every name of theirs, and the fields of those that have a counterpart. */
export function compareSurfaces(theirs: Declarations, ours: OurNames, decisions: Decisions): Parity {
  const resolves = (reference: string): boolean => ours.resolve(reference) !== undefined;
  const side = { declarations: theirs, isNamed: isListed(theirs) };
  const used = new Set<string>();

  const compareName = (upstream: UpstreamName): ParityName => {
    const { section, name, kind } = upstream;
    const decision = decide(upstream);
    const our = decision && "ours" in decision ? ours.resolve(decision.ours) : undefined;
    const isCompared = upstream.type !== undefined && our !== undefined;
    const fields = isCompared ? compareTypes(side, ours.declarations, upstream.type, our) : { same: [], missing: [] };
    const otherFields = decideFields(`${section} ${name}`, fields.missing);
    return { section, name, kind, decision, sameFields: fields.same, otherFields };
  };

  const decide = (upstream: UpstreamName): Decision | undefined => {
    const counterpart = ours.counterpart(upstream);
    const written = decisions[upstream.section]?.[upstream.name];
    const decision = written && inForce(written, upstream.name, resolves);
    // A plan that was carried out elsewhere than planned, and a name that would be found without being told.
    const isNeeded =
      decision !== undefined && !("planned" in decision && counterpart) && !isSame(decision, counterpart);
    if (isNeeded) used.add(`${upstream.section} ${upstream.name}`);
    return isNeeded ? decision : counterpart === undefined ? undefined : { ours: counterpart };
  };

  const decideFields = (owner: string, missing: readonly string[]): FieldDecision[] => {
    const decided = new Map<string, FieldDecision>();
    for (const field of missing) {
      const key = coveringKeys(owner, field).find((candidate) => decisions[fieldSection]?.[candidate] !== undefined);
      const about = key ?? fieldKey(owner, field);
      const written = key === undefined ? undefined : decisions[fieldSection]?.[key];
      used.add(`${fieldSection} ${about}`);
      decided.set(about, {
        field: about.slice(owner.length).replace(/^\./, ""),
        covers: (decided.get(about)?.covers ?? 0) + 1,
        decision: written && inForce(written, field, resolves),
      });
    }
    return [...decided.values()];
  };

  const names = upstreamNames(theirs).map(compareName);
  const known = new Set(names.flatMap(({ section, name }) => [`${section} ${name}`]));
  const fields = new Set(names.flatMap(knownFields));
  const unused = Object.entries(decisions).flatMap(([section, entries]) =>
    Object.keys(entries).flatMap((name) => (used.has(`${section} ${name}`) ? [] : [{ section, name }])),
  );
  const isKnown = ({ section, name }: { section: string; name: string }): boolean =>
    section === fieldSection ? fields.has(name) : known.has(`${section} ${name}`);
  const keyOf = ({ section, name }: { section: string; name: string }): string => `${section} ${name}`;
  return {
    names,
    undecided: names.flatMap(undecidedOf),
    stale: unused.filter((entry) => !isKnown(entry)).map(keyOf),
    spare: unused.filter(isKnown).map(keyOf),
    broken: brokenReferences(decisions, resolves),
  };
}

/** The data without what is stale or spare, and with plans that were carried out as our names. */
export function pruned(decisions: Decisions, parity: Parity, ours: OurNames): Decisions {
  const gone = new Set([...parity.stale, ...parity.spare]);
  return Object.fromEntries(
    Object.entries(decisions).map(([section, entries]) => [
      section,
      Object.fromEntries(
        Object.entries(entries)
          .filter(([name]) => !gone.has(`${section} ${name}`))
          .map(([name, decision]) => [
            name,
            inForce(decision, name, (reference) => ours.resolve(reference) !== undefined),
          ]),
      ),
    ]),
  );
}

function undecidedOf({ section, name, decision, otherFields }: ParityName): string[] {
  if (decision === undefined) return [`${section} ${name}`];
  return otherFields.flatMap(({ field, decision: about }) =>
    about === undefined ? [fieldKey(`${section} ${name}`, field)] : [],
  );
}

function isSame(decision: Decision, counterpart: string | undefined): boolean {
  return "ours" in decision && decision.ours === counterpart;
}

/** Every key that could rightly be in the data for a name's fields. */
function knownFields({ section, name, sameFields, otherFields }: ParityName): string[] {
  const owner = `${section} ${name}`;
  return [
    ...sameFields.flatMap((field) => coveringKeys(owner, field)),
    ...otherFields.flatMap(({ field }) => coveringKeys(owner, field)),
  ];
}

/** `exports CanUseTool(2).signal`, `options agents[].model`. */
function fieldKey(owner: string, field: string): string {
  return /^[([=]/.test(field) ? owner + field : `${owner}.${field}`;
}

/** The keys that may decide about a field: its own, then wildcards from the nearest to the widest. */
function coveringKeys(owner: string, field: string): string[] {
  const own = fieldKey(owner, field);
  const keys = [own];
  for (let end = own.length; end >= owner.length; end -= 1)
    if (end === own.length || ".[(=".includes(own.charAt(end))) keys.push(`${own.slice(0, end)}.*`);
  return keys;
}

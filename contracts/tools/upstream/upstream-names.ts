import ts from "typescript";
import { type Declarations, typeOf } from "./declarations.ts";
import { shapeOf } from "./shape.ts";

/** A name of the official SDK. */
export interface UpstreamName {
  /**
   * Where it stands in the data file: `exports` for the main entry, another entry by its name (`./browser`), and `internal`, `options`,
   * `query`, `messages`, `events`, `control` and `tools`.
   */
  readonly section: string;
  readonly name: string;
  readonly kind: "value" | "type" | "wire";
  /** What its fields are compared by. Absent for names that are nothing but a name. */
  readonly type?: ts.Type;
}

/** Types whose members are listed by themselves. */
const collections: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "Options",
  "Query",
  "ToolInputSchemas",
  "ToolOutputSchemas",
]);

/**
 * Every public name of the official SDK: what its entries export, fields of `Options`, methods of `Query`, messages by `type/subtype`,
 * hook events, control requests by subtype, names of tools; and under `internal` types of control responses, which it declares
 * without exporting them.
 */
export function upstreamNames(declarations: Declarations): UpstreamName[] {
  return [
    ...exportedNames(declarations),
    ...internalResponses(declarations),
    ...fieldNames(declarations, "options", "Options"),
    ...fieldNames(declarations, "query", "Query"),
    ...wireMessages(declarations),
    ...literalNames(declarations, "events", "HookEvent"),
    ...controlRequests(declarations),
    ...toolNames(declarations),
  ];
}

/** True for types that {@link upstreamNames} lists by themselves, so that a comparison of fields can stop there. */
export function isListed(declarations: Declarations): (type: ts.Type) => boolean {
  const listed = new Set<ts.Symbol>();
  for (const exported of declarations.entries.values()) for (const symbol of exported.values()) listed.add(symbol);
  return (type) => {
    const symbols = [type.aliasSymbol, type.symbol, isMapped(type) ? ownerOfFields(declarations, type) : undefined];
    return symbols.some((symbol) => symbol !== undefined && listed.has(symbol));
  };
}

function isMapped(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
}

/** The interface that a `Partial<...>` or the like was made of. */
function ownerOfFields({ checker }: Declarations, type: ts.Type): ts.Symbol | undefined {
  const owner = checker.getPropertiesOfType(type)[0]?.declarations?.[0]?.parent;
  return owner !== undefined && ts.isInterfaceDeclaration(owner) ? checker.getSymbolAtLocation(owner.name) : undefined;
}

/** Messages by `type` or `type/subtype`: what discriminates them on the wire. */
export function kindsOf(declarations: Declarations, roots: readonly ts.Type[]): Map<string, ts.Type> {
  const kinds = new Map<string, ts.Type>();
  for (const member of roots.flatMap((root) => (root.isUnion() ? root.types : [root]))) {
    const { fields } = shapeOf(declarations, [member]);
    const subtypes = [...shapeOf(declarations, fields.get("subtype") ?? []).literals];
    for (const type of shapeOf(declarations, fields.get("type") ?? []).literals) {
      if (subtypes.length === 0) setFirst(kinds, type, member);
      for (const subtype of subtypes) setFirst(kinds, `${type}/${subtype}`, member);
    }
  }
  return kinds;
}

function setFirst(kinds: Map<string, ts.Type>, kind: string, type: ts.Type): void {
  if (!kinds.has(kind)) kinds.set(kind, type);
}

function exportedNames(declarations: Declarations): UpstreamName[] {
  const listed = new Set<ts.Symbol>();
  const names: UpstreamName[] = [];
  for (const [entry, exported] of declarations.entries) {
    for (const [name, symbol] of exported) {
      if (listed.has(symbol)) continue;
      listed.add(symbol);
      const kind = symbol.flags & ts.SymbolFlags.Value ? "value" : "type";
      const type = collections.has(name) ? {} : { type: typeOf(declarations.checker, symbol) };
      names.push({ section: entry === "." ? "exports" : entry, name, kind, ...type });
    }
  }
  return names;
}

function internalResponses({ checker, unexported }: Declarations): UpstreamName[] {
  return [...unexported.values()]
    .filter((symbol) => /^SDKControl\w+Response$/.test(symbol.name))
    .map((symbol) => ({ section: "internal", name: symbol.name, kind: "type", type: typeOf(checker, symbol) }));
}

function fieldNames(declarations: Declarations, section: string, typeName: string): UpstreamName[] {
  const type = find(declarations, typeName);
  if (type === undefined) return [];
  return [...shapeOf(declarations, [type]).fields].map(([name, types]) => ({
    section,
    name,
    kind: "wire",
    type: types[0]!,
  }));
}

function wireMessages(declarations: Declarations): UpstreamName[] {
  const roots = ["SDKMessage", "StdoutMessage"].flatMap((name) => find(declarations, name) ?? []);
  // The fields are compared by the exported types.
  return [...kindsOf(declarations, roots).keys()].map((name) => ({ section: "messages", name, kind: "wire" }));
}

function literalNames(declarations: Declarations, section: string, typeName: string): UpstreamName[] {
  const type = find(declarations, typeName);
  if (type === undefined) return [];
  return [...shapeOf(declarations, [type]).literals].map((name) => ({ section, name, kind: "wire" }));
}

function controlRequests(declarations: Declarations): UpstreamName[] {
  const envelope = find(declarations, "SDKControlRequest");
  if (envelope === undefined) return [];
  const requests = shapeOf(declarations, [envelope]).fields.get("request") ?? [];
  const names: UpstreamName[] = [];
  for (const type of requests.flatMap((request) => (request.isUnion() ? request.types : [request]))) {
    const subtypes = shapeOf(declarations, shapeOf(declarations, [type]).fields.get("subtype") ?? []).literals;
    for (const name of subtypes) names.push({ section: "control", name, kind: "wire", type });
  }
  return names;
}

function toolNames(declarations: Declarations): UpstreamName[] {
  const list = find(declarations, "BUILTIN_TOOL_NAMES");
  if (list === undefined) return [];
  const names = shapeOf(declarations, shapeOf(declarations, [list]).items).literals;
  return [...names].map((name) => ({ section: "tools", name, kind: "wire" }));
}

function find({ checker, entries, unexported }: Declarations, name: string): ts.Type | undefined {
  const symbol = [...entries.values()].map((exported) => exported.get(name)).find((found) => found !== undefined);
  const declared = symbol ?? unexported.get(name);
  return declared && typeOf(checker, declared);
}

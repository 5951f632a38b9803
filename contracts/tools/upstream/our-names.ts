import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Declarations, entriesOf, readDeclarations, typeOf } from "./declarations.ts";
import { shapeOf } from "./shape.ts";
import { kindsOf, type UpstreamName } from "./upstream-names.ts";

/** What our packages export, and how names of theirs are looked up in it. */
export interface OurNames {
  readonly declarations: Declarations;
  /** Resolves `@reins/sdk#Options.cwd`: a package or subpath, an export, fields below it. `undefined` when there is no such name. */
  readonly resolve: (reference: string) => ts.Type | undefined;
  /** The reference to the counterpart that a name has without anyone saying so: the same name in the same place. */
  readonly counterpart: (upstream: UpstreamName) => string | undefined;
}

/** Reads the public surface of every package below `packages/` from its sources. */
export function readOurNames(root: string): OurNames {
  const files = new Map<string, string>();
  for (const name of readdirSync(join(root, "packages")).sort())
    for (const [specifier, path] of entriesOf(join(root, "packages", name), `@reins/${name}`))
      files.set(specifier, path);
  return ourNames(readDeclarations(files, [join(root, "packages")]));
}

/** The same over declarations that were read already. */
export function ourNames(declarations: Declarations): OurNames {
  const { checker, entries } = declarations;

  const resolve = (reference: string): ts.Type | undefined => {
    const [specifier = "", path = ""] = reference.split("#");
    const [name = "", ...fields] = path.split(".");
    const symbol = entries.get(specifier)?.get(name);
    let type = symbol && typeOf(checker, symbol);
    for (const field of fields) type = type && step(declarations, type, field);
    return type;
  };

  const kinds = ourKinds(declarations, resolve);
  const firstThatExists = (references: readonly string[]): string | undefined =>
    references.find((reference) => resolve(reference) !== undefined);

  const counterpart = ({ section, name, kind }: UpstreamName): string | undefined => {
    if (section === "options") return firstThatExists([`@reins/sdk#Options.${name}`]);
    if (section === "query") return firstThatExists([`@reins/sdk#Query.${name}`]);
    if (section === "events") return firstThatExists([`@reins/messages#HookInputs.${name}`]);
    if (section === "tools") return firstThatExists([`@reins/messages#ToolInputs.${name}`]);
    if (section === "messages") return kinds.get(name);
    if (section === "control") {
      const maps = ["OutboundRequests", "InboundRequests"];
      return firstThatExists(maps.map((map) => `@reins/messages#${map}.${name}.request`));
    }
    // The umbrella first, so that what it hands on is found there; then the vocabulary.
    const specifiers = [...new Set(["@reins/sdk", "@reins/messages", ...entries.keys()])];
    return specifiers
      .filter((specifier) => {
        const symbol = entries.get(specifier)?.get(name);
        return symbol !== undefined && (kind === "type" || (symbol.flags & ts.SymbolFlags.Value) !== 0);
      })
      .map((specifier) => `${specifier}#${name}`)[0];
  };

  return { declarations, resolve, counterpart };
}

/** The type of a field, or with `[]` behind it of the elements of what it holds. */
function step(declarations: Declarations, type: ts.Type, field: string): ts.Type | undefined {
  const name = field.replace(/\[\]$/, "");
  const found = shapeOf(declarations, [type]).fields.get(name)?.[0];
  return found && name !== field ? shapeOf(declarations, [found]).items[0] : found;
}

/** Our messages by kind, each as a reference to its type. */
function ourKinds(declarations: Declarations, resolve: OurNames["resolve"]): Map<string, string> {
  const roots = ["KnownMessage", "ControlEnvelope", "ControlCancelRequest", "KeepAliveFrame", "TranscriptMirrorFrame"];
  const types = roots.flatMap((name) => resolve(`@reins/messages#${name}`) ?? []);
  const references = new Map<string, string>();
  for (const [kind, type] of kindsOf(declarations, types)) {
    const name = (type.aliasSymbol ?? type.symbol).name;
    references.set(kind, `@reins/messages#${name}`);
  }
  return references;
}

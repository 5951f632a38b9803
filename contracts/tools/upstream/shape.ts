import ts from "typescript";
import type { Declarations } from "./declarations.ts";

/** What can be reached by one step from a value: the members of unions and intersections are thrown together. */
export interface Shape {
  readonly fields: ReadonlyMap<string, readonly ts.Type[]>;
  /** String literals that the value may be. */
  readonly literals: ReadonlySet<string>;
  /** Elements of arrays, values of records, what promises and iterables give. */
  readonly items: readonly ts.Type[];
  readonly calls: readonly ts.Signature[];
  /** True when it may be anything: `unknown` or `any`. */
  readonly isUntyped: boolean;
}

interface Parts {
  readonly fields: Map<string, ts.Type[]>;
  readonly literals: Set<string>;
  readonly items: ts.Type[];
  readonly calls: ts.Signature[];
  isUntyped: boolean;
}

const primitive =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.ESSymbolLike |
  ts.TypeFlags.Null |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Void |
  ts.TypeFlags.Never;

/** The shape of a value that is of one of these types. */
export function shapeOf(declarations: Declarations, types: readonly ts.Type[]): Shape {
  const parts: Parts = { fields: new Map(), literals: new Set(), items: [], calls: [], isUntyped: false };
  for (const type of types) add(declarations, parts, type);
  return parts;
}

function add(declarations: Declarations, parts: Parts, type: ts.Type): void {
  const { checker } = declarations;
  if (type.isUnion()) {
    for (const member of type.types) add(declarations, parts, member);
  } else if (type.flags & ts.TypeFlags.InstantiableNonPrimitive) {
    // A type parameter, or what depends on one: whatever it may be.
    const constraint = checker.getBaseConstraintOfType(type);
    if (constraint !== undefined && constraint !== type) add(declarations, parts, constraint);
  } else if (type.isStringLiteral()) {
    parts.literals.add(type.value);
  } else if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) {
    parts.isUntyped = true;
  } else if (type.flags & primitive || isBranded(type)) {
    // Nothing below it.
  } else if (checker.isArrayLikeType(type)) {
    parts.items.push(...checker.getTypeArguments(type as ts.TypeReference)); // array-like types are references
  } else if (isForeignClass(declarations, type)) {
    parts.items.push(...checker.getTypeArguments(type as ts.TypeReference)); // classes and interfaces are references
  } else {
    addObject(declarations, parts, checker.getApparentType(type));
  }
}

function addObject(declarations: Declarations, parts: Parts, type: ts.Type): void {
  const { checker } = declarations;
  for (const property of checker.getPropertiesOfType(type)) {
    if (property.name.startsWith("__") || isHidden(property)) continue;
    const known = parts.fields.get(property.name) ?? [];
    parts.fields.set(property.name, [...known, checker.getTypeOfSymbol(property)]);
  }
  for (const index of checker.getIndexInfosOfType(type)) parts.items.push(index.type);
  parts.calls.push(...checker.getSignaturesOfType(type, ts.SignatureKind.Call));
}

/** Private and protected members; names of symbols and `#private` ones begin with underscores. */
function isHidden(property: ts.Symbol): boolean {
  const declaration = property.valueDeclaration;
  if (declaration === undefined) return false;
  return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier) !== 0;
}

/** `string & {}`, `string & { brand: ... }`. */
function isBranded(type: ts.Type): boolean {
  return type.isIntersection() && type.types.some((member) => member.flags & primitive);
}

/** A class or interface of the standard library or of another package, which is a word of its own here: Promise, ChildProcess. */
function isForeignClass(declarations: Declarations, type: ts.Type): boolean {
  const isReference =
    type.flags & ts.TypeFlags.Object && (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
  if (!isReference && !type.isClassOrInterface()) return false;
  const file = type.symbol?.declarations?.[0]?.getSourceFile();
  return file !== undefined && !declarations.isOwn(file);
}

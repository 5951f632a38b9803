import ts from "typescript";
import type { Declarations } from "./declarations.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** One side of a comparison. */
export interface Side {
  readonly declarations: Declarations;
  /** Where the comparison stops, as the type is compared under its own name. */
  readonly isNamed: (type: ts.Type) => boolean;
}

/** What theirs has and ours has, by dotted path. A list's or record's element is `[]`, a parameter `(0)`, a result `()`, a value `="x"`. */
export interface Comparison {
  readonly same: readonly string[];
  readonly missing: readonly string[];
}

interface Step {
  readonly theirs: readonly ts.Type[];
  readonly ours: readonly ts.Type[];
  readonly path: string;
}

/** Walks both types side by side and tells what of theirs ours lacks. What ours has more is no matter. */
export function compareTypes(theirs: Side, ours: Declarations, their: ts.Type, our: ts.Type): Comparison {
  const same: string[] = [];
  const missing: string[] = [];
  const inside = new Set<string>();

  const walk = ({ theirs: theirTypes, ours: ourTypes, path }: Step, isRoot = false): void => {
    const open = theirTypes.flatMap(membersOf).filter((type) => (isRoot && type === their) || !theirs.isNamed(type));
    const theirShape = shapeOf(theirs.declarations, open);
    const ourShape = shapeOf(ours, ourTypes);
    if (isPlain(theirShape)) return;
    if (isEmpty(ourShape)) {
      missing.push(path === "" ? "*" : `${path}.*`);
      return;
    }
    // A type may contain itself. What was left behind is walked again, so that the paths depend on theirs alone.
    const here = ids(open);
    if (inside.has(here)) return;
    inside.add(here);
    for (const literal of theirShape.literals)
      (ourShape.literals.has(literal) ? same : missing).push(`${path}=${JSON.stringify(literal)}`);
    for (const [name, types] of theirShape.fields) {
      const counterpart = ourShape.fields.get(name);
      const field = path === "" ? name : `${path}.${name}`;
      if (counterpart === undefined) missing.push(field);
      else {
        same.push(field);
        walk({ theirs: types, ours: counterpart, path: field });
      }
    }
    if (theirShape.items.length > 0) walk({ theirs: theirShape.items, ours: ourShape.items, path: `${path}[]` });
    for (const step of callSteps(theirShape, ourShape, path)) walk(step);
    inside.delete(here);
  };

  const callSteps = (theirShape: Shape, ourShape: Shape, path: string): Step[] => {
    const [theirCall, ourCall] = [theirShape.calls[0], ourShape.calls[0]];
    if (theirCall === undefined || ourCall === undefined) return [];
    const steps = theirCall.parameters.map((parameter, index) => {
      const counterpart = ourCall.parameters[index];
      return {
        theirs: [theirs.declarations.checker.getTypeOfSymbol(parameter)],
        ours: counterpart === undefined ? [] : [ours.checker.getTypeOfSymbol(counterpart)],
        path: `${path}(${index})`,
      };
    });
    return [...steps, { theirs: [theirCall.getReturnType()], ours: [ourCall.getReturnType()], path: `${path}()` }];
  };

  walk({ theirs: [their], ours: [our], path: "" }, true);
  return { same: unique(same), missing: unique(missing) };
}

function membersOf(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

/** Nothing that could be missing: a primitive, or a record of anything. */
function isPlain(shape: Shape): boolean {
  const isRecordOfAnything = shape.items.every((type) => type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown));
  return shape.fields.size + shape.literals.size + shape.calls.length === 0 && isRecordOfAnything;
}

function isEmpty(shape: Shape): boolean {
  return shape.fields.size + shape.literals.size + shape.items.length + shape.calls.length === 0;
}

function ids(types: readonly ts.Type[]): string {
  // The compiler numbers its types; the number is not in its public declarations.
  return types.map((type) => (type as unknown as { id: number }).id).join(",");
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

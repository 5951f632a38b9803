import { isRecord } from "./json.ts";
import {
  isStandardSchema,
  type OutputOf,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  toJsonSchema,
  validateStandard,
} from "./standard-schema.ts";

/** Schemas by the name of the argument, such as `{ a: z.number() }`. */
export type RawShape = Readonly<Record<string, StandardSchema>>;

/** What the members of a shape give, together; members that may be `undefined` may be missing. */
export type ShapeOutput<Shape extends RawShape> = Flat<
  {
    -readonly [Key in keyof Shape as undefined extends OutputOf<Shape[Key]> ? never : Key]: OutputOf<Shape[Key]>;
  } & {
    -readonly [Key in keyof Shape as undefined extends OutputOf<Shape[Key]> ? Key : never]?: OutputOf<Shape[Key]>;
  }
>;

/** One object type in place of an intersection, for those who read it. */
export type Flat<Type> = { [Key in keyof Type]: Type[Key] };

export function isRawShape(value: unknown): value is RawShape {
  return isRecord(value) && Object.values(value).every(isStandardSchema);
}

/**
 * Serves a shape without the library that its members come from: whoever uses the library need not share its copy or its version with us.
 * Unknown members are left out, as zod does it.
 *
 * @param told The JSON Schema, where the members are not to be asked for theirs.
 */
export function prepareShape(tool: string, shape: RawShape, told: unknown): PreparedShape {
  const required = Object.keys(shape).filter((key) => !isOptional(shape[key] as StandardSchema));
  const isRequired = new Set(required);
  return {
    jsonSchema: told ?? shapeToJsonSchema(tool, shape, required),
    validate: (input) => validateShape(shape, isRequired, input),
  };
}

/** A shape, ready for use. */
interface PreparedShape {
  readonly jsonSchema: unknown;
  readonly validate: (input: Record<string, unknown>) => Promise<StandardResult<Record<string, unknown>>>;
}

function shapeToJsonSchema(tool: string, shape: RawShape, required: readonly string[]): Record<string, unknown> {
  // A list of entries, because a member may be called __proto__.
  const properties = Object.entries(shape).map(([key, schema]) => {
    const subject = `has an argument ${JSON.stringify(key)} with a schema`;
    const { $schema: _, ...property } = toJsonSchema(tool, schema, subject);
    return [key, moveReferences(property, `#/properties/${pointerSegment(key)}`)] as const;
  });
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

async function validateShape(
  shape: RawShape,
  required: ReadonlySet<string>,
  input: Record<string, unknown>,
): Promise<StandardResult<Record<string, unknown>>> {
  const output: Record<string, unknown> = {};
  const issues: StandardIssue[] = [];
  for (const [key, schema] of Object.entries(shape)) {
    const isGiven = Object.hasOwn(input, key);
    const result = await validateStandard(schema, isGiven ? input[key] : undefined);
    if (result.issues !== undefined) {
      issues.push(...result.issues.map((issue) => ({ ...issue, path: [key, ...(issue.path ?? [])] })));
    } else if (!isGiven && required.has(key)) {
      // Such as `z.unknown()`, which takes everything and still has to be there.
      issues.push({ message: "is required", path: [key] });
    } else if (isGiven || result.value !== undefined) {
      // Defined and not assigned, because a member may be called __proto__.
      Object.defineProperty(output, key, { value: result.value, enumerable: true, configurable: true, writable: true });
    }
  }
  return issues.length > 0 ? { issues } : { value: output };
}

/** References of a member's schema count from its own top, which is now at `place` in another schema. */
function moveReferences(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item) => moveReferences(item, place));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isLocal = name === "$ref" && typeof member === "string" && /^#(\/|$)/.test(member);
      return [name, isLocal ? `${place}${member.slice(1)}` : moveReferences(member, place)];
    }),
  );
}

function pointerSegment(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Whether a member may be missing. zod knows; other libraries are asked with a missing value. */
function isOptional(schema: StandardSchema): boolean {
  const { _zod } = schema as { _zod?: { optin?: unknown } };
  if (_zod !== undefined) return _zod.optin !== undefined;
  try {
    const result = schema["~standard"].validate(undefined);
    if (!("then" in result)) return result.issues === undefined;
    // What it finds out comes too late for the list of tools.
    result.then(undefined, () => {});
    return false;
  } catch {
    return false;
  }
}

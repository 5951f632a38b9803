import { isRecord } from "./json.ts";
import type { StandardIssue } from "./standard-schema.ts";

/** A JSON Schema with an object at the top. It is sent to the CLI as it is. */
export interface JsonSchema {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/**
 * Checks what can be checked of a plain JSON Schema without a validator: `type`, `enum`, `const`, `required`, `properties` and `items`, at
 * every depth. What other keywords ask for is up to the handler.
 */
export function checkAgainstJsonSchema(schema: unknown, value: unknown): readonly StandardIssue[] {
  const issues: StandardIssue[] = [];
  check(schema, value, [], issues);
  return issues;
}

function check(schema: unknown, value: unknown, path: readonly PropertyKey[], issues: StandardIssue[]): void {
  if (!isRecord(schema)) return;
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    // What is of another type has no members to look at.
    issues.push({ path, message: `expected ${types.join(" or ")}` });
    return;
  }
  const { enum: allowed, const: constant, required, properties, items } = schema;
  if (Array.isArray(allowed) && !allowed.some((each) => mayEqual(each, value)))
    issues.push({ path, message: `expected one of ${JSON.stringify(allowed)}` });
  if (constant !== undefined && !mayEqual(constant, value))
    issues.push({ path, message: `expected ${JSON.stringify(constant)}` });
  if (isRecord(value)) {
    for (const key of Array.isArray(required) ? required : [])
      if (!Object.hasOwn(value, key)) issues.push({ path: [...path, key], message: "is required" });
    for (const [key, property] of Object.entries(isRecord(properties) ? properties : {}))
      if (Object.hasOwn(value, key)) check(property, value[key], [...path, key], issues);
  }
  if (Array.isArray(value) && isRecord(items))
    for (const [index, item] of value.entries()) check(items, item, [...path, index], issues);
}

/** The types that a schema names. */
export function typesOf(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
  return schema["type"] === undefined ? [] : [schema["type"]].flat();
}

/** The types that JSON Schema has. */
export const jsonSchemaTypes: readonly unknown[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
];

function hasType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

/** Objects are not compared: what is refused here has to be wrong. */
function mayEqual(expected: unknown, value: unknown): boolean {
  return (
    expected === value ||
    (typeof expected === "object" && typeof value === "object" && value !== null && expected !== null)
  );
}

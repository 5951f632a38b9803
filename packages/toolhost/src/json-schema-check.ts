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
 * Checks what can be checked of a plain JSON Schema without a validator: required members, and `type` and `enum` of the top-level
 * properties. What lies deeper is up to the handler.
 */
export function checkAgainstJsonSchema(
  schema: JsonSchema,
  input: Readonly<Record<string, unknown>>,
): readonly StandardIssue[] {
  const issues: StandardIssue[] = (schema.required ?? [])
    .filter((key) => !Object.hasOwn(input, key))
    .map((key) => ({ path: [key], message: "is required" }));
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!isRecord(property) || !Object.hasOwn(input, key)) continue;
    const value = input[key];
    const types = typesOf(property);
    if (types.length > 0 && !types.some((type) => hasType(value, type)))
      issues.push({ path: [key], message: `expected ${types.join(" or ")}` });
    const values = property["enum"];
    if (Array.isArray(values) && !values.some((allowed) => sameJson(allowed, value)))
      issues.push({ path: [key], message: `expected one of ${JSON.stringify(values)}` });
  }
  return issues;
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

function sameJson(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

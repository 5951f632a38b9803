import { ToolDefinitionError } from "./errors.ts";
import { isRecord, jsonCopy } from "./json.ts";
import { checkAgainstJsonSchema, type JsonSchema, jsonSchemaTypes, typesOf } from "./json-schema-check.ts";
import { isRawShape, prepareShape, type RawShape, type ShapeOutput } from "./raw-shape.ts";
import {
  isStandardSchema,
  type OutputOf,
  type StandardResult,
  type StandardSchema,
  toJsonSchema,
  validateStandard,
} from "./standard-schema.ts";

/**
 * What a tool takes:
 * - a Standard Schema for an object: of zod (3.24, 4.2, or newer) and arktype as it is, and of all others, such as valibot and
 *   zod/mini, with the `jsonSchema` of {@link ToolExtras}, unless they can tell it the standard way;
 * - a raw shape of such schemas, such as `{ a: z.number() }`;
 * - a plain JSON Schema, which is sent as it is. Of it `type`, `enum`, `const`, `required`, `properties` and `items` are checked at
 *   every depth, nothing else;
 * - `{}`: no arguments.
 */
export type InputSchema = StandardSchema | RawShape | JsonSchema;

/** The arguments that a handler gets: what the schema makes of the model's input, with defaults and transforms applied. */
export type ArgumentsOf<Schema> = Schema extends { readonly "~standard": unknown }
  ? OutputOf<Schema>
  : Schema extends JsonSchema
    ? Record<string, unknown>
    : Schema extends RawShape
      ? ShapeOutput<Schema>
      : Record<string, unknown>;

/** A schema, ready for use. */
export interface PreparedInput {
  /** What the CLI and the model are told. */
  readonly jsonSchema: JsonSchema;
  /** Gives the arguments for the handler, or what is wrong with them. May throw or reject with what a user's schema throws. */
  readonly validate: (input: Record<string, unknown>) => StandardResult<unknown> | Promise<StandardResult<unknown>>;
}

/**
 * Makes a schema ready for use.
 *
 * @param told What the client is told in place of what the schema tells.
 * @throws {@link ToolDefinitionError} for what is no schema, or one that the CLI cannot use.
 */
export function prepareInput(tool: string, schema: unknown = {}, told?: unknown): PreparedInput {
  if (isStandardSchema(schema)) {
    return {
      jsonSchema: checkedJsonSchema(tool, told ?? toJsonSchema(tool, schema)),
      validate: (input) => validateStandard(schema, input),
    };
  }
  if (isRawShape(schema)) {
    const { jsonSchema, validate } = prepareShape(tool, schema, told);
    return { jsonSchema: checkedJsonSchema(tool, jsonSchema), validate };
  }
  if (told !== undefined)
    throw new ToolDefinitionError(tool, "has a jsonSchema beside an input schema that is one. Leave one out.");
  if (isRecord(schema) && schema["type"] === "object") {
    const jsonSchema = checkedJsonSchema(tool, schema);
    return {
      jsonSchema,
      validate: (input) => {
        const issues = checkAgainstJsonSchema(jsonSchema, input);
        return issues.length === 0 ? { value: input } : { issues };
      },
    };
  }
  throw new ToolDefinitionError(
    tool,
    'has an input schema of an unknown form. Give a zod schema, an object of them, or a JSON Schema with type: "object".',
  );
}

/**
 * Of a list with one tool that breaks these rules, the CLI drops all tools without a word, and for a type that does not exist that tool
 * (verified against 2.1.328).
 */
function checkedJsonSchema(tool: string, schema: unknown): JsonSchema {
  const copy = jsonCopy(schema);
  if (!isRecord(copy)) throw new ToolDefinitionError(tool, "has a schema that cannot be written as JSON.");
  const { type, properties = {}, required = [] } = copy as Record<string, unknown>;
  if (type !== "object") {
    throw new ToolDefinitionError(
      tool,
      'has a schema that is no object at the top. Its JSON Schema must say type: "object".',
    );
  }
  if (!Array.isArray(required) || !required.every((key) => typeof key === "string"))
    throw new ToolDefinitionError(tool, "has a schema whose `required` is no list of names.");
  if (!isRecord(properties)) throw new ToolDefinitionError(tool, "has a schema whose `properties` are no object.");
  for (const [name, property] of Object.entries(properties)) {
    const problem = propertyProblem(property);
    if (problem !== undefined)
      throw new ToolDefinitionError(tool, `has a schema whose property ${JSON.stringify(name)} ${problem}.`);
  }
  return { ...copy, type };
}

function propertyProblem(property: unknown): string | undefined {
  if (typeof property === "boolean") return undefined;
  if (!isRecord(property)) return "is no schema";
  const unknown = typesOf(property).find((type) => !jsonSchemaTypes.includes(type));
  return unknown === undefined ? undefined : `has the type ${JSON.stringify(unknown)}, which JSON Schema does not have`;
}

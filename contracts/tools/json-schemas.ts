import { isDeepStrictEqual } from "node:util";
import * as schemas from "@reins/messages/schemas";
import * as z from "zod";
import { type SchemaTopic, schemaTopics } from "./schema-topics.ts";
import { type TypeDocs, typeDocs } from "./type-docs.ts";

/** A JSON Schema, or a part of one. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/**
 * Makes the JSON Schemas of the wire from the zod schemas: one file per topic, whose definitions refer to each other over files.
 *
 * A definition lies in the first topic that needs it. Names are those of the TypeScript types; requests and responses without a type of
 * their own are named by the subtype. Descriptions are the docstrings of the types.
 *
 * @returns Content by file name, always the same for the same schemas.
 * @throws When a definition belongs to no topic, or a topic names one that there is not.
 */
export function jsonSchemas(): Map<string, JsonSchema> {
  const definitions = definitionsByName();
  const files = filesByName(definitions);
  return new Map(
    schemaTopics.map((topic) => {
      const names = [...definitions.keys()].filter((name) => files.get(name) === topic.file).sort();
      const content = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        $id: topic.file,
        description: topic.description,
        ...rootOf(topic),
        $defs: Object.fromEntries(names.map((name) => [name, definitions.get(name)])),
      };
      const placed = mapReferences(content, (name) => {
        const file = files.get(name);
        return `${file === topic.file ? "" : file}#/$defs/${name}`;
      });
      return [topic.file, placed];
    }),
  );
}

// References are bare names here: in which file a definition lies turns out later.
function definitionsByName(): Map<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const add = (name: string, schema: z.ZodType): void => {
    if (!registry.has(schema)) registry.add(schema, { id: name });
  };
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema instanceof z.ZodType) add(typeName(name.replace(/Schema$/, "")), schema);
  }
  const tables = { Inbound: schemas.inboundRequestSchemas, Outbound: schemas.outboundRequestSchemas };
  for (const [direction, table] of Object.entries(tables)) {
    const responses: Record<string, z.ZodType> = {};
    for (const [subtype, exchange] of Object.entries<{ request: z.ZodType; response: z.ZodType }>(table)) {
      add(typeName(`${subtype}_request`), exchange.request);
      add(typeName(`${subtype}_response`), exchange.response);
      responses[subtype] = exchange.response;
    }
    add(`${direction}Responses`, tableOf(responses));
  }
  add("HookOutputs", tableOf(schemas.hookOutputSchemas));
  add("ToolInputs", tableOf(schemas.toolInputSchemas));
  add("ToolOutputs", tableOf(schemas.toolOutputSchemas));

  const made = z.toJSONSchema(registry, { uri: (name) => name, override: tidy });
  const docs = typeDocs();
  return new Map(
    Object.entries(made.schemas).map(([name, { $schema, $id, ...rest }]) => [name, described(rest, docs.get(name))]),
  );
}

function described(definition: JsonSchema, docs: TypeDocs | undefined): JsonSchema {
  if (docs === undefined) return definition;
  const { properties, ...rest } = definition;
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, field]) => {
    const description = docs.fields.get(name);
    return [name, description === undefined ? field : { description: description.replaceAll("\n", " "), ...field }];
  });
  return {
    ...(docs.text === undefined ? {} : { description: docs.text }),
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
  };
}

function typeName(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());
}

// JSON Schema has no tables of schemas: an object, each of whose properties may be there, is the nearest.
function tableOf(table: Readonly<Record<string, z.ZodType>>): z.ZodType {
  return z.looseObject(Object.fromEntries(Object.entries(table).map(([key, schema]) => [key, schema.exactOptional()])));
}

function tidy({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonSchema }): void {
  // Says nothing: unknown fields are kept and may be anything.
  if (isDeepStrictEqual(jsonSchema["additionalProperties"], {})) delete jsonSchema["additionalProperties"];
  // In JSON every name is a string.
  if (isDeepStrictEqual(jsonSchema["propertyNames"], { type: "string" })) delete jsonSchema["propertyNames"];
  // A check in code, which tells its values. See otherThan in the schemas.
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { params } = check._zod.def as { readonly params?: { readonly otherThan?: readonly string[] } };
    if (params?.otherThan !== undefined && params.otherThan.length > 0) jsonSchema["not"] = { enum: params.otherThan };
  }
}

function filesByName(definitions: ReadonlyMap<string, JsonSchema>): Map<string, string> {
  const files = new Map<string, string>();
  const place = (name: string, file: string): void => {
    if (files.has(name)) return;
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`${file} needs ${name}, and there is no schema of that name.`);
    files.set(name, file);
    mapReferences(definition, (reference) => {
      place(reference, file);
      return reference;
    });
  };
  for (const { file, root = [], holds = [] } of schemaTopics) for (const name of [...root, ...holds]) place(name, file);
  const left = [...definitions.keys()].filter((name) => !files.has(name));
  if (left.length > 0) throw new Error(`No topic of schema-topics.ts holds ${left.join(", ")}.`);
  return files;
}

function rootOf({ root = [] }: SchemaTopic): JsonSchema {
  const references = root.map((name) => ({ $ref: name }));
  return references.length > 1 ? { anyOf: references } : (references[0] ?? {});
}

function mapReferences(schema: JsonSchema, change: (reference: string) => string): JsonSchema {
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === "$ref" && typeof value === "string") return [key, change(value)];
    return [key, mapWithin(value, change)];
  });
  return Object.fromEntries(entries);
}

function mapWithin(value: unknown, change: (reference: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapWithin(item, change));
  // What is an object in JSON has string keys.
  return typeof value === "object" && value !== null ? mapReferences(value as JsonSchema, change) : value;
}

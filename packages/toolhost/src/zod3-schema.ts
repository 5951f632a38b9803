import { isRecord } from "./json.ts";

/**
 * A schema of zod 3, which cannot tell its JSON Schema. What it knows of itself is in `_def`; nothing of the library is imported, so that
 * any copy of it will do (seen with 3.25.76).
 */
export interface Zod3Schema {
  readonly _def: { readonly typeName: string; readonly description?: string; readonly [field: string]: unknown };
}

/** Whether it is a schema of zod 3; those of zod 4 have a `_def` too, without a `typeName`. */
export function isZod3(schema: unknown): schema is Zod3Schema {
  const definition = isRecord(schema) ? schema["_def"] : undefined;
  return isRecord(definition) && typeof definition["typeName"] === "string";
}

/**
 * The JSON Schema of what goes into a schema of zod 3.
 *
 * @throws TypeError for a type that JSON Schema has no words for, and for one that contains itself.
 */
export function zod3ToJsonSchema(schema: Zod3Schema): JsonObject {
  return convert(schema, []);
}

type JsonObject = Record<string, unknown>;

type Definition = Zod3Schema["_def"];

/** @param outer The schemas that this one lies in. */
function convert(schema: unknown, outer: readonly unknown[]): JsonObject {
  if (!isZod3(schema)) throw new TypeError("A part of the schema is not of zod 3.");
  if (outer.includes(schema)) throw new TypeError("The schema contains itself.");
  const definition = schema._def;
  const converter = Object.hasOwn(converters, definition.typeName) ? converters[definition.typeName] : undefined;
  if (converter === undefined) throw new TypeError(`${definition.typeName} has no JSON Schema.`);
  const converted = converter(definition, (part) => convert(part, [...outer, schema]));
  return definition.description === undefined ? converted : { ...converted, description: definition.description };
}

type Converter = (definition: Definition, convertPart: (part: unknown) => JsonObject) => JsonObject;

const inner: Converter = ({ innerType }, convertPart) => convertPart(innerType);
const anything: Converter = () => ({});
const union: Converter = ({ options }, convertPart) => ({
  anyOf: (options instanceof Map ? [...options.values()] : (options as unknown[])).map(convertPart),
});

const converters: Readonly<Record<string, Converter>> = {
  ZodString: ({ checks }) => ({ type: "string", ...Object.assign({}, ...checksOf(checks).map(stringCheck)) }),
  ZodNumber: ({ checks }) => ({ type: "number", ...Object.assign({}, ...checksOf(checks).map(numberCheck)) }),
  ZodBoolean: () => ({ type: "boolean" }),
  ZodNull: () => ({ type: "null" }),
  ZodAny: anything,
  ZodUnknown: anything,
  ZodNever: () => ({ not: {} }),
  ZodLiteral: ({ value }) => ({ const: jsonLiteral(value) }),
  ZodEnum: ({ values }) => ({ type: "string", enum: values }),
  ZodNativeEnum: ({ values }) => ({ enum: enumValues(values as Record<string, unknown>) }),
  ZodArray: ({ type, minLength, maxLength, exactLength }, convertPart) => ({
    type: "array",
    items: convertPart(type),
    ...limit("minItems", exactLength ?? minLength),
    ...limit("maxItems", exactLength ?? maxLength),
  }),
  ZodTuple: ({ items, rest }, convertPart) => ({
    type: "array",
    items: (items as unknown[]).map(convertPart),
    minItems: (items as unknown[]).length,
    additionalItems: rest === null || rest === undefined ? false : convertPart(rest),
  }),
  ZodRecord: ({ valueType }, convertPart) => ({ type: "object", additionalProperties: convertPart(valueType) }),
  ZodObject: convertObject,
  ZodUnion: union,
  ZodDiscriminatedUnion: union,
  ZodIntersection: ({ left, right }, convertPart) => ({ allOf: [convertPart(left), convertPart(right)] }),
  ZodNullable: ({ innerType }, convertPart) => ({ anyOf: [convertPart(innerType), { type: "null" }] }),
  ZodDefault: ({ innerType, defaultValue }, convertPart) => ({
    ...convertPart(innerType),
    default: (defaultValue as () => unknown)(),
  }),
  ZodOptional: inner,
  ZodCatch: inner,
  ZodReadonly: inner,
  ZodBranded: ({ type }, convertPart) => convertPart(type),
  ZodLazy: ({ getter }, convertPart) => convertPart((getter as () => unknown)()),
  ZodEffects: ({ schema }, convertPart) => convertPart(schema),
  ZodPipeline: ({ in: input }, convertPart) => convertPart(input),
};

function convertObject(
  { shape, unknownKeys, catchall }: Definition,
  convertPart: (part: unknown) => JsonObject,
): JsonObject {
  const members = Object.entries((shape as () => Record<string, unknown>)());
  const required = members.filter(([, member]) => !isOptional(member)).map(([key]) => key);
  const others = isZod3(catchall) && catchall._def.typeName !== "ZodNever" ? convertPart(catchall) : undefined;
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([key, member]) => [key, convertPart(member)])),
    ...(required.length > 0 && { required }),
    ...(others !== undefined && { additionalProperties: others }),
    ...(others === undefined && unknownKeys === "strict" && { additionalProperties: false }),
  };
}

function isOptional(member: unknown): boolean {
  return (member as { isOptional(): boolean }).isOptional();
}

interface Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
}

function checksOf(checks: unknown): readonly Check[] {
  return Array.isArray(checks) ? checks : [];
}

/** Of checks that JSON Schema has no words for, such as an IP address, the model hears when it fails them. */
function stringCheck({ kind, value, regex }: Check): JsonObject {
  const formats: Readonly<Record<string, string>> = {
    email: "email",
    url: "uri",
    uuid: "uuid",
    datetime: "date-time",
    date: "date",
    time: "time",
  };
  switch (kind) {
    case "min":
      return { minLength: value };
    case "max":
      return { maxLength: value };
    case "length":
      return { minLength: value, maxLength: value };
    case "regex":
      return regex === undefined || regex.flags !== "" ? {} : { pattern: regex.source };
    default:
      return formats[kind] === undefined ? {} : { format: formats[kind] };
  }
}

function numberCheck({ kind, value, inclusive }: Check): JsonObject {
  switch (kind) {
    case "int":
      return { type: "integer" };
    case "min":
      return { [inclusive ? "minimum" : "exclusiveMinimum"]: value };
    case "max":
      return { [inclusive ? "maximum" : "exclusiveMaximum"]: value };
    case "multipleOf":
      return { multipleOf: value };
    default:
      return {};
  }
}

function limit(keyword: string, bound: unknown): JsonObject {
  return isRecord(bound) ? { [keyword]: bound["value"] } : {};
}

function jsonLiteral(value: unknown): unknown {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  throw new TypeError(`A literal of type ${typeof value} has no JSON.`);
}

/** An enum of numbers also has its names as values, by the number. */
function enumValues(values: Record<string, unknown>): unknown[] {
  return Object.keys(values)
    .filter((key) => typeof values[String(values[key])] !== "number")
    .map((key) => values[key]);
}

import { ToolDefinitionError } from "./errors.ts";
import { isZod3, zod3ToJsonSchema } from "./zod3-schema.ts";

/**
 * What zod (from 3.24), valibot, arktype and others have in common: the Standard Schema interface, with the JSON Schema extension where
 * the library has it, as zod from 4.2 on and arktype have. `zod/mini` and valibot have not.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    /** Says whether a value fits, and what the schema makes of it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?:
      | {
          /** The JSON Schema of what goes in. */
          readonly input: (options: { readonly target: string }) => Record<string, unknown>;
        }
      | undefined;
  };
}

/** What a schema says of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The type that a schema gives. */
export type OutputOf<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : never;

export function isStandardSchema(value: unknown): value is StandardSchema {
  // arktype's schemas are functions.
  if ((typeof value !== "object" && typeof value !== "function") || value === null || !("~standard" in value))
    return false;
  const standard = value["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}

/**
 * Validates a value. Of zod, the method is used in place of the standard one: that runs what is async twice, and leaves the promise of the
 * first run alone, so that one which rejects would end the process (seen with 4.6.7).
 */
export async function validateStandard(schema: StandardSchema, value: unknown): Promise<StandardResult<unknown>> {
  if (!hasSafeParse(schema)) return schema["~standard"].validate(value);
  const { data, error } = await schema.safeParseAsync(value);
  return error === undefined ? { value: data } : error;
}

interface WithSafeParse {
  /** Gives `data` or `error`. */
  safeParseAsync(
    value: unknown,
  ): Promise<{ readonly data?: unknown; readonly error?: { readonly issues: readonly StandardIssue[] } }>;
}

function hasSafeParse(schema: object): schema is WithSafeParse {
  return "safeParseAsync" in schema && typeof schema.safeParseAsync === "function";
}

/**
 * The JSON Schema of what goes into a Standard Schema, so that members with a default are not required.
 *
 * @param subject Begins the sentence of an error: whose schema it is.
 * @throws {@link ToolDefinitionError} when the schema has none.
 */
export function toJsonSchema(tool: string, schema: StandardSchema, subject = "has a schema"): Record<string, unknown> {
  const { vendor, jsonSchema } = schema["~standard"];
  try {
    if (jsonSchema !== undefined) return jsonSchema.input({ target: "draft-07" });
    if (isZod3(schema)) return zod3ToJsonSchema(schema);
  } catch (cause) {
    const advice = "Use types that JSON has, or say the JSON Schema with the option jsonSchema.";
    throw new ToolDefinitionError(tool, `${subject} that JSON Schema cannot express. ${advice}`, cause);
  }
  const hint = vendor === "zod" ? " zod itself can from 4.2 on, zod/mini cannot." : "";
  throw new ToolDefinitionError(
    tool,
    `${subject} of ${vendor} that cannot tell its JSON Schema. Say it with the option jsonSchema of the tool.${hint}`,
  );
}

import { ReinsError } from "@reins/streamjson";
import type { JsonSchema, OutputOf, StandardIssue, StandardSchema } from "@reins/toolhost";

/** A value for the option `outputFormat` that knows the type of what comes. */
export interface OutputFormat<Output> {
  readonly type: "json_schema";
  /** What the CLI makes the model keep to. */
  readonly schema: JsonSchema;
  /**
   * Validates the structured output of a result, with defaults and transforms applied.
   *
   * @param structuredOutput `structured_output` of the result, or `structuredOutput` of what `collect()` gives.
   * @throws {@link OutputFormatError} when there is none, or it does not fit.
   */
  readonly read: (structuredOutput: unknown) => Promise<Output>;
}

/** The structured output is missing, or does not fit the schema: the turn failed, or the schema says more than its JSON Schema. */
export class OutputFormatError extends ReinsError {
  readonly code = "REINS_OUTPUT_FORMAT" as const;
  /** What came. */
  readonly value: unknown;
  readonly issues: readonly StandardIssue[];

  constructor(value: unknown, issues: readonly StandardIssue[]) {
    const problems = issues.map(({ message, path = [] }) => {
      const where = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
      return where === "" ? message : `${where}: ${message}`;
    });
    super(
      value === undefined
        ? "The result has no structured output. Look at its outcome for the reason."
        : `The structured output does not fit its schema: ${problems.join("; ")}.`,
    );
    this.value = value;
    this.issues = issues;
  }

  override get name(): string {
    return "OutputFormatError";
  }
}

/**
 * Makes the option `outputFormat` from a schema of zod (4.2 and newer), arktype, or any other Standard Schema.
 *
 * @param jsonSchema Its JSON Schema, for a library that cannot tell it, such as valibot.
 * @throws TypeError when there is no JSON Schema.
 * @example
 * const format = outputFormat(z.object({ total: z.number() }));
 * const { structuredOutput } = await collect({ prompt, options: { outputFormat: format } });
 * const { total } = await format.read(structuredOutput);
 */
export function outputFormat<const Schema extends StandardSchema>(
  schema: Schema,
  jsonSchema?: JsonSchema,
): OutputFormat<OutputOf<Schema>> {
  const standard = schema["~standard"];
  const told = jsonSchema ?? (standard.jsonSchema?.input({ target: "draft-07" }) as JsonSchema | undefined);
  if (told === undefined)
    throw new TypeError(`A schema of ${standard.vendor} cannot tell its JSON Schema. Give it as the second parameter.`);
  return {
    type: "json_schema",
    schema: told,
    async read(structuredOutput) {
      if (structuredOutput === undefined) throw new OutputFormatError(structuredOutput, []);
      const result = await standard.validate(structuredOutput);
      if (result.issues !== undefined) throw new OutputFormatError(structuredOutput, result.issues);
      // The type that the schema itself gives to what it lets through.
      return result.value as OutputOf<Schema>;
    },
  };
}

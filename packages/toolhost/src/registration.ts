import { ToolDefinitionError } from "./errors.ts";
import { type PreparedInput, prepareInput } from "./input-schema.ts";
import { isRecord, jsonCopy } from "./json.ts";
import type { JsonSchema } from "./json-schema-check.ts";
import type { ToolDefinition, ToolHandler } from "./tool.ts";

/** A tool as a server keeps it. */
export interface RegisteredTool {
  readonly handler: ToolHandler<unknown>;
  readonly input: PreparedInput;
  readonly timeoutMs: number | undefined;
  readonly permissionPolicy: ToolDefinition["permissionPolicy"];
  /** The entry of `tools/list`. */
  readonly listing: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
    readonly annotations?: Readonly<Record<string, unknown>>;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/**
 * Checks a tool and makes it ready. What is refused here would not fail in the CLI: it drops such a tool, or all tools of the server,
 * without a word (verified against 2.1.328).
 *
 * @param serverAlwaysLoad What holds for a tool that does not say.
 * @throws {@link ToolDefinitionError}
 */
export function registerTool(tool: ToolDefinition, serverAlwaysLoad: boolean | undefined): RegisteredTool {
  const { name, description, handler, timeoutMs, permissionPolicy } = tool;
  if (typeof description !== "string")
    throw new ToolDefinitionError(name, "has no description. Give a string; an empty one will do.");
  if (typeof handler !== "function") throw new ToolDefinitionError(name, "has no handler. Give a function.");
  requireTimeout(name, timeoutMs);
  if (permissionPolicy !== undefined && permissionPolicy !== "always_ask" && permissionPolicy !== "always_deny") {
    // The CLI ignores "always_allow" for servers of the host (verified against 2.1.328).
    throw new ToolDefinitionError(
      name,
      "has a permissionPolicy that is neither always_ask nor always_deny. To allow a tool, use the rules of the session.",
    );
  }
  const input = prepareInput(name, tool.inputSchema, tool.jsonSchema);
  return {
    // The input was validated with the schema that gave the handler its type.
    handler: handler as ToolHandler<unknown>,
    input,
    timeoutMs,
    permissionPolicy,
    listing: {
      name,
      description,
      inputSchema: input.jsonSchema,
      ...annotationsOf(tool),
      ...metaOf(tool, serverAlwaysLoad),
    },
  };
}

/** @throws {@link ToolDefinitionError} for a value that has another type; `undefined` passes. */
export function requireType(
  definition: string,
  what: string,
  value: unknown,
  type: "string" | "boolean" | "function",
): void {
  if (value !== undefined && typeof value !== type)
    throw new ToolDefinitionError(definition, `has a value for ${what} that is no ${type}.`);
}

/** @throws {@link ToolDefinitionError} for what is no time; `undefined` passes. */
export function requireTimeout(definition: string, timeoutMs: unknown): void {
  if (timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY) return;
  // A timer of more milliseconds than 31 bits hold ends at once.
  if (typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs < 2 ** 31) return;
  throw new ToolDefinitionError(
    definition,
    `has a timeoutMs that is no number of milliseconds from 1 to ${2 ** 31 - 1}, and not Infinity.`,
  );
}

function annotationsOf({ name, annotations }: ToolDefinition): Pick<RegisteredTool["listing"], "annotations"> {
  if (annotations === undefined) return {};
  const copy = jsonCopy(annotations);
  if (!isRecord(copy)) throw new ToolDefinitionError(name, "has annotations that are no object of JSON.");
  requireType(name, "annotations.title", copy["title"], "string");
  for (const hint of ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"])
    requireType(name, `annotations.${hint}`, copy[hint], "boolean");
  return { annotations: copy };
}

function metaOf(tool: ToolDefinition, serverAlwaysLoad: boolean | undefined): Pick<RegisteredTool["listing"], "_meta"> {
  const { name, alwaysLoad = serverAlwaysLoad, searchHint, maxResultSizeChars } = tool;
  requireType(name, "alwaysLoad", alwaysLoad, "boolean");
  requireType(name, "searchHint", searchHint, "string");
  const size = maxResultSizeChars ?? 1;
  if (!Number.isInteger(size) || size < 1 || size > 500_000)
    throw new ToolDefinitionError(name, "has a maxResultSizeChars that is no whole number from 1 to 500000.");
  const meta = {
    ...(alwaysLoad !== undefined && { "anthropic/alwaysLoad": alwaysLoad }),
    ...(searchHint !== undefined && { "anthropic/searchHint": searchHint }),
    ...(maxResultSizeChars !== undefined && { "anthropic/maxResultSizeChars": maxResultSizeChars }),
  };
  return Object.keys(meta).length > 0 ? { _meta: meta } : {};
}

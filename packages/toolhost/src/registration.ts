import { ToolDefinitionError } from "./errors.ts";
import { type PreparedInput, prepareInput } from "./input-schema.ts";
import { isRecord, jsonCopy } from "./json.ts";
import type { JsonSchema } from "./json-schema-check.ts";
import type { ToolDefinition, ToolHandler } from "./tool.ts";

/** A tool as a server keeps it. */
export interface RegisteredTool {
  readonly handler: ToolHandler<unknown>;
  readonly input: PreparedInput;
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
 * Checks the tools of a server and makes them ready. What is refused here would not fail in the CLI: it drops such a tool, or all tools of
 * the server, without a word (verified against 2.1.328).
 *
 * @param alwaysLoad What holds for tools that do not say.
 * @throws {@link ToolDefinitionError}
 */
export function registerTools(
  server: string,
  tools: readonly ToolDefinition[],
  alwaysLoad: boolean | undefined,
): Map<string, RegisteredTool> {
  const registered = new Map<string, RegisteredTool>();
  const namesSeen = new Map<string, string>();
  for (const tool of tools) {
    const { name } = tool;
    if (typeof name !== "string" || name === "") throw new ToolDefinitionError(server, "has a tool without a name.");
    const modelName = `mcp__${mangle(server)}__${mangle(name)}`;
    const other = namesSeen.get(modelName);
    if (other !== undefined) {
      const both =
        other === name ? "is there twice" : `has the same name as ${JSON.stringify(other)} in the CLI, ${modelName}`;
      throw new ToolDefinitionError(name, `${both}. The second would vanish, so rename one.`);
    }
    if (modelName.length > 128)
      throw new ToolDefinitionError(name, `becomes ${modelName}, and the model API takes 128 characters at most.`);
    namesSeen.set(modelName, name);
    registered.set(name, register(tool, alwaysLoad));
  }
  return registered;
}

/** @throws {@link ToolDefinitionError} for a value that has another type; `undefined` passes. */
export function requireType(definition: string, what: string, value: unknown, type: "string" | "boolean"): void {
  if (value !== undefined && typeof value !== type)
    throw new ToolDefinitionError(definition, `has a value for ${what} that is no ${type}.`);
}

function register(tool: ToolDefinition, alwaysLoad: boolean | undefined): RegisteredTool {
  const { name, description, handler } = tool;
  if (typeof description !== "string")
    throw new ToolDefinitionError(name, "has no description. Give a string; an empty one will do.");
  if (typeof handler !== "function") throw new ToolDefinitionError(name, "has no handler. Give a function.");
  const input = prepareInput(name, tool.inputSchema);
  return {
    // The input was validated with the schema that gave the handler its type.
    handler: handler as ToolHandler<unknown>,
    input,
    listing: { name, description, inputSchema: input.jsonSchema, ...annotationsOf(tool), ...metaOf(tool, alwaysLoad) },
  };
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

/** How the CLI writes names for the model (verified against 2.1.328). */
function mangle(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_");
}

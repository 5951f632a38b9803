import type { ToolContext } from "./call-context.ts";
import type { ArgumentsOf, InputSchema } from "./input-schema.ts";
import type { JsonSchema } from "./json-schema-check.ts";
import type { CallToolResult } from "./tool-result.ts";

/**
 * What a handler may return: a text, a result (an object with `content` or `structuredContent`, such as {@link toolResult} makes), or any
 * other value that JSON can carry, which the model gets as JSON. Nothing and `null` are errors.
 */
// A promise is an object too, and one of nothing must not pass for a value.
export type ToolReturn = string | number | boolean | CallToolResult | (object & { readonly then?: never });

/** Does what the tool is for. What it throws becomes an error result for the model: the turn goes on. */
export type ToolHandler<Arguments> = (input: Arguments, context: ToolContext) => Promise<ToolReturn> | ToolReturn;

/** Hints for the client. */
export interface ToolAnnotations {
  /** Name for people. */
  readonly title?: string;
  /** The tool changes nothing: calls of one message may run in parallel. */
  readonly readOnlyHint?: boolean;
  /** The tool may destroy something. */
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What can be said about a tool beside the necessary. */
export interface ToolExtras {
  readonly annotations?: ToolAnnotations;
  /** Keeps the tool in every request, where the CLI would otherwise hide it behind its tool search. Default: the server's. */
  readonly alwaysLoad?: boolean;
  /** More words by which the tool search finds the tool. */
  readonly searchHint?: string;
  /**
   * Characters from which on the CLI moves a result to a file and tells the model where, at most 500,000. Default 50,000, or 25,000
   * tokens (`MAX_MCP_OUTPUT_TOKENS` in the CLI's environment).
   */
  readonly maxResultSizeChars?: number;
  /** The JSON Schema that the client is told, for an `inputSchema` that cannot tell its own. Arguments are still checked by `inputSchema`. */
  readonly jsonSchema?: JsonSchema;
  /** Milliseconds after which a call is answered with an error and its signal aborts, `Infinity` for never. Default: the server's. */
  readonly timeoutMs?: number;
  /**
   * `"always_ask"` has the CLI ask for each call, even where a rule allows the tool. `"always_deny"` takes the tool from the model. The CLI
   * hears of it with the server, so it cannot be given to a tool later, while sessions are open. Default: the session's permission rules.
   */
  readonly permissionPolicy?: "always_ask" | "always_deny";
}

/** A tool in one object: what {@link tool} takes in place of a list of parameters. */
export interface ToolOptions<Schema extends InputSchema | undefined> extends ToolExtras {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: Schema;
  readonly handler: ToolHandler<ArgumentsOf<Schema>>;
}

/** A tool, as {@link tool} makes it. */
export interface ToolDefinition extends ToolExtras {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: InputSchema | undefined;
  // The schema's type is known to `tool` only; a list of tools has to hold all of them.
  readonly handler: ToolHandler<never>;
}

/**
 * Defines a tool. It is checked when a server takes it.
 *
 * @param name What the model calls; the CLI makes `mcp__SERVER__NAME` of it, with `_` for everything but letters, digits, `_` and `-`.
 * @param description What the model reads to decide. The CLI cuts it at 4,096 characters.
 * @param inputSchema What the tool takes, see {@link InputSchema}; `undefined` means no arguments. Arguments that do not fit never reach the handler; the model is told.
 * @example
 * const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => String(a + b));
 */
export function tool<const Schema extends InputSchema | undefined>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: ToolHandler<ArgumentsOf<Schema>>,
  extras?: ToolExtras,
): ToolDefinition;
/**
 * Defines a tool from one object.
 *
 * @example
 * const now = tool({ name: "now", description: "Says the time.", handler: () => new Date().toISOString() });
 */
export function tool<const Schema extends InputSchema | undefined = undefined>(
  options: ToolOptions<Schema>,
): ToolDefinition;
export function tool(
  nameOrOptions: string | ToolOptions<InputSchema | undefined>,
  description?: string,
  inputSchema?: InputSchema,
  handler?: ToolHandler<never>,
  extras?: ToolExtras,
): ToolDefinition {
  if (typeof nameOrOptions === "object") return { inputSchema: undefined, ...nameOrOptions };
  // The first overload has them; without types they are missed when a server takes the tool.
  return { ...extras, name: nameOrOptions, description, inputSchema, handler } as ToolDefinition;
}

import type { ArgumentsOf, InputSchema } from "./input-schema.ts";
import type { JsonRpcId } from "./json-rpc.ts";
import type { CallToolResult } from "./tool-result.ts";

/** What a handler is told beside its arguments. */
export interface ToolContext {
  /** Aborted when the call is cancelled (the turn was interrupted, the call took too long), and when the session ends or begins anew. */
  readonly signal: AbortSignal;
  /** Id of the tool use in the conversation, which hooks and permission questions name too; `undefined` for clients that send none. */
  readonly toolUseId: string | undefined;
  /** Id of the JSON-RPC request; unique only among the calls of one session that run at the same time. */
  readonly requestId: JsonRpcId;
  /** What a `notifications/progress` has to carry for the client to know the call by; `undefined` for clients that want none. */
  readonly progressToken: JsonRpcId | undefined;
  /** Name of the server. */
  readonly server: string;
  /** What the client sent along with the call. */
  readonly meta: Readonly<Record<string, unknown>>;
  /**
   * Sends a JSON-RPC notification to the client, such as `notifications/progress`. Does nothing once the call was answered or given up.
   * The CLI takes progress and log notifications and shows them to nobody (verified against 2.1.328).
   */
  readonly notify: (method: string, params?: Readonly<Record<string, unknown>>) => void;
}

/**
 * What a handler may return: a text, a whole result (an object with `content`, `structuredContent` or `isError`), or any other value that
 * JSON can carry, which the model gets as JSON. Nothing and `null` are errors.
 */
// A promise is an object too, and one of nothing must not pass for a value.
export type ToolReturn = string | number | boolean | CallToolResult | (object & { readonly then?: never });

/** Does what the tool is for. What it throws becomes an error result for the model: the turn goes on. */
export type ToolHandler<Arguments> = (input: Arguments, context: ToolContext) => Promise<ToolReturn> | ToolReturn;

/** Hints for the CLI. */
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
  /** Characters from which on the CLI moves a result to a file and shows its beginning. Default 50,000, at most 500,000. */
  readonly maxResultSizeChars?: number;
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
 * Defines a tool.
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
  extras: ToolExtras = {},
): ToolDefinition {
  return { ...extras, name, description, inputSchema, handler };
}

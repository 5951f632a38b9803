import { ToolDefinitionError } from "./errors.ts";
import type { JsonRpcMessage } from "./json-rpc.ts";
import { registerTools, requireType } from "./registration.ts";
import type { ToolDefinition } from "./tool.ts";
import { connectTools, type ServedTools, type ToolConnection } from "./tool-connection.ts";

/** What a server is made of. */
export interface ToolServerOptions {
  /** Names the server; the model's names for its tools begin with `mcp__NAME__`. */
  readonly name: string;
  /** Default `"1.0.0"`. */
  readonly version?: string;
  /** What the model should know of the server as a whole. */
  readonly instructions?: string;
  readonly tools?: readonly ToolDefinition[];
  /** Keeps all tools of the server in every request. A tool's own `alwaysLoad` counts more. Default false. */
  readonly alwaysLoad?: boolean;
  /** Milliseconds after which a call is answered with an error and its signal aborts. Default: none, as the CLI has none. */
  readonly timeoutMs?: number;
}

/** A server for tools of this process, see {@link createToolServer}. */
export interface ToolServer {
  /** What the CLI calls servers of this kind. */
  readonly type: "sdk";
  /** The name that the server was created with. */
  readonly name: string;
  /**
   * Begins a session with a client.
   *
   * @param send Takes what the server tells the client unasked: notifications of running calls. Default: they are dropped, as befits a
   * channel that carries only requests and responses.
   */
  connect(send?: (message: JsonRpcMessage) => void): ToolConnection;
}

/**
 * Creates a server for tools of this process. It has no state of any session: use one object in as many sessions as you like, at once too.
 * `createSdkMcpServer`, its name in the official Agent SDK, is the same function.
 *
 * @throws {@link ToolDefinitionError} for names that are empty, doubled, or become equal in the CLI's eyes, and for definitions for which the
 * CLI would drop all tools of the server without a word.
 * @example
 * const calc = createToolServer({ name: "calc", tools: [add] });
 * query({ prompt, options: { mcpServers: { calc }, allowedTools: ["mcp__calc__add"] } });
 */
export function createToolServer(options: ToolServerOptions): ToolServer {
  const { name, version = "1.0.0", instructions, tools = [], alwaysLoad, timeoutMs } = options;
  if (typeof name !== "string" || name === "") throw new ToolDefinitionError(String(name), "is no name for a server.");
  if (name === "ide")
    throw new ToolDefinitionError(name, "is a name whose tools the CLI hides from the model. Take another.");
  requireType(name, "version", version, "string");
  requireType(name, "instructions", instructions, "string");
  requireTimeout(name, timeoutMs);
  const served: ServedTools = { name, version, instructions, timeoutMs, tools: registerTools(name, tools, alwaysLoad) };
  return { type: "sdk", name, connect: (send = () => {}) => connectTools(served, send) };
}

function requireTimeout(server: string, timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return;
  // A timer of more milliseconds than 31 bits hold ends at once.
  const isTimeout = typeof timeoutMs === "number" && timeoutMs > 0 && timeoutMs < 2 ** 31;
  if (!isTimeout)
    throw new ToolDefinitionError(
      server,
      `has a timeoutMs that is no number of milliseconds from 1 to ${2 ** 31 - 1}.`,
    );
}

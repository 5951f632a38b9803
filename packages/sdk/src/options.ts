import type { CanUseTool, Diagnostic, Hooks, InProcessServer } from "@reins/control";
import { type LaunchOptions, type McpServerConfig, OptionError, type StartOptions } from "@reins/process";
import type { Transport } from "@reins/streamjson";

/** An MCP server in this process, as `createToolServer` makes it. */
export interface InProcessServerConfig extends InProcessServer {
  readonly type: "sdk";
  readonly name: string;
}

/** Options of a query, under the names of the official Agent SDK. All are optional. */
export interface Options
  extends Omit<LaunchOptions, "mcpServers">,
    Pick<StartOptions, "stderr" | "endGraceMs" | "killGraceMs" | "maxLineBytes" | "spawnClaudeCodeProcess"> {
  /** Ends the query when it aborts: the reader gets an AbortError, the CLI is stopped. Aborted before the start, nothing is started. */
  readonly abortController?: AbortController | undefined;
  /** Decides about tool calls that the CLI would ask a user about. Whatever is no clear permission denies. */
  readonly canUseTool?: CanUseTool | undefined;
  /** Callbacks at points of the CLI's run, by event. */
  readonly hooks?: Hooks | undefined;
  /** MCP servers by name: external ones, and those in this process. */
  readonly mcpServers?: Readonly<Record<string, McpServerConfig | InProcessServerConfig>> | undefined;
  /** Marks prompts as composed by a program: `@file` and the like in them are not expanded. Default false. */
  readonly verbatimPrompts?: boolean | undefined;
  /**
   * Speaks to a CLI that runs elsewhere, in place of a child process. The options that are arguments or environment of a process are
   * then the business of whoever starts it. The query closes the transport.
   */
  readonly transport?: Transport | undefined;
  /** Told of lines on the output that are no frames, of callbacks that failed, of late and lost answers. Default: nobody. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** How long the CLI may take to answer the initialize request, in milliseconds. Default 60,000. */
  readonly initializeTimeoutMs?: number | undefined;
}

/** What the process is told, and what stays here. */
export interface SplitOptions {
  readonly launch: LaunchOptions;
  readonly inProcess: Readonly<Record<string, InProcessServer>>;
}

/** @throws {@link OptionError} when options contradict one another. */
export function splitOptions(options: Options): SplitOptions {
  const { canUseTool, permissionPromptToolName, mcpServers = {} } = options;
  if (canUseTool && permissionPromptToolName) {
    throw new OptionError(
      "canUseTool",
      "callback cannot be used with permissionPromptToolName. Please use one or the other.",
    );
  }
  const external: [string, McpServerConfig][] = [];
  const inProcess: [string, InProcessServer][] = [];
  for (const [name, server] of Object.entries(mcpServers)) {
    if (typeof server !== "object" || server === null)
      throw new OptionError("mcpServers", `has no server under the name ${JSON.stringify(name)}. Leave the name out.`);
    if (isInProcess(server)) inProcess.push([name, server]);
    else external.push([name, server]);
  }
  const launch: LaunchOptions = {
    ...options,
    // Not by assignment, which would lose a server that is called __proto__.
    mcpServers: Object.fromEntries(external),
    permissionPromptToolName: canUseTool ? "stdio" : permissionPromptToolName,
  };
  return { launch, inProcess: Object.fromEntries(inProcess) };
}

function isInProcess(server: McpServerConfig | InProcessServerConfig): server is InProcessServerConfig {
  return "connect" in server && typeof server.connect === "function";
}

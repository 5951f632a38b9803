import type { ToolLog, ToolProgress } from "./call-context.ts";
import { ToolDefinitionError } from "./errors.ts";
import type { JsonRpcMessage } from "./json-rpc.ts";
import { type PromptDefinition, registerPrompts } from "./prompts.ts";
import { requireTimeout, requireType } from "./registration.ts";
import { type ResourceDefinition, registerResources } from "./resources.ts";
import { type Served, Session } from "./session.ts";
import type { ToolDefinition } from "./tool.ts";
import type { SessionInfo, ToolConnection } from "./tool-connection.ts";
import { ToolRegistry } from "./tool-registry.ts";

/** What a server is made of. */
export interface ToolServerOptions {
  /** Names the server; the model's names for its tools begin with `mcp__NAME__`. */
  readonly name: string;
  /** Default `"1.0.0"`. */
  readonly version?: string;
  /** What the model should know of the server as a whole. */
  readonly instructions?: string;
  readonly tools?: readonly ToolDefinition[];
  /** What clients can read. The CLI gives the model tools to list and read them. */
  readonly resources?: readonly ResourceDefinition[];
  /** Prompts for the users of other clients than the CLI. */
  readonly prompts?: readonly PromptDefinition[];
  /** Keeps all tools of the server in every request. A tool's own `alwaysLoad` counts more. Default false. */
  readonly alwaysLoad?: boolean;
  /**
   * Milliseconds after which a call is answered with an error and its signal aborts. A tool's own `timeoutMs` counts more. Default:
   * none, as the CLI has none.
   */
  readonly timeoutMs?: number;
  /** How many entries a page of a list has. Default: all in one, which saves the CLI round trips. */
  readonly pageSize?: number;
  /** Told of each `progress()` of a handler, in all sessions. */
  readonly onProgress?: (progress: ToolProgress) => void;
  /** Told of each `log()` of a handler, in all sessions and of all levels. */
  readonly onLog?: (log: ToolLog) => void;
}

/** A server for tools of this process, see {@link createToolServer}. */
export interface ToolServer {
  /** What the CLI calls servers of this kind. */
  readonly type: "sdk";
  /** The name that the server was created with. */
  readonly name: string;
  /** What the CLI is told of the server beside its name, see {@link ToolServerSettings}; as it is at the moment. */
  readonly settings: ToolServerSettings;
  /**
   * Adds tools, all or none. The clients of all sessions hear of it, once for all changes of a moment.
   *
   * @throws {@link ToolDefinitionError} as {@link createToolServer} does, and for a `permissionPolicy` while sessions are open.
   */
  readonly add: (...tools: readonly ToolDefinition[]) => void;
  /** Removes a tool; calls that run go on. Gives whether there was one of that name. */
  readonly remove: (name: string) => boolean;
  /**
   * Replaces the tool of the same name; calls that run go on with the old one.
   *
   * @throws {@link ToolDefinitionError} also when there is none, and for another `permissionPolicy` while sessions are open.
   */
  readonly replace: (tool: ToolDefinition) => void;
  /**
   * Begins a session with a client. Close it when the client is gone: until then it hears of changes.
   *
   * @param send Takes what the server tells the client unasked: changes of the list, progress, logs. Default: it is dropped, as befits a
   * channel that carries only requests and responses.
   * @param info What handlers are told of the session.
   */
  readonly connect: (send?: (message: JsonRpcMessage) => void, info?: SessionInfo) => ToolConnection;
}

/** Settings of a server under the names of the wire, as `sdkMcpServerConfigs` and `mcp_set_servers` take them. */
export interface ToolServerSettings {
  /**
   * Milliseconds. One second more than the longest `timeoutMs`, so that the server's own error comes first; absent without a `timeoutMs`
   * of the server. The CLI takes it once: a tool that is added later gets no more than that.
   */
  readonly timeout?: number;
  readonly tools?: readonly { readonly name: string; readonly permission_policy: "always_ask" | "always_deny" }[];
}

/**
 * Creates a server for tools of this process. Use one object in as many sessions as you like, at once too.
 *
 * @throws {@link ToolDefinitionError} for names that are empty, doubled, or become equal in the CLI's eyes, and for definitions for which the
 * CLI would drop all tools of the server without a word.
 * @example
 * const calc = createToolServer({ name: "calc", tools: [add] });
 * query({ prompt, options: { mcpServers: { calc }, allowedTools: ["mcp__calc__add"] } });
 */
export function createToolServer(options: ToolServerOptions): ToolServer {
  checkOptions(options);
  const { name, tools = [], alwaysLoad } = options;
  const registry = new ToolRegistry(name, alwaysLoad);
  registry.add(tools);
  const served = serve(options, registry);
  const sessions = new Set<Session>();
  let isAnnouncing = false;
  const announce = (): void => {
    if (isAnnouncing) return;
    isAnnouncing = true;
    queueMicrotask(() => {
      isAnnouncing = false;
      for (const session of sessions) session.announceTools();
    });
  };
  const refuseLatePolicy = (tool: ToolDefinition, before: ToolDefinition["permissionPolicy"]): void => {
    if (sessions.size === 0 || tool?.permissionPolicy === before) return;
    const problem =
      "changes its permissionPolicy, of which the CLIs of open sessions would not hear. Do it before they begin.";
    throw new ToolDefinitionError(tool.name, problem);
  };
  return {
    type: "sdk",
    name,
    get settings() {
      return settingsOf(served);
    },
    add: (...added) => {
      for (const tool of added) refuseLatePolicy(tool, undefined);
      registry.add(added);
      if (added.length > 0) announce();
    },
    remove: (toolName) => {
      const isRemoved = registry.remove(toolName);
      if (isRemoved) announce();
      return isRemoved;
    },
    replace: (replacement) => {
      refuseLatePolicy(replacement, registry.get(replacement?.name)?.permissionPolicy);
      registry.replace(replacement);
      announce();
    },
    connect: (send, info = {}) => {
      const session = new Session(served, send, info);
      sessions.add(session);
      return {
        handle: (message) => session.handle(message),
        close: () => {
          sessions.delete(session);
          session.close();
        },
      };
    },
  };
}

/** {@link createToolServer} under the names of the official Agent SDK: `timeout` is `timeoutMs`. */
export function createSdkMcpServer(
  options: Omit<ToolServerOptions, "timeoutMs"> & { readonly timeout?: number },
): ToolServer {
  const { timeout, ...others } = options;
  return createToolServer({ ...others, ...(timeout !== undefined && { timeoutMs: timeout }) });
}

function checkOptions(options: ToolServerOptions): void {
  const { name, pageSize = 1 } = options;
  if (typeof name !== "string" || name === "") throw new ToolDefinitionError(String(name), "is no name for a server.");
  if (name === "ide")
    throw new ToolDefinitionError(name, "is a name whose tools the CLI hides from the model. Take another.");
  requireType(name, "version", options.version, "string");
  requireType(name, "instructions", options.instructions, "string");
  requireType(name, "alwaysLoad", options.alwaysLoad, "boolean");
  requireType(name, "onProgress", options.onProgress, "function");
  requireType(name, "onLog", options.onLog, "function");
  requireTimeout(name, options.timeoutMs);
  if (!Number.isInteger(pageSize) || pageSize < 1)
    throw new ToolDefinitionError(name, "has a pageSize that is no count.");
}

function serve(options: ToolServerOptions, tools: ToolRegistry): Served {
  const { name, version = "1.0.0", instructions, resources = [], prompts = [], onProgress, onLog } = options;
  return {
    name,
    version,
    instructions,
    timeoutMs: options.timeoutMs ?? Number.POSITIVE_INFINITY,
    pageSize: options.pageSize ?? Number.POSITIVE_INFINITY,
    tools,
    resources: registerResources(name, resources),
    prompts: registerPrompts(name, prompts),
    onProgress,
    onLog,
  };
}

function settingsOf({ timeoutMs, tools }: Served): ToolServerSettings {
  const registered = tools.values();
  const timeout = Math.max(timeoutMs, ...registered.map((tool) => tool.timeoutMs ?? timeoutMs)) + 1000;
  const policies = registered.flatMap(({ listing: { name }, permissionPolicy }) =>
    permissionPolicy === undefined ? [] : [{ name, permission_policy: permissionPolicy }],
  );
  return {
    ...(timeout < Number.POSITIVE_INFINITY && { timeout: Math.ceil(timeout) }),
    ...(policies.length > 0 && { tools: policies }),
  };
}

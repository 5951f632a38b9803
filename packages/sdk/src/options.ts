import {
  type CanUseTool,
  type Diagnostic,
  type Hooks,
  type InProcessServer,
  type OnElicitation,
  type OnUserDialog,
  serverNamesProblem,
} from "@reins/control";
import type { McpSdkServerSettings, SandboxSettings } from "@reins/messages";
import {
  type AgentDefinition,
  type LaunchOptions,
  launchOptionNames,
  type McpServerConfig,
  OptionError,
  processOptions,
  type StartOptions,
  warn,
  warnOfUnknownOptions,
} from "@reins/process";
import type { SessionStore } from "@reins/sessions";
import type { Transport } from "@reins/streamjson";
import { fromMcpServer, type McpServerInstance, type ToolServer, type ToolServerSettings } from "@reins/toolhost";

/** An MCP server in this process, as `createToolServer` and `fromMcpServer` make it. */
export interface InProcessServerConfig extends InProcessServer {
  readonly type: "sdk";
  readonly name: string;
  /** What the CLI is told of the server beside its name. Read once, at the start. */
  readonly settings?: ToolServerSettings;
}

/** A server of the MCP SDK that runs in this process, in the shape that the official Agent SDK's `createSdkMcpServer` makes. */
export interface McpSdkServerConfig {
  readonly type: "sdk";
  /** Not used: the CLI knows the server by its key in `mcpServers`. */
  readonly name: string;
  /** An `McpServer` or `Server`, which serves one query at a time, a function that creates one for each query, or a tool server. */
  readonly instance: McpServerInstance | (() => McpServerInstance) | ToolServer;
  /** Milliseconds after which the CLI gives up a call. Default: what `MCP_TOOL_TIMEOUT` says, else no limit. */
  readonly timeout?: number | undefined;
  /** How calls of its tools are permitted. Default: the session's permission rules. */
  readonly tools?: McpSdkServerSettings["tools"] | undefined;
}

/** Options of a query, under the names of the official Agent SDK. All are optional. */
export interface Options
  extends Omit<LaunchOptions, "mcpServers" | "sandbox">,
    Pick<
      StartOptions,
      "stderr" | "onStderrLine" | "endGraceMs" | "killGraceMs" | "maxLineBytes" | "spawnClaudeCodeProcess"
    > {
  /** Ends the query when it aborts: the reader gets an AbortError, the CLI is stopped. Aborted before the start, nothing is started. */
  readonly abortController?: AbortController | undefined;
  /** Decides about tool calls that the CLI would ask a user about. Whatever is no clear permission denies. */
  readonly canUseTool?: CanUseTool | undefined;
  /**
   * Records each request of the CLI to the model API as one JSON file in this folder, credentials redacted: system prompt, tools and
   * messages as they are on the wire. For the session a proxy runs on loopback that passes on to the base URL which the environment has.
   * A CLI on another machine cannot reach it. Read it with `@reins/wiretap`, which says what else it cannot record. Default: nothing.
   */
  readonly captureDir?: string | undefined;
  /** Callbacks at points of the CLI's run, by event. */
  readonly hooks?: Hooks | undefined;
  /** Answers questions of MCP servers that the CLI dialled. Default: every one is declined. */
  readonly onElicitation?: OnElicitation | undefined;
  /** Shows dialogs of the kinds in `supportedDialogKinds`. */
  readonly onUserDialog?: OnUserDialog | undefined;
  /** MCP servers by name: external ones, and those in this process. */
  readonly mcpServers?:
    | Readonly<Record<string, McpServerConfig | InProcessServerConfig | McpSdkServerConfig>>
    | undefined;
  /**
   * The tools that the session must have, exactly, as its init message names them (`mcp__server__tool` for those of servers). Anything
   * else ends it with a {@link ToolSurfaceMismatchError} before the model's turn. Default: not looked at.
   */
  readonly expectedTools?: readonly string[] | undefined;
  /** Ends the session with an {@link ApiKeyAuthError} when the CLI says that it uses an API key. Default false. */
  readonly requireSubscription?: boolean | undefined;
  /**
   * Keeps the session's transcripts elsewhere, too: each line that the CLI writes is mirrored, and `resume` and `continue` go on with a
   * session of the store, whatever is on this machine. A store that fails or hangs loses no turn: it becomes a message
   * `system/mirror_error`. A result waits at most 1.5 s for a slow store, the end 10 s.
   */
  readonly sessionStore?: SessionStore | undefined;
  /** When mirrored lines go to the store: `"eager"` each frame at once, `"batched"` in groups and before each result. Default `"batched"`. */
  readonly sessionStoreFlush?: "batched" | "eager" | undefined;
  /** Milliseconds that one append may take; then its lines count as lost, as they may still arrive. Default 60,000. */
  readonly sessionStoreTimeoutMs?: number | undefined;
  /**
   * How long the session stays open after the last answer for work in the background (shells, agents), in milliseconds; 0 for not at
   * all. What that starts runs without callbacks once the input has ended. Default 600,000 with callbacks or in-process servers, else 0.
   */
  readonly backgroundCeilingMs?: number | undefined;
  /** Milliseconds that each call of the store may take when a session is resumed from it. Default 60,000. */
  readonly loadTimeoutMs?: number | undefined;
  /** Settings of the sandbox for commands. Merged into `settings`; `enabled: true` also sets `failIfUnavailable`. */
  readonly sandbox?: SandboxSettings | undefined;
  /** Marks prompts as composed by a program: `@file` and the like in them are not expanded. Default false. */
  readonly verbatimPrompts?: boolean | undefined;
  /**
   * Speaks to a CLI that runs elsewhere, in place of a child process. The options that are arguments or environment of a process are
   * then the business of whoever starts it. The query closes the transport.
   */
  readonly transport?: Transport | undefined;
  /** Told of each callback that threw or gave no valid answer. Must not throw. Default: nobody. */
  readonly onCallbackError?: ((error: unknown, context: { readonly subtype: string }) => void) | undefined;
  /** Told of lines on the output that are no frames, of callbacks that failed, of late and lost answers. Default: nobody. */
  readonly onDiagnostic?: ((diagnostic: Diagnostic) => void) | undefined;
  /** How long the CLI may take to answer the initialize request, in milliseconds. Default 60,000. */
  readonly initializeTimeoutMs?: number | undefined;
  /**
   * How long a turn may bring no frame at all, in milliseconds, before the session ends with a {@link StreamStalledError}. Time in which the
   * CLI waits for this program (a permission, a hook, a tool) or this program leaves messages unread does not count. A tool that
   * runs reports every 30 s, so give more than that. Default: no deadline.
   */
  readonly idleTimeoutMs?: number | undefined;
}

/** What the process is told, and what stays here. */
export interface SplitOptions {
  readonly launch: LaunchOptions;
  readonly inProcess: Readonly<Record<string, InProcessServer>>;
}

/** Options that stay in this process. A record, so that the compiler sees when one is missing. */
const hostOptions: Readonly<Record<Exclude<keyof Options, keyof LaunchOptions>, true>> = {
  abortController: true,
  backgroundCeilingMs: true,
  canUseTool: true,
  captureDir: true,
  endGraceMs: true,
  expectedTools: true,
  hooks: true,
  idleTimeoutMs: true,
  initializeTimeoutMs: true,
  loadTimeoutMs: true,
  killGraceMs: true,
  maxLineBytes: true,
  onCallbackError: true,
  onDiagnostic: true,
  onElicitation: true,
  onStderrLine: true,
  onUserDialog: true,
  requireSubscription: true,
  sessionStore: true,
  sessionStoreFlush: true,
  sessionStoreTimeoutMs: true,
  spawnClaudeCodeProcess: true,
  stderr: true,
  transport: true,
  verbatimPrompts: true,
};

/** @throws {@link OptionError} when options contradict one another. */
export function splitOptions(options: Options): SplitOptions {
  const { canUseTool, permissionPromptToolName, mcpServers = {} } = options;
  refuseContradictions(options);
  const { external, inProcess } = splitServers(mcpServers);
  const launch: LaunchOptions = {
    ...launchOptionsOf(options),
    mcpServers: external,
    ...(options.sessionStore && { sessionMirror: true }),
    permissionPromptToolName: canUseTool ? "stdio" : permissionPromptToolName,
  };
  return { launch, inProcess };
}

/** Tells the servers in this process from those that the CLI starts or dials. */
export function splitServers(servers: NonNullable<Options["mcpServers"]>): {
  readonly external: Readonly<Record<string, McpServerConfig>>;
  readonly inProcess: Readonly<Record<string, InProcessServerConfig>>;
} {
  const external: [string, McpServerConfig][] = [];
  const inProcess: [string, InProcessServerConfig][] = [];
  for (const [name, server] of Object.entries(servers)) {
    if (typeof server !== "object" || server === null)
      throw new OptionError("mcpServers", `has no server under the name ${JSON.stringify(name)}. Leave the name out.`);
    if (isInProcess(server)) inProcess.push([name, server]);
    else if (isMcpSdkServer(server)) inProcess.push([name, adapterOf(name, server)]);
    else external.push([name, server]);
  }
  const problem = serverNamesProblem(
    Object.keys(servers),
    inProcess.map(([name]) => name),
  );
  if (problem !== undefined) throw new OptionError("mcpServers", problem);
  // Not by assignment, which would lose a server that is called __proto__.
  return { external: Object.fromEntries(external), inProcess: Object.fromEntries(inProcess) };
}

/** Throws for options that cannot go together, and warns of those that do nothing. */
function refuseContradictions(options: Options): void {
  const { canUseTool, onUserDialog, permissionPromptToolName, supportedDialogKinds, transport, onWarning } = options;
  if (supportedDialogKinds && supportedDialogKinds.length > 0 && !onUserDialog)
    throw new OptionError("supportedDialogKinds", "requires an onUserDialog callback, which shows them.");
  if (options.idleTimeoutMs != null && !(typeof options.idleTimeoutMs === "number" && options.idleTimeoutMs > 0))
    throw new OptionError("idleTimeoutMs", `must be a number of milliseconds above 0, not ${options.idleTimeoutMs}.`);
  if (options.sessionStore && options.continue && !options.resume && !options.sessionStore.listSessions) {
    throw new OptionError(
      "continue",
      "with sessionStore requires store.listSessions to be implemented. Give resume with the id of the session.",
    );
  }
  if (canUseTool && permissionPromptToolName) {
    throw new OptionError(
      "canUseTool",
      "callback cannot be used with permissionPromptToolName. Please use one or the other.",
    );
  }
  warnOfUnknownOptions(options, [...launchOptionNames(), ...Object.keys(hostOptions)], onWarning);
  if (!transport) return;
  const unused = options.captureDir === undefined ? [] : ["captureDir"];
  for (const option of [...processOptions({ ...options, mcpServers: undefined }), ...unused]) {
    warn(onWarning, {
      code: "REINS_OPTION_WITHOUT_EFFECT",
      option,
      message: `The option ${option} is the business of whoever starts the CLI behind the transport.`,
    });
  }
}

/** The options of the start, without those that stay here and those that there are not. */
function launchOptionsOf(options: Options): Omit<LaunchOptions, "mcpServers"> {
  const { mcpServers = {}, agents, ...others } = options;
  const names: readonly string[] = launchOptionNames();
  const launch = Object.fromEntries(Object.entries(others).filter(([name]) => names.includes(name)));
  if (agents === undefined) return launch;
  const named = Object.entries(agents).map(([name, agent]) => [
    name,
    withServerNames(name, agent, mcpServers, options),
  ]);
  return { ...launch, agents: Object.fromEntries(named) };
}

/**
 * Puts the names of in-process servers in the place of the servers, as the official SDK does: the CLI takes those of an agent by the name
 * that they have in the session, and no others.
 */
function withServerNames(
  agentName: string,
  agent: AgentDefinition,
  mcpServers: NonNullable<Options["mcpServers"]>,
  { onWarning }: Options,
): AgentDefinition {
  const given: unknown = agent?.["mcpServers"];
  if (!Array.isArray(given)) return agent;
  const nameOf = ([name, server]: [string, unknown]): [string, unknown] => {
    if (typeof server !== "object" || server === null || !(isInProcess(server) || isMcpSdkServer(server)))
      return [name, server];
    if (!Object.hasOwn(mcpServers, name))
      throw new OptionError("agents", `has ${agentName} with the server ${name}, which is not among mcpServers.`);
    warn(onWarning, {
      code: "REINS_AGENT_SERVER_SHARED",
      option: "agents",
      message: `The server ${name} of the agent ${agentName} is one of the session's: all its agents have its tools.`,
    });
    return [name, { type: "sdk", name }];
  };
  const entries = given.map((entry: unknown) =>
    typeof entry === "object" && entry !== null ? Object.fromEntries(Object.entries(entry).map(nameOf)) : entry,
  );
  return { ...agent, mcpServers: entries };
}

function isInProcess(server: object): server is InProcessServerConfig {
  return "connect" in server && typeof server.connect === "function";
}

function isToolServer(instance: McpSdkServerConfig["instance"]): instance is ToolServer {
  // A server of the MCP SDK has a `connect` as well, which takes something else.
  return typeof instance === "object" && instance !== null && isInProcess(instance) && instance.type === "sdk";
}

function isMcpSdkServer(server: object): server is McpSdkServerConfig {
  return "type" in server && server.type === "sdk" && "instance" in server;
}

function adapterOf(name: string, config: McpSdkServerConfig): InProcessServerConfig {
  // What createSdkMcpServer made may have been copied by its official members.
  if (isToolServer(config.instance)) return config.instance;
  const known = adapters.get(config);
  if (known?.name === name) return known;
  const { instance, timeout, tools = [] } = config;
  // The CLI takes no other policy for a server of the host.
  const policies = tools.flatMap(({ name, permission_policy: policy }) =>
    policy === "always_ask" || policy === "always_deny" ? [{ name, permission_policy: policy }] : [],
  );
  const settings: ToolServerSettings = {
    ...(timeout !== undefined && { timeout }),
    ...(policies.length > 0 && { tools: policies }),
  };
  try {
    const adapter = fromMcpServer(name, instance, settings);
    adapters.set(config, adapter);
    return adapter;
  } catch (error) {
    const problem = `has a server ${JSON.stringify(name)} whose instance is no server of the MCP SDK.`;
    throw new OptionError("mcpServers", problem, error);
  }
}

/** What was made of a config: a server that stays when the set of servers changes has to be the same then, or its calls would end. */
const adapters = /* @__PURE__ */ new WeakMap<McpSdkServerConfig, InProcessServerConfig>();

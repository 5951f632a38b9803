import { type CallContext, type LogLevel, logLevels, type ToolLog, type ToolProgress } from "./call-context.ts";
import { type ContextSource, createCallContext, createToolContext, report } from "./create-context.ts";
import { textOfThrown } from "./handler-result.ts";
import { isRecord } from "./json.ts";
import {
  errorMessage,
  internalError,
  invalidParams,
  invalidRequest,
  isJsonRpcId,
  type JsonRpcId,
  type JsonRpcMessage,
  methodNotFound,
  notificationMessage,
  type Outcome,
  RequestError,
  resourceNotFound,
} from "./json-rpc.ts";
import { pageOf } from "./pages.ts";
import { checkPromptInput, listPrompt, type PromptDefinition, toPromptResult } from "./prompts.ts";
import { listResource, type ResourceDefinition, toReadResult } from "./resources.ts";
import { RunningRequests } from "./running-requests.ts";
import { runTool } from "./tool-call.ts";
import type { SessionInfo } from "./tool-connection.ts";
import type { ToolRegistry } from "./tool-registry.ts";
import { toolResult } from "./tool-result.ts";

/** What a server tells each of its sessions. */
export interface Served {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly timeoutMs: number;
  readonly pageSize: number;
  readonly tools: ToolRegistry;
  readonly resources: ReadonlyMap<string, ResourceDefinition>;
  readonly prompts: ReadonlyMap<string, PromptDefinition>;
  readonly onProgress: ((progress: ToolProgress) => void) | undefined;
  readonly onLog: ((log: ToolLog) => void) | undefined;
}

/** One session of a server. Its methods are those of a `ToolConnection`. */
export class Session {
  readonly #server: Served;
  readonly #send: ((message: JsonRpcMessage) => void) | undefined;
  readonly #running = new RunningRequests();
  readonly #contexts: ContextSource;
  #logLevel: LogLevel = "debug";
  #isInitialized = false;
  #isClosed = false;

  /** @param send Absent where the channel has no way back. */
  constructor(server: Served, send: ((message: JsonRpcMessage) => void) | undefined, info: SessionInfo) {
    this.#server = server;
    this.#send = send;
    this.#contexts = {
      server: server.name,
      info,
      onProgress: server.onProgress,
      onLog: server.onLog,
      notify: (method, params) => this.#notify(method, params),
      takesLevel: (level) => logLevels.indexOf(level) >= logLevels.indexOf(this.#logLevel),
    };
  }

  async handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    if (this.#isClosed) return undefined;
    // The message comes from outside and may be anything.
    if (!isRecord(message)) return errorMessage(null, invalidRequest, "Invalid request");
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
    if (method === undefined) return undefined;
    const fields = isRecord(params) ? params : {};
    if (id === undefined || id === null) {
      if (method === "notifications/cancelled") this.#running.cancel(fields["requestId"]);
      return undefined;
    }
    if (!isJsonRpcId(id)) return errorMessage(null, invalidRequest, "Invalid request");
    try {
      const outcome = await this.#outcome(id, method, fields);
      return outcome && { jsonrpc: "2.0", id, ...outcome };
    } catch (error) {
      const code = error instanceof RequestError ? error.code : internalError;
      return errorMessage(id, code, textOfThrown(error));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#running.drop("The session ended.");
  }

  /** Tells the client that the list of tools has changed. A client that was never told of it will ask for the list as it is. */
  announceTools(): void {
    if (this.#isInitialized) this.#notify("notifications/tools/list_changed");
  }

  #outcome(
    id: JsonRpcId,
    method: unknown,
    params: Readonly<Record<string, unknown>>,
  ): Outcome | Promise<Outcome | undefined> {
    const { tools, resources, prompts } = this.#server;
    switch (method) {
      case "initialize":
        return { result: this.#initialize(params["protocolVersion"]) };
      case "ping":
        return { result: {} };
      case "logging/setLevel":
        return { result: this.#setLogLevel(params["level"]) };
      case "tools/list":
        return { result: this.#page("tools", tools.values(), params, (tool) => tool.listing) };
      case "tools/call":
        return this.#call(id, params);
    }
    if (resources.size > 0) {
      switch (method) {
        case "resources/list":
          return { result: this.#page("resources", [...resources.values()], params, listResource) };
        case "resources/templates/list":
          return { result: { resourceTemplates: [] } };
        case "resources/read":
          return this.#read(id, params);
      }
    }
    if (prompts.size > 0) {
      switch (method) {
        case "prompts/list":
          return { result: this.#page("prompts", [...prompts.values()], params, listPrompt) };
        case "prompts/get":
          return this.#getPrompt(id, params);
      }
    }
    throw new RequestError(methodNotFound, "Method not found");
  }

  #initialize(asked: unknown): Readonly<Record<string, unknown>> {
    // The CLI connects anew after a timeout or a change of its servers, and its ids begin at 0 again: an answer to a call of the old
    // connection could pass for one to a call of the new.
    this.#running.drop("The client connected anew.");
    this.#isInitialized = true;
    this.#logLevel = "debug";
    const { name, version, instructions, resources, prompts } = this.#server;
    return {
      protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
      capabilities: {
        tools: this.#send === undefined ? {} : { listChanged: true },
        ...(this.#send !== undefined && { logging: {} }),
        ...(resources.size > 0 && { resources: {} }),
        ...(prompts.size > 0 && { prompts: {} }),
      },
      serverInfo: { name, version },
      ...(instructions !== undefined && { instructions }),
    };
  }

  #setLogLevel(asked: unknown): Readonly<Record<string, unknown>> {
    const level = logLevels.find((known) => known === asked);
    if (level === undefined) throw new RequestError(invalidParams, "Invalid log level");
    this.#logLevel = level;
    return {};
  }

  #page<Entry>(
    key: string,
    entries: readonly Entry[],
    params: Readonly<Record<string, unknown>>,
    list: (entry: Entry) => unknown,
  ): Readonly<Record<string, unknown>> {
    const page = pageOf(entries, params["cursor"], this.#server.pageSize);
    return { [key]: page.entries.map(list), ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }) };
  }

  #call(id: JsonRpcId, params: Readonly<Record<string, unknown>>): Promise<Outcome | undefined> {
    const { name } = params;
    const tool = typeof name === "string" ? this.#server.tools.get(name) : undefined;
    if (tool === undefined) {
      const text = typeof name === "string" ? `Tool ${name} not found` : "The call names no tool";
      throw new RequestError(invalidParams, text);
    }
    return this.#running.serve(
      id,
      tool.timeoutMs ?? this.#server.timeoutMs,
      async (request) => {
        const context = createToolContext(this.#contexts, request, params, tool.listing.name);
        return { result: await runTool(tool, params["arguments"], context, request) };
      },
      (reason) => ({ result: toolResult.error(textOfThrown(reason)) }),
    );
  }

  #read(id: JsonRpcId, params: Readonly<Record<string, unknown>>): Promise<Outcome | undefined> {
    const { uri } = params;
    const resource = typeof uri === "string" ? this.#server.resources.get(uri) : undefined;
    if (resource === undefined) throw new RequestError(resourceNotFound, `Resource ${String(uri)} not found`);
    return this.#serve(id, params, async (context) => toReadResult(resource, await resource.read(context)));
  }

  #getPrompt(id: JsonRpcId, params: Readonly<Record<string, unknown>>): Promise<Outcome | undefined> {
    const { name } = params;
    const prompt = typeof name === "string" ? this.#server.prompts.get(name) : undefined;
    if (prompt === undefined) throw new RequestError(invalidParams, `Prompt ${String(name)} not found`);
    const input = checkPromptInput(prompt, params["arguments"]);
    return this.#serve(id, params, async (context) => toPromptResult(prompt, await prompt.get(input, context)));
  }

  /** Serves a request whose failures are errors of JSON-RPC. */
  #serve(
    id: JsonRpcId,
    params: Readonly<Record<string, unknown>>,
    run: (context: CallContext) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<Outcome | undefined> {
    const fail = (error: unknown): Outcome => ({ error: { code: internalError, message: textOfThrown(error) } });
    return this.#running.serve(
      id,
      this.#server.timeoutMs,
      async (request) => {
        try {
          return { result: await run(createCallContext(this.#contexts, request, params)) };
        } catch (error) {
          return fail(error);
        }
      },
      fail,
    );
  }

  #notify(method: string, params?: Readonly<Record<string, unknown>>): void {
    if (!this.#isClosed) report(this.#send, notificationMessage(method, params));
  }
}

/** The versions of the protocol that can be spoken, the newest first. */
const protocolVersions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

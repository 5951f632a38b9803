import { isRecord } from "./json.ts";
import {
  errorMessage,
  invalidParams,
  invalidRequest,
  isJsonRpcId,
  type JsonRpcId,
  type JsonRpcMessage,
  methodNotFound,
  notificationMessage,
  resultMessage,
} from "./json-rpc.ts";
import type { RegisteredTool } from "./registration.ts";
import type { StandardIssue } from "./standard-schema.ts";
import type { ToolContext } from "./tool.ts";
import { type CallToolResult, errorResult, textOfThrown, toCallToolResult } from "./tool-result.ts";

/** What a server tells each of its sessions. */
export interface ServedTools {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly tools: ReadonlyMap<string, RegisteredTool>;
}

/**
 * One session of a client with a {@link ToolServer}. Answers every request exactly once and with its own id, whatever the tools do: the
 * CLI waits without limit for an answer that does not come, or comes under another id.
 */
export interface ToolConnection {
  /**
   * Takes a message of the client and gives the response to a request, `undefined` for notifications and responses. Never rejects.
   * Messages may come while others are being answered, and calls are answered in the order in which they end.
   *
   * `initialize` may come at any time and begins anew: what ran before is aborted and not answered any more, its promise gives
   * `undefined`.
   */
  handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined>;
  /** Ends the session: the signals of all running calls abort, and nothing is answered any more, neither they nor what still comes. */
  close(): void;
}

/** Begins a session. */
export function connectTools(server: ServedTools, send: (message: JsonRpcMessage) => void): ToolConnection {
  return new Session(server, send);
}

/** A call that was not answered yet. */
interface RunningCall {
  readonly id: JsonRpcId;
  readonly controller: AbortController;
}

class Session implements ToolConnection {
  readonly #server: ServedTools;
  readonly #send: (message: JsonRpcMessage) => void;
  /** A set and no map: a client may give an id to two calls at once, and both have to end. */
  readonly #running = new Set<RunningCall>();
  #isClosed = false;

  constructor(server: ServedTools, send: (message: JsonRpcMessage) => void) {
    this.#server = server;
    this.#send = send;
  }

  async handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    if (this.#isClosed) return undefined;
    // The message comes from outside and may be anything.
    if (!isRecord(message)) return errorMessage(null, invalidRequest, "Invalid request");
    const { id, method, params } = message as { id?: unknown; method?: unknown; params?: unknown };
    if (method === undefined) return undefined;
    if (id === undefined || id === null) {
      if (method === "notifications/cancelled" && isRecord(params)) this.#cancel(params["requestId"]);
      return undefined;
    }
    if (!isJsonRpcId(id)) return errorMessage(null, invalidRequest, "Invalid request");
    switch (method) {
      case "initialize":
        return resultMessage(id, this.#initialize(params));
      case "ping":
        return resultMessage(id, {});
      case "tools/list":
        return resultMessage(id, { tools: [...this.#server.tools.values()].map((tool) => tool.listing) });
      case "tools/call":
        return this.#call(id, params);
      default:
        return errorMessage(id, methodNotFound, "Method not found");
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#drop("The session ended.");
  }

  #initialize(params: unknown): Readonly<Record<string, unknown>> {
    // The CLI connects anew after a timeout or a change of its servers, and its ids begin at 0 again: an answer to a call of the old
    // connection could pass for one to a call of the new.
    this.#drop("The client connected anew.");
    const { name, version, instructions } = this.#server;
    const asked = isRecord(params) ? params["protocolVersion"] : undefined;
    return {
      protocolVersion: protocolVersions.find((known) => known === asked) ?? protocolVersions[0],
      capabilities: { tools: {} },
      serverInfo: { name, version },
      ...(instructions !== undefined && { instructions }),
    };
  }

  async #call(id: JsonRpcId, params: unknown): Promise<JsonRpcMessage | undefined> {
    const name = isRecord(params) ? params["name"] : undefined;
    const tool = typeof name === "string" ? this.#server.tools.get(name) : undefined;
    if (!isRecord(params) || tool === undefined) {
      const text = typeof name === "string" ? `Tool ${name} not found` : "The call names no tool";
      return errorMessage(id, invalidParams, text);
    }
    const controller = new AbortController();
    const call: RunningCall = { id, controller };
    const { timeoutMs } = this.#server;
    const timeOut = (): void => giveUp(call, `The call took longer than ${timeoutMs} ms.`, "TimeoutError");
    const timer = timeoutMs === undefined ? undefined : setTimeout(timeOut, timeoutMs);
    this.#running.add(call);
    // Given up, a call is answered although its handler may never return.
    const givenUp = whenAborted(controller.signal);
    const result = await Promise.race([givenUp, this.#run(tool, call, params)]);
    clearTimeout(timer);
    return this.#running.delete(call) ? resultMessage(id, { ...result }) : undefined;
  }

  /** Never rejects. */
  async #run(
    tool: RegisteredTool,
    call: RunningCall,
    params: Readonly<Record<string, unknown>>,
  ): Promise<CallToolResult> {
    const given = params["arguments"] ?? {};
    try {
      if (!isRecord(given)) return argumentsError(tool, [{ message: "expected an object" }]);
      // The CLI does not check arguments (verified against 2.1.328).
      const checked = await tool.input.validate(given);
      if (checked.issues !== undefined) return argumentsError(tool, checked.issues);
      // What is given up while its arguments are looked at does not begin.
      if (call.controller.signal.aborted) return errorResult("The call was cancelled.");
      const { handler } = tool;
      return toCallToolResult(await handler(checked.value, this.#contextOf(call, params["_meta"])));
    } catch (error) {
      return errorResult(textOfThrown(error));
    }
  }

  #contextOf(call: RunningCall, sent: unknown): ToolContext {
    const { signal } = call.controller;
    const meta = isRecord(sent) ? sent : {};
    const { "claudecode/toolUseId": toolUseId, progressToken } = meta as Record<string, unknown>;
    return {
      signal,
      toolUseId: typeof toolUseId === "string" ? toolUseId : undefined,
      requestId: call.id,
      progressToken: isJsonRpcId(progressToken) ? progressToken : undefined,
      server: this.#server.name,
      meta,
      notify: (method, params) => {
        if (this.#running.has(call) && !signal.aborted) this.#send(notificationMessage(method, params));
      },
    };
  }

  #cancel(requestId: unknown): void {
    for (const call of this.#running) {
      if (call.id === requestId) giveUp(call, "The call was cancelled.", "AbortError");
    }
  }

  #drop(reason: string): void {
    const calls = [...this.#running];
    this.#running.clear();
    for (const call of calls) giveUp(call, reason, "AbortError");
  }
}

function giveUp(call: RunningCall, reason: string, name: "AbortError" | "TimeoutError"): void {
  call.controller.abort(new DOMException(reason, name));
}

/** Gives the result of a call that was given up. */
function whenAborted(signal: AbortSignal): Promise<CallToolResult> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(errorResult(textOfThrown(signal.reason))), { once: true });
  });
}

function argumentsError(tool: RegisteredTool, issues: readonly StandardIssue[]): CallToolResult {
  return errorResult(`Invalid arguments for tool ${tool.listing.name}: ${issues.map(describeIssue).join("; ")}`);
}

function describeIssue({ path = [], message }: StandardIssue): string {
  const keys = path.map((segment) => String(typeof segment === "object" ? segment.key : segment));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}

/** The versions of the protocol that can be spoken, the newest first. */
const protocolVersions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

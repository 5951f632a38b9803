import { isRecord } from "../json.ts";
import { errorMessage, invalidRequest, isJsonRpcId, type JsonRpcMessage } from "../json-rpc.ts";
import { McpServerInUseError } from "./errors.ts";
import { McpLink } from "./mcp-link.ts";
import type { McpServerInstance } from "./mcp-server-instance.ts";

/** Of each instance whether a session has it, and behind a session when it is free again. Other adapters may hold the same instance. */
const sessions = /* @__PURE__ */ new WeakMap<McpServerInstance, "open" | Promise<void>>();

/** A session with a server of the MCP SDK. Connects it, and anew when the client begins anew. */
export class McpConnection {
  readonly #instance: McpServerInstance;
  readonly #send: (message: JsonRpcMessage) => void;
  #link: McpLink;
  #hasBegun = false;
  #isClosed = false;

  /** @throws {@link McpServerInUseError} when another session has the instance. */
  constructor(name: string, instance: McpServerInstance, send: (message: JsonRpcMessage) => void) {
    const session = sessions.get(instance);
    if (session === "open") throw new McpServerInUseError(name);
    sessions.set(instance, "open");
    this.#instance = instance;
    this.#send = send;
    this.#link = new McpLink(instance, session ?? Promise.resolve(), send);
  }

  async handle(message: JsonRpcMessage): Promise<JsonRpcMessage | undefined> {
    if (this.#isClosed) return undefined;
    // The message comes from outside and may be anything.
    if (!isRecord(message)) return errorMessage(null, invalidRequest, "Invalid request");
    const { id, method } = message as JsonRpcMessage;
    if (method === undefined || id === undefined || id === null) {
      await this.#link.inform(message);
      return undefined;
    }
    if (!isJsonRpcId(id)) return errorMessage(null, invalidRequest, "Invalid request");
    if (method === "initialize") this.#begin();
    return this.#link.ask(id, message);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    sessions.set(this.#instance, this.#link.finish());
  }

  /** The CLI's ids begin at 0 again with each `initialize`, so nothing of the old connection may be left. */
  #begin(): void {
    if (this.#hasBegun) this.#link = new McpLink(this.#instance, this.#link.finish(), this.#send);
    this.#hasBegun = true;
  }
}

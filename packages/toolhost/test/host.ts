import { spawn } from "node:child_process";
import { once } from "node:events";
import { decodeFrames, type FrameValue, FrameWriter } from "@reins/streamjson";
import { findTestBinary, type Sandbox } from "@reins/testkit";
import type { JsonRpcMessage, ToolConnection, ToolServer } from "../src/index.ts";

/** The real CLI, with a host that does nothing but carry MCP messages to servers and let all tools run. */
export interface Host extends AsyncDisposable {
  /** Everything that the CLI wrote, in order. */
  readonly frames: readonly FrameValue[];
  /** Methods that the CLI sent to the servers, as `SERVER METHOD`. */
  readonly methods: readonly string[];
  /** Tools that the CLI asked a permission for. */
  readonly asked: readonly string[];
  /** The connections, by the name of the server. */
  readonly connections: ReadonlyMap<string, ToolConnection>;
  /** Sends a control request and gives the CLI's answer to it. */
  request(subtype: string, fields?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Serves another server; the CLI learns of it by a request. */
  serve(name: string, server: Pick<ToolServer, "connect">): void;
  /** Sends a prompt, and gives the result of the turn. */
  turn(prompt: string): Promise<FrameValue>;
  /** What became of a tool use, as the model is told. */
  toolResult(toolUseId: string): ToolResultBlock | undefined;
}

/** A block of a user message. */
interface ToolResultBlock {
  readonly content: unknown;
  readonly is_error?: boolean;
}

/** How the CLI is started. */
export interface HostOptions {
  /** More arguments. */
  readonly argv?: readonly string[];
  /** More fields of the initialize request. */
  readonly initialize?: Readonly<Record<string, unknown>>;
}

export async function startHost(
  servers: Readonly<Record<string, Pick<ToolServer, "connect">>>,
  sandbox: Sandbox,
  { argv = ["--tools="], initialize = {} }: HostOptions = {},
): Promise<Host> {
  const host = new RunningHost(sandbox, argv);
  for (const [name, server] of Object.entries(servers)) host.serve(name, server);
  await host.request("initialize", { sdkMcpServers: Object.keys(servers), ...initialize });
  return host;
}

class RunningHost implements Host {
  readonly frames: FrameValue[] = [];
  readonly methods: string[] = [];
  readonly asked: string[] = [];
  readonly connections = new Map<string, ToolConnection>();
  readonly #child;
  readonly #writer: FrameWriter;
  readonly #exited: Promise<unknown>;
  readonly #reading: Promise<void>;
  /** What waits for a frame. */
  readonly #waiting = new Set<(frame: FrameValue | undefined) => void>();
  #requests = 0;

  constructor(sandbox: Sandbox, argv: readonly string[]) {
    const all = [
      "--output-format=stream-json",
      "--verbose",
      "--input-format=stream-json",
      "--setting-sources=",
      "--permission-prompt-tool=stdio",
      ...argv,
    ];
    // Without an end, the conversation would keep the child beyond the test's own timeout.
    const end = { timeout: 45_000, killSignal: "SIGKILL" } as const;
    this.#child = spawn(findTestBinary(), all, { ...sandbox.spawnOptions(), ...end });
    this.#exited = once(this.#child, "exit");
    this.#writer = new FrameWriter(this.#child.stdin);
    this.#reading = this.#read();
  }

  serve(name: string, server: Pick<ToolServer, "connect">): void {
    const connection = server.connect((message) => {
      void this.#write("control_request", {
        request_id: crypto.randomUUID(),
        request: { subtype: "mcp_message", server_name: name, message },
      });
    });
    this.connections.set(name, connection);
  }

  async request(subtype: string, fields = {}): Promise<Readonly<Record<string, unknown>>> {
    const request_id = `host-${++this.#requests}`;
    const answered = this.#frame((frame) => {
      const { request_id: id } = (frame["response"] ?? {}) as { request_id?: unknown };
      return frame.type === "control_response" && id === request_id;
    });
    await this.#write("control_request", { request_id, request: { subtype, ...fields } });
    const { response } = (await answered)["response"] as { response?: Record<string, unknown> };
    return response ?? {};
  }

  async turn(prompt: string): Promise<FrameValue> {
    const ended = this.#frame((frame) => frame.type === "result");
    await this.#write("user", { message: { role: "user", content: prompt } });
    return ended;
  }

  toolResult(toolUseId: string): ToolResultBlock | undefined {
    const blocks = this.frames.flatMap((frame) => {
      const { content } = (frame["message"] ?? {}) as { content?: unknown };
      return frame.type === "user" && Array.isArray(content) ? content : [];
    });
    return blocks.find(({ tool_use_id }) => tool_use_id === toolUseId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.connections.values()) connection.close();
    // What a conversation was about is over when its test is.
    this.#child.kill("SIGKILL");
    await this.#exited;
    await this.#reading;
  }

  async #read(): Promise<void> {
    for await (const { value } of decodeFrames(this.#child.stdout)) {
      this.frames.push(value);
      if (value.type === "control_request") void this.#answer(value);
      for (const notify of [...this.#waiting]) notify(value);
    }
    for (const notify of [...this.#waiting]) notify(undefined);
  }

  /** The first frame from now on that passes the test. */
  #frame(isIt: (frame: FrameValue) => boolean): Promise<FrameValue> {
    return new Promise((resolve, reject) => {
      const notify = (frame: FrameValue | undefined): void => {
        if (frame !== undefined && !isIt(frame)) return;
        this.#waiting.delete(notify);
        if (frame === undefined) reject(new Error("The CLI ended."));
        else resolve(frame);
      };
      this.#waiting.add(notify);
    });
  }

  async #answer({ request_id, request }: FrameValue): Promise<void> {
    const response = await this.#answerTo(request as Record<string, unknown>);
    await this.#write("control_response", { response: { subtype: "success", request_id, response } });
  }

  async #answerTo(request: Record<string, unknown>): Promise<unknown> {
    if (request["subtype"] === "can_use_tool") {
      this.asked.push(String(request["tool_name"]));
      return { behavior: "allow", updatedInput: request["input"] };
    }
    const name = String(request["server_name"]);
    const message = request["message"] as JsonRpcMessage;
    this.methods.push(`${name} ${message.method}`);
    const mcp_response = await this.connections.get(name)?.handle(message);
    return { mcp_response: mcp_response ?? { jsonrpc: "2.0", result: {}, id: 0 } };
  }

  /** What is written after the end goes nowhere: the turn that it belonged to is over. */
  async #write(type: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#writer.write({ type, ...fields }).catch(() => {});
  }
}

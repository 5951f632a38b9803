// A model provider as agents have them: called with the whole conversation each time, it gives the next message of the model. The agent runs
// the tools itself and calls again, with the results at the end. A stand-in for the extension of such an agent.
import type { ChildProcess } from "node:child_process";
import type { BridgeMessage, HostMessage, HostTool, TranscriptEntry } from "@reins/bridge";
import { decodeFrames, encodeFrame, type Frame } from "@reins/streamjson";

/** A message of the model: its answer, or tools that the agent shall run. */
export interface ModelMessage {
  readonly text: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly input: object }[];
}

/** What the agent got out of a tool that it ran. */
export interface ToolOutcome {
  readonly id: string;
  readonly text: string;
}

export class BridgeProvider {
  readonly #bridge: ChildProcess;
  readonly #frames: AsyncIterator<Frame>;
  readonly #tools: readonly HostTool[];
  #prompts = 0;

  /** @param bridge A bridge that was started with pipes. It ends with the provider. */
  constructor(bridge: ChildProcess, tools: readonly HostTool[]) {
    if (bridge.stdout === null || bridge.stdin === null) throw new TypeError("The bridge needs pipes.");
    this.#bridge = bridge;
    this.#frames = decodeFrames(bridge.stdout)[Symbol.asyncIterator]();
    this.#tools = tools;
  }

  /** The next message of the model. With outcomes the turn goes on that asked for them; else the last entry is a new prompt. */
  async next(transcript: readonly TranscriptEntry[], outcomes: readonly ToolOutcome[] = []): Promise<ModelMessage> {
    if (this.#prompts === 0) await this.#open();
    if (outcomes.length > 0) {
      for (const { id, text } of outcomes) this.#send({ type: "tool_result", id, content: text });
    } else this.#send({ type: "send", id: String(++this.#prompts), transcript });
    for (;;) {
      const message = await this.#read();
      // The call stays open in the bridge until the agent comes back.
      if (message.type === "tool_call") return { text: "", toolCalls: [message] };
      if (message.type === "turn_end") return { text: message.text, toolCalls: [] };
      if (message.type === "permission_question")
        this.#send({ type: "permission_answer", id: message.id, behavior: "deny", message: "There is nobody to ask." });
      if (message.type === "error") throw new Error(`${message.code}: ${message.message}`);
    }
  }

  close(): void {
    this.#bridge.stdin?.end();
  }

  async #open(): Promise<void> {
    this.#send({ type: "hello", protocols: [1], host: "provider" });
    this.#send({ type: "open", tools: this.#tools });
    for (let message = await this.#read(); message.type !== "opened"; message = await this.#read()) {
      if (message.type === "error") throw new Error(`${message.code}: ${message.message}`);
    }
  }

  async #read(): Promise<BridgeMessage> {
    const { done, value } = await this.#frames.next();
    if (done) throw new Error("The bridge ended.");
    // What a bridge writes; types that this program does not know match no case.
    return value.value as unknown as BridgeMessage;
  }

  #send(message: HostMessage): void {
    this.#bridge.stdin?.write(encodeFrame({ ...message }));
  }
}

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeFrames, encodeFrame, type FrameValue } from "@reins/streamjson";
import type { ScriptedModel } from "@reins/testkit";
import { asked, type FrameShape, hasShape, requestOf } from "./scenario.ts";

/** A line of a conversation as it went over the pipe, without its newline. */
export interface RecordedLine {
  readonly dir: "in" | "out";
  readonly text: string;
}

/** How a recorded CLI ended. */
export interface RecordedExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** How a CLI under recording is started. */
export interface RecordingStart {
  readonly binary: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Absent where the model is a real one. */
  readonly model?: ScriptedModel;
  readonly folders: Readonly<Record<"cwd" | "home" | "config" | "tmp", string>>;
}

/** Answers a control request of the CLI: the payload of a success, an error, or nothing at all. */
export type AutomaticAnswer = (
  request: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | Error | undefined;

/**
 * A host that plays a scenario and writes down both directions.
 *
 * What it sends is written down behind the frame that it waited for last, not behind whatever the CLI had written by then: so the
 * order in a capture says what caused what, and does not depend on how pipes were read.
 */
export class RecordingHost {
  /** The folders of the sandbox. */
  readonly folders: RecordingStart["folders"];
  readonly #model: ScriptedModel | undefined;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #received: { readonly text: string; readonly value: FrameValue | undefined }[] = [];
  /** What was sent, with the number of received lines before it. */
  readonly #sent: { readonly text: string; readonly after: number }[] = [];
  readonly #answers = new Map<string, AutomaticAnswer>();
  readonly #exited: Promise<RecordedExit>;
  readonly #reading: Promise<void>;
  /** How many received lines the scenario has gone past. */
  #cursor = 0;
  #requests = 0;
  #inputEnded = false;
  #exitsByItself = false;
  #isOver = false;
  #wake: (() => void) | undefined;
  #stderr = "";

  constructor(start: RecordingStart) {
    this.#model = start.model;
    this.folders = start.folders;
    // A group of its own, so that a run that went wrong leaves no grandchildren.
    this.#child = spawn(start.binary, start.argv, { cwd: start.cwd, env: start.env, detached: true });
    this.#exited = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => resolve({ code, signal }));
    });
    this.#exited.catch(() => {});
    // The CLI may be gone before the last line; that is what some scenarios are about.
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-4_096);
    });
    this.#reading = this.#read();
  }

  /** The scripted model that this CLI talks to. */
  get model(): ScriptedModel {
    if (this.#model === undefined) throw new Error("This CLI talks to a real model.");
    return this.#model;
  }

  /** Answers every request of a subtype as soon as it comes. */
  serve(subtype: string, answer: AutomaticAnswer): void {
    this.#answers.set(subtype, answer);
  }

  /** Sends a frame. */
  send(frame: FrameValue): void {
    this.sendLine(encodeFrame(frame).slice(0, -1));
  }

  /** Sends a line that need not be a frame. */
  sendLine(text: string, after: number = this.#cursor): void {
    this.#sent.push({ text, after });
    this.#child.stdin.write(`${text}\n`);
  }

  /** Sends a prompt. */
  prompt(content: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.send({
      type: "user",
      message: { role: "user", content },
      parent_tool_use_id: null,
      session_id: "",
      ...fields,
    });
  }

  /** Sends a prompt and waits for its result. */
  async turn(content: unknown, fields: Readonly<Record<string, unknown>> = {}): Promise<FrameValue> {
    this.prompt(content, fields);
    return this.result();
  }

  /** Sends a control request and returns its id. */
  sendRequest(subtype: string, fields: Readonly<Record<string, unknown>> = {}): string {
    const id = `req_${++this.#requests}`;
    this.send({ type: "control_request", request_id: id, request: { subtype, ...fields } });
    return id;
  }

  /** Sends a control request and waits for its response, whichever it is. */
  async request(subtype: string, fields: Readonly<Record<string, unknown>> = {}): Promise<FrameValue> {
    return this.responseTo(this.sendRequest(subtype, fields));
  }

  /** Waits for the response to a control request. */
  responseTo(id: string): Promise<FrameValue> {
    return this.until({ type: "control_response", response: { request_id: id } });
  }

  /** The first request of most hosts. */
  initialize(fields: Readonly<Record<string, unknown>> = {}): Promise<FrameValue> {
    return this.request("initialize", fields);
  }

  /** Waits for a control request of the CLI. */
  asked(subtype: string, request: FrameShape = {}): Promise<FrameValue> {
    return this.until(asked(subtype, request));
  }

  /** Answers a control request of the CLI. */
  answer(request: FrameValue, response?: Readonly<Record<string, unknown>>): void {
    this.send({
      type: "control_response",
      response: { subtype: "success", request_id: request["request_id"], response },
    });
  }

  /** Answers a control request of the CLI with an error. */
  refuse(request: FrameValue, error: string): void {
    this.send({ type: "control_response", response: { subtype: "error", request_id: request["request_id"], error } });
  }

  /** Permits a tool call that the CLI asked about. */
  allow(request: FrameValue, more: Readonly<Record<string, unknown>> = {}): void {
    this.answer(request, { behavior: "allow", updatedInput: requestOf(request)["input"], ...more });
  }

  /** Refuses a tool call that the CLI asked about. */
  deny(request: FrameValue, more: Readonly<Record<string, unknown>> = {}): void {
    this.answer(request, { behavior: "deny", message: "The host said no.", ...more });
  }

  /** Waits for a frame with this shape among those that the scenario has not gone past. */
  async until(shape: FrameShape, timeoutMs = 30_000): Promise<FrameValue> {
    const deadline = performance.now() + timeoutMs;
    for (let at = this.#cursor; ; at++) {
      while (at >= this.#received.length) {
        if (this.#isOver) throw this.#failure(`The CLI ended before ${JSON.stringify(shape)} came`);
        if (!(await this.#more(deadline - performance.now()))) {
          throw this.#failure(`${JSON.stringify(shape)} did not come within ${timeoutMs} ms`);
        }
      }
      const value = this.#received[at]?.value;
      if (value === undefined || !hasShape(value, shape)) continue;
      this.#cursor = at + 1;
      return value;
    }
  }

  /** Makes a file in the working directory; an empty one is a sign to a command that runs. */
  async makeFile(name: string, content = ""): Promise<void> {
    await writeFile(join(this.folders.cwd, name), content);
  }

  /** Waits for a result. */
  result(fields: FrameShape = {}): Promise<FrameValue> {
    return this.until({ type: "result", ...fields });
  }

  /** Ends the input. */
  endInput(): void {
    this.#inputEnded = true;
    this.#child.stdin.end();
  }

  /** Waits for a CLI that exits by itself. */
  async exit(): Promise<void> {
    this.#exitsByItself = true;
    await this.finish();
  }

  /** Sends a signal to the CLI. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the input if that was not done, and waits for the exit. */
  async finish(timeoutMs = 60_000): Promise<RecordedExit> {
    if (!this.#inputEnded && !this.#exitsByItself) this.endInput();
    const late = AbortSignal.timeout(timeoutMs);
    const exit = await Promise.race([this.#exited, once(late, "abort").then(() => undefined)]);
    if (exit === undefined)
      throw this.#failure(`The CLI did not exit within ${timeoutMs} ms after the end of its input`);
    await this.#reading;
    return exit;
  }

  /** Whether the scenario left the exit to the CLI, with its input open. */
  get exitsByItself(): boolean {
    return this.#exitsByItself;
  }

  /** Kills what is left. For every way out of a run. */
  async destroy(): Promise<void> {
    const { pid } = this.#child;
    try {
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    } catch {
      // Nothing is left of the group.
    }
    await this.#exited.catch(() => {});
  }

  /** Both directions, what was sent standing behind what it was sent for. */
  get lines(): RecordedLine[] {
    const lines: RecordedLine[] = [];
    const sent = this.#sent.map((line, order) => ({ ...line, order }));
    sent.sort((left, right) => left.after - right.after || left.order - right.order);
    let next = 0;
    const takeSent = (after: number): void => {
      for (; next < sent.length && sent[next]!.after <= after; next++)
        lines.push({ dir: "out", text: sent[next]!.text });
    };
    for (const [index, { text }] of this.#received.entries()) {
      takeSent(index);
      lines.push({ dir: "in", text });
    }
    takeSent(Number.POSITIVE_INFINITY);
    return lines;
  }

  async #read(): Promise<void> {
    try {
      for await (const frame of decodeFrames(this.#child.stdout, { onMalformed: "deliver" })) {
        const value = frame.error === undefined ? frame.value : undefined;
        this.#received.push({ text: frame.text, value });
        if (value?.type === "control_request") this.#answerAutomatically(value);
        this.#notify();
      }
    } finally {
      this.#isOver = true;
      this.#notify();
    }
  }

  #answerAutomatically(frame: FrameValue): void {
    const request = requestOf(frame);
    const answer = this.#answers.get(String(request["subtype"]))?.(request);
    if (answer === undefined) return;
    const requestId = frame["request_id"];
    const response =
      answer instanceof Error
        ? { subtype: "error", request_id: requestId, error: answer.message }
        : { subtype: "success", request_id: requestId, response: answer };
    const line = encodeFrame({ type: "control_response", response }).slice(0, -1);
    this.sendLine(line, this.#received.length);
  }

  /** Settles with true when there may be more, with false when the time is over. */
  #more(timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => {
          this.#wake = undefined;
          resolve(false);
        },
        Math.max(0, timeoutMs),
      );
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(true);
      };
    });
  }

  #notify(): void {
    this.#wake?.();
  }

  #failure(what: string): Error {
    const last = this.#received.slice(-8).map(({ text }) => `  ${text.slice(0, 400)}`);
    return new Error(`${what}. It wrote last:\n${last.join("\n")}\n${this.#stderr}`);
  }
}

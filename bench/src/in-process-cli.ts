import { EventEmitter } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { result, streamEvent } from "./scripts.ts";

/** A CLI that is an object of this process, in the form of a child: greets, and answers each prompt with a few frames and a result. */
export class InProcessCli extends EventEmitter {
  readonly stdin: PassThrough = new PassThrough();
  readonly stdout: PassThrough = new PassThrough();
  readonly stderr: Readable = Readable.from([]);
  readonly pid: undefined = undefined;
  killed = false;
  exitCode: number | null = null;
  readonly #frameCount: number;
  #rest = "";

  constructor(frameCount = 5) {
    super();
    this.#frameCount = frameCount;
    this.stdin.setEncoding("utf8");
    this.stdin.on("data", (chunk: string) => {
      const lines = (this.#rest + chunk).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) void this.#take(JSON.parse(line));
    });
    this.stdin.on("end", () => this.#exit());
  }

  kill(): boolean {
    this.killed = true;
    this.#exit();
    return true;
  }

  async #take(frame: { readonly type: string; readonly request_id?: string }): Promise<void> {
    if (frame.type === "control_request") {
      const response = { subtype: "success", request_id: frame.request_id, response: {} };
      this.stdout.write(line({ type: "control_response", response }));
    } else if (frame.type === "user") {
      const some = Math.min(this.#frameCount, 500);
      const batch = line(streamEvent).repeat(some);
      for (let done = 0; done < this.#frameCount; done += some) {
        if (!this.stdout.write(batch)) await new Promise((resolve) => this.stdout.once("drain", resolve));
      }
      this.stdout.write(line(result));
      this.stdout.write(line({ type: "system", subtype: "session_state_changed", state: "idle" }));
    }
  }

  #exit(): void {
    if (this.exitCode !== null) return;
    this.exitCode = 0;
    this.stdout.end();
    this.emit("exit", 0, null);
  }
}

function line(frame: object): string {
  return `${JSON.stringify(frame)}\n`;
}

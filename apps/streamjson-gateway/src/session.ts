import type { ChildProcessByStdio } from "node:child_process";
import { EventEmitter, once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { decodeFrames, type Frame, FrameWriter } from "@reins/streamjson";

/** A CLI whose standard error is not read. */
export type Child = ChildProcessByStdio<Writable, Readable, null>;

/** How a child ended. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it did not start, or could not be read. */
  readonly error?: string;
}

/** Older frames are dropped, so that a session takes no more memory than this, however slow its readers are. */
const logBytes = 16 * 1024 * 1024;

/** A child, and the frames that it wrote lately: readers come and go, and each reads at its own pace. */
export class Session {
  readonly #child: Child;
  readonly #writer: FrameWriter;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #log: Frame[] = [];
  #logLength = 0;
  /** Number of the first frame in the log. */
  #first = 0;
  #end: End | undefined;
  readonly #ended: Promise<void>;

  constructor(child: Child) {
    this.#child = child;
    this.#writer = new FrameWriter(child.stdin);
    this.#ended = this.#run();
  }

  /** How the child ended; undefined while it runs. */
  get end(): End | undefined {
    return this.#end;
  }

  /** Writes a frame as it was read. Rejects when the frame is broken or the child is gone. */
  write(frame: Frame): Promise<void> {
    return this.#writer.write(frame);
  }

  /** The frames from a number on, as they come, until the child has ended. A reader that fell behind sees a gap in the numbers. */
  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly [number, Frame]> {
    let next = from;
    while (!signal.aborted) {
      next = Math.max(next, this.#first);
      const frame = this.#log[next - this.#first];
      if (frame) yield [next++, frame];
      else if (this.#end) return;
      else await once(this.#changes, "change", { signal }).catch(() => {});
    }
  }

  /** Ends the input; what does not end by it in 2 s is terminated, and killed after 5 s more. */
  async close(): Promise<void> {
    this.#writer.end().catch(() => {});
    const terminate = setTimeout(() => this.#child.kill("SIGTERM"), 2_000);
    const kill = setTimeout(() => this.#child.kill("SIGKILL"), 7_000);
    await this.#ended;
    clearTimeout(terminate);
    clearTimeout(kill);
  }

  async #run(): Promise<void> {
    // Both before anything is awaited.
    const exit = once(this.#child, "exit").then(([code, signal]): End => ({ code, signal }), failed);
    const reading = this.#readChild();
    const end = await exit;
    // A process that the CLI started may hold its output open.
    const giveUp = setTimeout(() => this.#child.stdout.destroy(), 1_000);
    await reading.catch(() => {});
    clearTimeout(giveUp);
    this.#end = end;
    this.#changes.emit("change");
  }

  async #readChild(): Promise<void> {
    // Parses nothing: frames are told apart by their type. A broken line is one of them, whose error is set.
    for await (const frame of decodeFrames(this.#child.stdout, { onMalformed: "deliver" })) {
      this.#log.push(frame);
      this.#logLength += frame.length;
      for (; this.#logLength > logBytes && this.#log.length > 1; this.#first++) {
        this.#logLength -= this.#log.shift()?.length ?? 0;
      }
      this.#changes.emit("change");
    }
  }
}

function failed(error: unknown): End {
  return { code: null, signal: null, error: String(error) };
}

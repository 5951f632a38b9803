import { redactSecrets } from "./redact.ts";
import type { ReadablePipe } from "./spawned-process.ts";
import { TextLines } from "./text-lines.ts";

/** Who is told of the standard error. What they throw is ignored. */
export interface StderrListeners {
  /** Gets the text as it comes. */
  readonly text?: ((text: string) => void) | undefined;
  /** Gets each line. */
  readonly line?: ((line: string) => void) | undefined;
}

/** The mark in front of a tail whose beginning is missing. */
const cutMark = "[earlier output was cut]\n";

/**
 * Reads the standard error of a process as long as there is any, so that it never blocks the process, and keeps its end.
 */
export class StderrTail {
  readonly #limitBytes: number;
  readonly #listener: ((text: string) => void) | undefined;
  readonly #lines: TextLines | undefined;
  readonly #decoder = new TextDecoder();
  /** Twice the limit, so that bytes are moved once per `limit` bytes and not for each chunk. */
  #kept = new Uint8Array(0);
  #length = 0;
  #isCut = false;

  /** @param limitBytes How much to keep, in bytes. */
  constructor(limitBytes: number, { text, line }: StderrListeners = {}) {
    this.#limitBytes = limitBytes;
    this.#listener = text;
    this.#lines = line == null ? undefined : new TextLines((whole) => tell(line, whole));
  }

  /** Begins to read. */
  read(pipe: ReadablePipe): void {
    pipe.on("data", (chunk) => this.add(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk));
    pipe.on("end", () => this.#tell(this.#decoder.decode(), true));
    // A read error ends the stream; that the process ended is told by its exit.
    pipe.on("error", () => {});
  }

  /** Takes a chunk. */
  add(chunk: Uint8Array): void {
    this.#keep(chunk);
    if (this.#listener != null || this.#lines !== undefined) this.#tell(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The end of what was read: at most the limit, whole characters, secrets replaced, marked when it is not all. */
  get text(): string {
    const kept = redactSecrets(
      new TextDecoder().decode(wholeCharacters(this.#kept.subarray(0, this.#length), this.#isCut)),
    );
    const bytes = new TextEncoder().encode(kept);
    if (bytes.length <= this.#limitBytes) return this.#isCut ? cutMark + kept : kept;
    return cutMark + new TextDecoder().decode(wholeCharacters(bytes.subarray(bytes.length - this.#limitBytes), true));
  }

  #keep(chunk: Uint8Array): void {
    if (this.#kept.length === 0) this.#kept = new Uint8Array(this.#limitBytes * 2);
    const capacity = this.#kept.length;
    if (chunk.length >= capacity) {
      this.#isCut ||= this.#length > 0 || chunk.length > capacity;
      this.#kept.set(chunk.subarray(chunk.length - capacity));
      this.#length = capacity;
      return;
    }
    if (this.#length + chunk.length > capacity) {
      // What stays is at least the limit, or as much of it as there is room for beside the chunk.
      const stay = Math.min(this.#length, this.#limitBytes, capacity - chunk.length);
      this.#kept.copyWithin(0, this.#length - stay, this.#length);
      this.#length = stay;
      this.#isCut = true;
    }
    this.#kept.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  #tell(text: string, isEnd = false): void {
    if (text !== "" && this.#listener != null) tell(this.#listener, text);
    this.#lines?.add(text);
    if (isEnd) this.#lines?.end();
  }
}

function tell(listener: (text: string) => void, text: string): void {
  try {
    // It may be an async function, for all that its type says.
    const result: unknown = listener(text);
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // It runs in an event handler of the pipe: thrown on, its error would end the host. A failing log must not end a session.
  }
}

/** Leaves out the rest of a character that was cut in front. */
function wholeCharacters(bytes: Uint8Array, isCut: boolean): Uint8Array {
  let start = 0;
  while (isCut && start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

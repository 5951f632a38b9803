/** The reader of the output went away, as `head` does when it has its lines: the work ends without a word. */
export class OutputGone extends Error {
  override get name(): string {
    return "OutputGone";
  }
}

/** The stream that an {@link Output} writes to. */
interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, callback: (error?: Error | null) => void): boolean;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Writes to stdout or stderr, no faster than it is read, and ends the work when nobody reads. */
export class Output {
  readonly #stream: OutputStream;
  readonly #gone = new AbortController();
  /** The latest write. Writes are done in order, so that all are when it is. */
  #latest: Promise<void> = Promise.resolve();

  constructor(stream: OutputStream) {
    this.#stream = stream;
    // Stays for good: a stream without a listener turns the failure of its last write into a crash.
    stream.on("error", (error) => this.#fail(error));
  }

  /** Aborts when nobody reads any more, with an {@link OutputGone}, or when writing fails, with the error. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Columns of the terminal; 80 where there is none. */
  get columns(): number {
    return this.#stream.columns ?? 80;
  }

  /**
   * Writes a text, and waits where the reader is behind.
   *
   * @throws The reason of {@link Output.gone}.
   */
  async write(text: string): Promise<void> {
    this.gone.throwIfAborted();
    let isTaken = true;
    this.#latest = new Promise((resolve) => {
      isTaken = this.#stream.write(text, (error) => {
        if (error) this.#fail(error);
        resolve();
      });
    });
    if (!isTaken) await this.flush();
  }

  /** Waits until everything was taken. */
  async flush(): Promise<void> {
    await this.#latest;
    this.gone.throwIfAborted();
  }

  #fail(error: Error): void {
    // The first reason stays; what was still to be written fails after it.
    this.#gone.abort("code" in error && error.code === "EPIPE" ? new OutputGone() : error);
  }
}

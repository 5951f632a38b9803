import type { Frame } from "@reins/streamjson";
import type { MessageQueue } from "./message-queue.ts";

/**
 * Holds each result back, and what comes behind it, until its owner has done what has to be done before.
 *
 * @see `beforeResult` of the client's options, which says what is promised to it.
 */
export class ResultGate {
  readonly #messages: MessageQueue;
  readonly #beforeResult: (() => Promise<readonly Frame[]>) | undefined;
  /** A result that may not be delivered yet, and what came behind it. */
  #held: Frame[] | undefined;
  #releasing: Promise<void> | undefined;

  /** @param beforeResult Awaited before each result; what it gives is delivered ahead. Default: nothing is held. */
  constructor(messages: MessageQueue, beforeResult?: () => Promise<readonly Frame[]>) {
    this.#messages = messages;
    this.#beforeResult = beforeResult;
  }

  /** Delivers a message, now or when what is held before it may go. */
  deliver(frame: Frame): void {
    if (this.#held === undefined && (frame.type !== "result" || this.#beforeResult === undefined)) {
      this.#messages.push(frame);
      return;
    }
    this.#held ??= [];
    this.#held.push(frame);
    if (this.#held.length === 1) this.#releasing = this.#release(this.#held);
  }

  /** Settles when nothing is held any more. Never rejects. */
  async whenOpen(): Promise<void> {
    await this.#releasing;
  }

  /** Delivers what comes ahead of a result, or of the end. A rejection counts as nothing. */
  async pushAhead(): Promise<void> {
    const ahead = await this.#beforeResult?.().catch(() => []);
    for (const frame of ahead ?? []) this.#messages.push(frame);
  }

  async #release(held: Frame[]): Promise<void> {
    // More may be added while it waits.
    for (let index = 0; index < held.length; index++) {
      const frame = held[index] as Frame;
      if (frame.type === "result") await this.pushAhead();
      this.#messages.push(frame);
    }
    this.#held = undefined;
  }
}

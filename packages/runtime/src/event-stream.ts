import { EventsLostError } from "./errors.ts";
import type { RuntimeEvent } from "./runtime-event.ts";

/** Events for one reader who takes them when it likes, from its creation on. */
export class EventStream implements AsyncIterableIterator<RuntimeEvent, undefined> {
  readonly #limit: number;
  readonly #onLeave: () => void;
  #queue: RuntimeEvent[] = [];
  #waiting: ((result: IteratorResult<RuntimeEvent, undefined>) => void)[] = [];
  #end: { readonly error?: unknown } | undefined;

  /** @param onLeave Called once when nobody reads any more. */
  constructor(limit: number, onLeave: () => void) {
    this.#limit = limit;
    this.#onLeave = onLeave;
  }

  /** Adds an event. With too many unread ones the stream ends behind those it has. */
  push(event: RuntimeEvent): void {
    if (this.#end !== undefined) return;
    const reader = this.#waiting.shift();
    if (reader !== undefined) reader({ done: false, value: event });
    else if (this.#queue.length < this.#limit) this.#queue.push(event);
    else {
      this.#end = { error: new EventsLostError(this.#limit) };
      this.#onLeave();
    }
  }

  /** No event comes any more; those that wait can still be read. */
  end(): void {
    this.#end ??= {};
    for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<RuntimeEvent, undefined>> {
    const event = this.#queue.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: event });
    const end = this.#end;
    if (end === undefined) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#end = {};
    return "error" in end ? Promise.reject(end.error) : Promise.resolve({ done: true, value: undefined });
  }

  /** Leaves: unread events are dropped. */
  return(): Promise<IteratorResult<RuntimeEvent, undefined>> {
    this.#queue = [];
    if (this.#end === undefined) this.#onLeave();
    this.end();
    this.#end = {};
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

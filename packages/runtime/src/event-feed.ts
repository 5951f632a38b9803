import type { FrameValue } from "@reins/streamjson";
import { Draft } from "./draft.ts";
import { EventStream } from "./event-stream.ts";
import { agentCallOf } from "./reduce-agents.ts";
import { endRuntimeEvents, type RuntimeStep, toRuntimeEvents } from "./reducer.ts";
import type { RuntimeEvent } from "./runtime-event.ts";
import { initialRuntimeState, type RuntimeState } from "./runtime-state.ts";

/** Reads the frames of a session, and passes on the events they lead to. */
export class EventFeed {
  readonly #listener: (event: RuntimeEvent) => RuntimeEvent;
  readonly #streams = new Set<EventStream>();
  #state: RuntimeState;
  #hasEnded = false;
  /** Events that the listener has not seen. */
  readonly #pending: RuntimeEvent[] = [];
  #isTelling = false;

  /**
   * @param sessionId The id, where it is known before the CLI says it.
   * @param listener Sees each event before the streams do, which get what it gives. Must not throw.
   */
  constructor(sessionId: string | undefined, listener: (event: RuntimeEvent) => RuntimeEvent) {
    this.#listener = listener;
    this.#state = { ...initialRuntimeState(), sessionId };
  }

  get sessionId(): string | undefined {
    return this.#state.sessionId;
  }

  /** The turn that what comes now belongs to. */
  get turnId(): string | undefined {
    return new Draft(this.#state).turn?.id;
  }

  /** The Agent call of a sub-agent's id. */
  agentCallOf(agentId: unknown, toolUseId?: string): string | undefined {
    return agentCallOf(new Draft(this.#state), agentId, toolUseId);
  }

  /** @param direction `in` from the CLI, `out` from us. */
  feed(frame: FrameValue, direction: "in" | "out" = "in"): void {
    if (!this.#hasEnded) this.#take(toRuntimeEvents(frame, this.#state, { direction, time: Date.now() }));
  }

  /** Fails what is open. The streams still get events until {@link EventFeed.close}. */
  end(text: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#take(endRuntimeEvents(this.#state, { text, time: Date.now() }));
  }

  /** A reader of all events from here on. */
  stream(limit: number): EventStream {
    const stream = new EventStream(limit, () => this.#streams.delete(stream));
    if (this.#hasEnded) stream.end();
    else this.#streams.add(stream);
    return stream;
  }

  /** Ends the streams. */
  close(): void {
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #take({ events, state }: RuntimeStep): void {
    this.#state = state;
    this.#pending.push(...events);
    // The listener may do what leads to further events: they come behind this one for the streams, too.
    if (this.#isTelling) return;
    this.#isTelling = true;
    for (let event = this.#pending.shift(); event !== undefined; event = this.#pending.shift()) {
      const seen = this.#listener(event);
      for (const stream of this.#streams) stream.push(seen);
    }
    this.#isTelling = false;
  }
}

import type { JsonRecord } from "./json-value.ts";
import type { ToolCallData } from "./loop-hooks.ts";
import type { TurnStop } from "./runtime-event.ts";
import { type TurnEnd, TurnRecord, type TurnResult } from "./turn-result.ts";

/** A turn of a session while it runs. */
export class LiveTurn {
  readonly id: string;
  readonly number: number;
  readonly origin: "user" | "wake";
  readonly record: TurnRecord = new TurnRecord();
  /** Settles when the turn has ended and its last hooks have run. Never rejects. */
  readonly ended: Promise<void>;
  /** How many times the model was called, or was about to be. */
  iteration = 0;
  /** Whether the hooks were told of an iteration, and not of its end. */
  isIterating = false;
  /** Whether the loop was told of as started. */
  hasQueried = false;
  /** Tools of the last message whose results the hooks were not told of. */
  openTools: readonly ToolCallData[] = [];
  /** Set when something has ended the turn: from then on no tool runs and the model is not called. */
  halted: TurnStop | undefined;
  /** How many times stop hooks had the model go on. */
  stopCycles = 0;
  /** What the last call of the model has used. */
  usage: JsonRecord | undefined;
  /** Whether it was interrupted before its message was sent. */
  isUnwanted = false;
  /** Takes its message back while the CLI has not begun with it, else interrupts it. */
  takeBack: (() => Promise<void>) | undefined;
  /** Why it could not be sent, was aborted, or the session ended. */
  cause: unknown;
  #settle!: () => void;
  #end: TurnEnd | undefined;

  constructor(id: string, number: number, origin: "user" | "wake") {
    this.id = id;
    this.number = number;
    this.origin = origin;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** How it ended; `undefined` while it runs. */
  get end(): TurnEnd | undefined {
    return this.#end;
  }

  set end(end: TurnEnd) {
    this.#end = end;
  }

  /** The turn as far as it is. */
  get result(): TurnResult {
    return this.record.toResult(this, this.#end);
  }

  /** Says that nothing of it is left to do. */
  settle(): void {
    this.#settle();
  }
}

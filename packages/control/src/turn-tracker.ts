import type { ResultMessage } from "@reins/messages";
import type { FrameValue } from "@reins/streamjson";
import { TurnEndedError } from "./errors.ts";

/**
 * Where a prompt is: `sent` until the CLI has said something about it, then what it said. `completed` also when its turn failed;
 * `cancelled` when the turn was interrupted or the prompt taken back; `discarded` and `refused` when the CLI did not take it.
 */
export type TurnState =
  | "sent"
  | "queued"
  | "started"
  | "completed"
  | "cancelled"
  | "discarded"
  | "refused"
  | (string & {});

/** A prompt that was sent, and what becomes of it. */
export interface Turn {
  /** The uuid that the prompt was sent with. */
  readonly uuid: string;
  readonly state: TurnState;
  /**
   * The uuids of all prompts that the CLI answered in one turn, this one among them, in order. Known with the result: prompts that
   * were sent while a turn ran are merged into it, or into the next one, and share its result. Only this one before.
   */
  readonly promptUuids: readonly string[];
  /**
   * The result of the turn that took this prompt in; it may be an error result (see `resultOutcome`). Rejects with a
   * {@link TurnEndedError} for a prompt that got none, and with the error that ended the session. Nobody has to look at it.
   */
  readonly result: Promise<ResultMessage>;
  /** Takes the prompt back while it waits. False when it is too late. */
  cancel(): Promise<boolean>;
}

/** The prompts that carry a uuid, by what the CLI says of them (`command_lifecycle`, stamps of results). */
export class TurnTracker {
  readonly #open = new Map<string, TrackedTurn>();
  readonly #cancel: (uuid: string) => Promise<boolean>;
  #isLifecycleReported = false;

  /** @param cancel Takes a waiting prompt back. */
  constructor(cancel: (uuid: string) => Promise<boolean>) {
    this.#cancel = cancel;
  }

  /** Whether a prompt is known to be on its way or at work. False with a CLI that says nothing of prompts. */
  get hasOpenPrompts(): boolean {
    if (!this.#isLifecycleReported) return false;
    for (const turn of this.#open.values()) if (!terminalStates.includes(turn.state)) return true;
    return false;
  }

  /** Begins to follow a prompt. One that is sent twice is one prompt: the CLI drops the second. */
  open(uuid: string): Turn {
    const known = this.#open.get(uuid);
    if (known !== undefined) return known;
    const turn = new TrackedTurn(uuid, () => this.#cancel(uuid));
    this.#open.set(uuid, turn);
    return turn;
  }

  /** Forgets a prompt that was not sent. */
  drop(uuid: string, error: unknown): void {
    this.#open.get(uuid)?.fail(error);
    this.#open.delete(uuid);
  }

  /** Notes a frame of the CLI. */
  observe(value: FrameValue): void {
    if (value.type === "command_lifecycle") this.#lifecycle(value["command_uuid"], value["state"]);
    else if (value.type === "result") this.#result(value);
  }

  /** Fails everything that is open, because the session has ended. */
  close(error: unknown): void {
    for (const turn of this.#open.values()) turn.fail(error);
    this.#open.clear();
  }

  #lifecycle(uuid: unknown, state: unknown): void {
    if (typeof uuid !== "string" || typeof state !== "string") return;
    this.#isLifecycleReported = true;
    const turn = this.#open.get(uuid);
    if (turn === undefined) return;
    turn.state = state;
    if (!terminalStates.includes(state)) return;
    if (turn.isSettled) this.#open.delete(uuid);
    // A prompt that was folded into a running turn is completed before the result of that turn.
    else if (state !== "completed") {
      turn.fail(new TurnEndedError(uuid, state));
      this.#open.delete(uuid);
    }
  }

  #result(value: FrameValue): void {
    // A turn that the CLI began by itself answers no prompt.
    const stamps = stampsOf(value);
    // The list ends at 64, and a CLI without lifecycle frames stamps nothing: it answers prompts in order.
    const taken = stamps ?? (this.#isLifecycleReported || isOwnTurn(value) ? [] : [...this.#open.keys()].slice(0, 1));
    for (const uuid of taken) this.#settle(uuid, value, taken);
    for (const [uuid, turn] of this.#open) {
      if (turn.state === "completed" && !turn.isSettled) this.#settle(uuid, value, [...taken, uuid]);
    }
  }

  #settle(uuid: string, value: FrameValue, taken: readonly string[]): void {
    const turn = this.#open.get(uuid);
    if (turn === undefined) return;
    // The wire decides what a result is.
    turn.settle(value as unknown as ResultMessage, taken);
    if (terminalStates.includes(turn.state) || !this.#isLifecycleReported) {
      if (!this.#isLifecycleReported) turn.state = "completed";
      this.#open.delete(uuid);
    }
  }
}

class TrackedTurn implements Turn {
  readonly uuid: string;
  readonly result: Promise<ResultMessage>;
  readonly cancel: () => Promise<boolean>;
  state: TurnState = "sent";
  promptUuids: readonly string[];
  isSettled = false;
  #resolve!: (result: ResultMessage) => void;
  #reject!: (error: unknown) => void;

  constructor(uuid: string, cancel: () => Promise<boolean>) {
    this.uuid = uuid;
    this.promptUuids = [uuid];
    this.cancel = cancel;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // The reader of messages sees the end too, so a handle that nobody looks at is no unhandled rejection.
    this.result.catch(() => {});
  }

  settle(result: ResultMessage, promptUuids: readonly string[]): void {
    this.isSettled = true;
    this.promptUuids = promptUuids;
    this.#resolve(result);
  }

  fail(error: unknown): void {
    this.isSettled = true;
    this.#reject(error);
  }
}

const terminalStates: readonly string[] = ["completed", "cancelled", "discarded", "refused"];

function stampsOf(value: FrameValue): readonly string[] | undefined {
  const list = value["user_message_uuids"];
  if (Array.isArray(list)) return list.filter((uuid): uuid is string => typeof uuid === "string");
  const last = value["user_message_uuid"];
  return typeof last === "string" ? [last] : undefined;
}

/** Whether the CLI began the turn by itself, as when a task in the background has ended. */
function isOwnTurn(value: FrameValue): boolean {
  const origin = value["origin"];
  return typeof origin === "object" && origin !== null && "kind" in origin && origin.kind === "task-notification";
}

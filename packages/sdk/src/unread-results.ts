import type { Turn } from "@reins/control";
import type { ResultMessage } from "@reins/messages";

/** A prompt whose result nobody has read, and that could still get one. */
interface UnreadPrompt {
  /** Whether its handle tells which result is its own. Without one any result may be. */
  readonly hasHandle: boolean;
  /** Its result, when it has come. */
  result?: ResultMessage;
  /** Whether it was sent before the turn was interrupted. */
  isInterrupted: boolean;
}

/**
 * What of a client's messages nobody has read: the results of prompts, and the rest of a turn that was interrupted.
 *
 * That rest is stale as soon as another prompt is sent. It ends with a result, or without one where no prompt got that far.
 */
export class UnreadResults {
  readonly #prompts = new Set<UnreadPrompt>();
  readonly #byTurn = new WeakMap<Turn, UnreadPrompt>();
  readonly #read = new WeakSet<ResultMessage>();

  /** Whether what is read now is the rest of a turn that was interrupted, while there is something newer to read. */
  get isStale(): boolean {
    let hasOlder = false;
    let hasNewer = false;
    for (const { isInterrupted } of this.#prompts) {
      hasOlder ||= isInterrupted;
      hasNewer ||= !isInterrupted;
    }
    return hasOlder && hasNewer;
  }

  /** Notes a prompt, before it is written: its result may be there before the write is known to be done. */
  promptSent(hasHandle: boolean): UnreadPrompt {
    const prompt: UnreadPrompt = { hasHandle, isInterrupted: false };
    this.#prompts.add(prompt);
    return prompt;
  }

  /** Takes a prompt back that was not written. */
  drop(prompt: UnreadPrompt): void {
    this.#prompts.delete(prompt);
  }

  /** Learns from the handle of a prompt which result is its own, and whether it gets none. */
  follow(prompt: UnreadPrompt, turn: Turn): void {
    this.#byTurn.set(turn, prompt);
    turn.result.then(
      (result) => {
        prompt.result = result;
        if (this.#read.has(result)) this.drop(prompt);
      },
      () => this.drop(prompt),
    );
  }

  /** Whether a prompt has a result that nobody has read, now or later. */
  async has(turn: Turn): Promise<boolean> {
    // A handle that has settled tells so first.
    await undefined;
    const prompt = this.#byTurn.get(turn);
    return prompt !== undefined && this.#prompts.has(prompt);
  }

  /** Notes that the turn is interrupted. */
  interrupted(): void {
    for (const prompt of this.#prompts) prompt.isInterrupted = true;
  }

  /** Notes that a result was read. It ends the turn that was interrupted; what waited behind it goes on. */
  read(result: ResultMessage): void {
    this.#read.add(result);
    for (const prompt of this.#prompts) {
      prompt.isInterrupted = false;
      if (!prompt.hasHandle || prompt.result === result) this.#prompts.delete(prompt);
    }
  }
}

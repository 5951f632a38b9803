import type { SessionName } from "@reins/sessions";

/** Runs the writes of a session one after the other, in the order of the calls; those of other sessions at once. */
export class WriteOrder {
  readonly #last = new Map<string, Promise<void>>();

  run<T>({ projectKey, sessionId }: SessionName, task: () => Promise<T>): Promise<T> {
    const name = JSON.stringify([projectKey, sessionId]);
    const result = (this.#last.get(name) ?? Promise.resolve()).then(task);
    const done = result.then(ignore, ignore).then(() => {
      if (this.#last.get(name) === done) this.#last.delete(name);
    });
    this.#last.set(name, done);
    return result;
  }
}

function ignore(): void {}

import { createHash } from "node:crypto";
import type { SessionStoreOperation } from "@reins/sessions";
import { type FailedKey, toStoreError, toTimeoutError } from "./errors.ts";
import type { ScriptCaller } from "./redis-client.ts";

/** What a script is run for. */
export interface ScriptCall {
  readonly operation: SessionStoreOperation;
  readonly key: FailedKey;
  readonly signal?: AbortSignal | undefined;
}

/** Runs scripts by their hashes, and sends the text to servers that do not know them. */
export class ScriptRunner {
  readonly #caller: ScriptCaller;
  readonly #timeoutMs: number;
  readonly #hashes = new Map<string, string>();

  constructor(caller: ScriptCaller, timeoutMs: number) {
    this.#caller = caller;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Gives the answer as a list.
   *
   * @throws RedisSessionStoreError when the client rejects, or does not answer in time. A request that was sent cannot be taken back.
   * @throws the reason of the signal, when it is aborted before something was sent.
   */
  async run(call: ScriptCall, script: string, keys: string[], args: string[]): Promise<unknown[]> {
    call.signal?.throwIfAborted();
    const reply = await this.#within(call, () => this.#send(script, keys, args));
    if (!Array.isArray(reply)) throw toStoreError(call.operation, call.key, new Error("The answer is no list"));
    return reply;
  }

  async #send(script: string, keys: string[], args: string[]): Promise<unknown> {
    const known = this.#hashes.get(script);
    const hash = known ?? createHash("sha1").update(script).digest("hex");
    if (known === undefined) this.#hashes.set(script, hash);
    try {
      return await this.#caller.evalSha(hash, keys, args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return await this.#caller.eval(script, keys, args);
    }
  }

  #within(call: ScriptCall, send: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { operation, key } = call;
      const timer = setTimeout(() => reject(toTimeoutError(operation, key, this.#timeoutMs)), this.#timeoutMs);
      timer.unref();
      send()
        .finally(() => clearTimeout(timer))
        .then(resolve, (error: unknown) => reject(toStoreError(operation, key, error)));
    });
  }
}

/** Reads a text of an answer. A client may be set to give bytes. */
export function toText(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("utf8") : String(value);
}

/** Reads a list of texts within an answer. */
export function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(toText) : [];
}

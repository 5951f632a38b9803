import { createHash } from "node:crypto";

/** Beyond it the oldest are forgotten. A host tries a batch again within seconds. */
const maxRemembered = 1_000;

/**
 * Under which names appends were sent whose outcome is not known, so that the same batch again gets the same name and is stored once, even
 * what has no uuid in it.
 */
export class FailedAppends {
  readonly #names = new Map<string, string>();

  /** The name that a batch had. */
  nameOf(prefix: string, lines: readonly string[]): string | undefined {
    // Nobody failed most of the time.
    return this.#names.size === 0 ? undefined : this.#names.get(idOf(prefix, lines));
  }

  keep(prefix: string, lines: readonly string[], name: string): void {
    const id = idOf(prefix, lines);
    this.#names.delete(id);
    this.#names.set(id, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > maxRemembered && oldest !== undefined) this.#names.delete(oldest);
  }

  /** A batch is known to be stored. */
  forget(prefix: string, lines: readonly string[]): void {
    if (this.#names.size > 0) this.#names.delete(idOf(prefix, lines));
  }

  /** A transcript was deleted. */
  forgetAll(prefix: string): void {
    for (const id of this.#names.keys()) if (id.startsWith(`${prefix} `)) this.#names.delete(id);
  }
}

/** The hash has no space. */
function idOf(prefix: string, lines: readonly string[]): string {
  const hash = createHash("sha256");
  for (const line of lines) hash.update(line).update("\n");
  return `${prefix} ${hash.digest("base64")}`;
}

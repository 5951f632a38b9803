import { createHash, randomUUID } from "node:crypto";
import type { NewLine } from "./entry-lines.ts";

/** What an append is known again by. */
type Lines = readonly Pick<NewLine, "json" | "uuid">[];

/** Beyond it the oldest are forgotten. A host tries a batch again within seconds. */
const maxRemembered = 256;

/**
 * Ids of appends. An append that failed without an answer keeps its id for the next one with the same entries, so that the server knows a
 * retry again even by entries that have no uuid.
 */
export class FailedCalls {
  readonly #ids = new Map<string, string>();

  /** The id of an append that begins. */
  idOf(list: string, lines: Lines): string {
    // Entries with uuids need no more, and nobody failed most of the time.
    if (this.#ids.size > 0 && lines.some(({ uuid }) => uuid === "")) {
      const known = this.#ids.get(fingerprint(list, lines));
      if (known !== undefined) return known;
    }
    // No escaped uuid begins like this.
    return `#${randomUUID()}`;
  }

  /** Remembers an append that may have been stored. */
  keep(list: string, lines: Lines, id: string): void {
    if (lines.every(({ uuid }) => uuid !== "")) return;
    const name = fingerprint(list, lines);
    this.#ids.delete(name);
    this.#ids.set(name, id);
    const [oldest] = this.#ids.keys();
    if (this.#ids.size > maxRemembered && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Forgets an append that is known to be stored. */
  forget(list: string, lines: Lines): void {
    if (this.#ids.size > 0) this.#ids.delete(fingerprint(list, lines));
  }
}

function fingerprint(list: string, lines: Lines): string {
  const hash = createHash("sha256").update(list, "utf8");
  for (const { json } of lines) hash.update("\n").update(json, "utf8");
  return hash.digest("base64");
}

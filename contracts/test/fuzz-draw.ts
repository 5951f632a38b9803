import fc from "fast-check";
import type { Mutation } from "./fuzz-mutations.ts";

/** A value of any kind, also such as break code that trusts the wire. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("", 0, null, [], {}, "assistant", "constructor"),
);

const anyKey = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("__proto__", "constructor", "type", "subtype", "then"),
);
const pick = fc.nat({ max: 100_000 });

export const anyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant("drop" as const), pick }),
  fc.record({ kind: fc.constant("retype" as const), pick, value: anyValue }),
  fc.record({ kind: fc.constant("add" as const), pick, key: anyKey, value: anyValue }),
  fc.record({ kind: fc.constant("cut" as const), pick }),
  fc.record({ kind: fc.constant("byte" as const), pick, byte: fc.nat({ max: 255 }) }),
);

/** Milliseconds for each property, in place of its number of runs: `REINS_FUZZ_MS=60000`. */
const budgetMs = process.env["REINS_FUZZ_MS"];

/**
 * How long a property is tried: by default so many times, which takes a second or two; with a budget as long as that lasts. A
 * failing property says its seed and its counterexample, which then belongs into the corpus.
 */
export function fuzz(numRuns: number): { readonly numRuns: number; readonly interruptAfterTimeLimit?: number } {
  if (budgetMs === undefined) return { numRuns };
  return { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: Number(budgetMs) };
}

/** For the tests of properties: beyond what the budget asks for. */
export const fuzzTimeoutMs: number = 60_000 + Number(budgetMs ?? 0);

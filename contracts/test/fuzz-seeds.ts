import type { Mutation } from "./fuzz-mutations.ts";

/** A line of a capture and what is done to it. */
export interface Seed {
  /** Name of the capture. */
  readonly capture: string;
  /** Number of the CLI's line in it, counted from 0 round all of them. */
  readonly line: number;
  readonly mutation: Mutation;
}

/** Changes that are tried in every run, beside those drawn by lot: what broke readers of this wire before, and what looks as if it could. */
export const seeds: readonly Seed[] = [
  // The first line answers initialize: the response is gone, null, a text; its id is a number, 0, gone.
  { capture: "permission-allow", line: 0, mutation: { kind: "retype", pick: 1, value: null } },
  { capture: "permission-allow", line: 0, mutation: { kind: "retype", pick: 1, value: "text" } },
  { capture: "permission-allow", line: 0, mutation: { kind: "drop", pick: 1 } },
  { capture: "permission-allow", line: 0, mutation: { kind: "retype", pick: 3, value: 0 } },
  { capture: "permission-allow", line: 0, mutation: { kind: "drop", pick: 3 } },
  // The type is gone, a number, a list, a name that every object has.
  { capture: "permission-allow", line: 2, mutation: { kind: "drop", pick: 0 } },
  { capture: "permission-allow", line: 2, mutation: { kind: "retype", pick: 0, value: 7 } },
  { capture: "permission-allow", line: 2, mutation: { kind: "retype", pick: 0, value: ["assistant"] } },
  { capture: "permission-allow", line: 2, mutation: { kind: "retype", pick: 0, value: "constructor" } },
  { capture: "permission-allow", line: 1, mutation: { kind: "retype", pick: 1, value: "toString" } },
  // An assistant message whose message is null.
  { capture: "permission-allow", line: 2, mutation: { kind: "retype", pick: 1, value: null } },
  // A question of the CLI without an id, with a number, with an empty text for one; its request null.
  { capture: "permission-allow", line: 3, mutation: { kind: "drop", pick: 1 } },
  { capture: "permission-allow", line: 3, mutation: { kind: "retype", pick: 1, value: 0 } },
  { capture: "permission-allow", line: 3, mutation: { kind: "retype", pick: 1, value: "" } },
  { capture: "permission-allow", line: 3, mutation: { kind: "retype", pick: 2, value: null } },
  // A withdrawal without an id.
  { capture: "permission-hook-answers-first", line: 5, mutation: { kind: "drop", pick: 1 } },
  // Members that JavaScript takes for something else.
  {
    capture: "session-two-turns",
    line: 3,
    mutation: { kind: "add", pick: 0, key: "__proto__", value: { type: "result" } },
  },
  { capture: "session-two-turns", line: 3, mutation: { kind: "add", pick: 0, key: "then", value: {} } },
  { capture: "session-two-turns", line: 3, mutation: { kind: "add", pick: 0, key: "toJSON", value: 1 } },
  { capture: "session-two-turns", line: 5, mutation: { kind: "add", pick: 0, key: "sdk_host_only", value: "true" } },
  // Half a line, an empty one, a line break and a NUL within a line, a byte that is no UTF-8.
  { capture: "line-separators", line: 4, mutation: { kind: "cut", pick: 40 } },
  { capture: "session-two-turns", line: 4, mutation: { kind: "cut", pick: 0 } },
  { capture: "session-two-turns", line: 4, mutation: { kind: "byte", pick: 30, byte: 0x0a } },
  { capture: "session-two-turns", line: 4, mutation: { kind: "byte", pick: 30, byte: 0x0d } },
  { capture: "session-two-turns", line: 4, mutation: { kind: "byte", pick: 30, byte: 0x00 } },
  { capture: "session-two-turns", line: 4, mutation: { kind: "byte", pick: 30, byte: 0xff } },
  { capture: "session-two-turns", line: 4, mutation: { kind: "byte", pick: 0, byte: 0x5b } },
];

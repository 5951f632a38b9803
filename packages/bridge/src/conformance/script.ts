/**
 * An exchange of lines, as JSON: what the kit writes, and what it expects of the other side.
 *
 * A value that is expected has to be there; an object may have more fields, a list more items. These objects stand for values:
 * - `{ "$save": "NAME" }`: any text, which is kept under the name;
 * - `{ "$use": "NAME" }`: the text that was kept, also in what the kit writes;
 * - `{ "$includes": VALUE }`: a list that holds the value.
 */
export interface ConformanceScript {
  readonly name: string;
  /** What it shows, in a sentence. */
  readonly about: string;
  /** Which side the kit plays: the other one is under test. */
  readonly plays: "host" | "bridge";
  /** What the model says behind a bridge under test: turns in the form of `startScriptedModel` of `@reins/testkit`. */
  readonly model?: readonly unknown[];
  readonly steps: readonly ConformanceStep[];
}

/** A step of a script. */
export type ConformanceStep =
  /** Writes a message. */
  | { readonly write: Pattern }
  /** Writes a line as it is. */
  | { readonly writeText: string }
  /** Reads the next message, which has to be like this. Events that are not expected are passed over. */
  | { readonly expect: Pattern }
  /** Reads as many messages as there are patterns, in any order. */
  | { readonly expectAll: readonly Pattern[] }
  /** Ends the kit's side. */
  | { readonly end: true }
  /** The other side ends, and says nothing else before. */
  | { readonly expectEnd: true };

/** A message, or a part of one. */
export type Pattern = Readonly<Record<string, unknown>>;

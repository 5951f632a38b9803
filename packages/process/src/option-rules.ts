/**
 * What a value has to be. A list: one of its members. A function: says what is wrong as the end of the sentence that begins with the name
 * of the option, or nothing.
 */
export type OptionRule =
  | "text"
  | "texts"
  | "switch"
  /** A whole number from 0. */
  | "count"
  | "amount"
  | "object"
  | "uuid"
  | readonly string[]
  | ((value: unknown) => string | undefined);

/** What is wrong with a value that was given (it is neither `undefined` nor `null`); `undefined` when nothing is. */
export function problemOf(rule: OptionRule, value: unknown): string | undefined {
  if (typeof rule === "function") return rule(value);
  if (typeof rule !== "string") return oneOfProblem(rule, value);
  const [holds, kind] = kinds[rule];
  return holds(value) ? undefined : `has to be ${kind}, not ${shown(value)}.`;
}

const kinds: Readonly<Record<Extract<OptionRule, string>, readonly [(value: unknown) => boolean, string]>> = {
  text: [(value) => typeof value === "string", "a string"],
  texts: [isTexts, "a list of strings"],
  switch: [(value) => typeof value === "boolean", "true or false"],
  count: [(value) => Number.isSafeInteger(value) && Number(value) >= 0, "a finite whole number from 0"],
  amount: [(value) => typeof value === "number" && Number.isFinite(value) && value > 0, "a number above 0"],
  object: [isObject, "an object"],
  // An empty one counts as not given, as everywhere in the official SDK.
  uuid: [(value) => value === "" || (typeof value === "string" && uuid.test(value)), "a UUID"],
};

/** Of whatever version: what the CLI takes. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What is wrong with a member of a list of choices. An empty one counts as not given. */
export function oneOfProblem(choices: readonly string[], value: unknown): string | undefined {
  if (value === "" || (typeof value === "string" && choices.includes(value))) return undefined;
  return `has to be one of ${choices.join(", ")}, not ${shown(value)}.`;
}

/** A value as it is shown in a message: short, on one line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  // An object of a stranger may have no toString, or one that throws.
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "function") return "a function";
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

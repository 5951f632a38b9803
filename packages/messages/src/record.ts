/** Tells whether a value is an object with fields: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Gives all fields of a frame or a block, also those that its type does not list: unknown kinds, internal fields, what a later CLI
 * adds. The same object, seen differently.
 */
export function fieldsOf(value: object): Readonly<Record<string, unknown>> {
  // Every object can be read by name; absent fields are undefined.
  return value as Readonly<Record<string, unknown>>;
}

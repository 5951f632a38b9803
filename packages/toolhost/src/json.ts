/** Whether a value is an object with members: no array, not null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The JSON of a value, or `undefined` where there is none: cycles, BigInt, functions. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * What is left of a value after its way through JSON, or `undefined` where it has no JSON. A copy can be written at any time later,
 * whatever becomes of the original.
 */
export function jsonCopy(value: unknown): unknown {
  const json = toJson(value);
  return json === undefined ? undefined : JSON.parse(json);
}

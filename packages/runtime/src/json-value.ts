/** A JSON object of the wire, of which nothing is known yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The value if it is an object and no array. */
export function recordOf(value: unknown): JsonRecord | undefined {
  return isRecord(value) ? value : undefined;
}

/** The value if it is a string. An empty one counts. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a finite number. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The objects of an array; nothing of anything else. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The strings of an array; nothing of anything else. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

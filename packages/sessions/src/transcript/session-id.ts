/**
 * Tells whether a string has the form of a session id: a UUID of any version, in either case.
 *
 * Ids are compared as they are given, never case-folded: the file names of the CLI are.
 */
export function isSessionId(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** No connection or no answer came in time, and it was given up. */
export class NoAnswerError extends Error {
  override get name(): string {
    return "NoAnswerError";
  }
}

/** Classes and states that pass without anything being mended. */
const transientStates = [
  "08", // connection
  "53", // out of connections, memory or disk
  "40001", // serialization
  "40P01", // deadlock
  "55P03", // lock not available
  "57014", // statement timeout, or cancelled by somebody
  "57P01", // shutting down
  "57P02", // another process of the server crashed
  "57P03", // starting up
  "57P05", // idle session timeout
  "25P03", // idle in transaction timeout
  "25P04", // transaction timeout
  "25006", // read only: the server became a standby, and the pool has yet to find the new primary
  "58030", // I/O
];

const transientCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // The socket of a server that is about to start.
  "ENOENT",
  "EMFILE",
  "ENFILE",
]);

/** `pg` gives these without a code. */
const lostConnection =
  /^Connection terminated|is not queryable|^timeout exceeded when trying to connect|^Query read timeout|^Client has encountered|^Connection ended/;

/** The SQLSTATE of an error of Postgres. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = codeOf(error);
  // EPIPE has the form of one; errors of Postgres have a severity.
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && hasSeverity(error) ? code : undefined;
}

/** Tells whether the same call may succeed later without anything being mended. */
export function isTransient(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return transientStates.some((prefix) => state.startsWith(prefix));
  if (error instanceof NoAnswerError) return true;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isTransient);
  return transientCodes.has(codeOf(error) ?? "") || (error instanceof Error && lostConnection.test(error.message));
}

/** Tells whether a connection is of no use any more behind this error. */
export function isConnectionLost(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined || /^(?:08|57P|25P0[34]|25006)/.test(state);
}

/** What a person has to do about an error of Postgres. */
export function adviceFor(error: unknown): string | undefined {
  const state = sqlStateOf(error) ?? "";
  if (["42P01", "42703", "3F000"].includes(state)) return "run migrate() first";
  if (state === "42501") return "grant the role what the README lists";
  return undefined;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

function hasSeverity(error: unknown): boolean {
  return typeof error === "object" && error !== null && "severity" in error && error.severity !== undefined;
}

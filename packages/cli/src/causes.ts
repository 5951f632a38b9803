/** An error, its cause, and the cause of that. Each once: a chain of causes may be a ring. */
export function* causes(error: unknown): Generator<Error, undefined, undefined> {
  const seen = new Set<Error>();
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current);
    yield current;
  }
}

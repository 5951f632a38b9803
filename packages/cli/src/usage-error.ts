/**
 * The command line makes no sense in a way that the argument parser cannot see.
 *
 * No error class of a sibling is its base: it must be known without loading one.
 */
export class UsageError extends Error {
  override get name(): string {
    return "UsageError";
  }
}

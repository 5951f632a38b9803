/** What cannot be done with a session now: it is not run here, or its folder is gone, or the question was answered before. */
export class RunError extends Error {
  override get name(): string {
    return "RunError";
  }
}

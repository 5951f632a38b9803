import type { ResultOutcome } from "@reins/sdk";
import { exitCodes } from "../exit-codes.ts";

/** The exit code for what a turn came to. */
export function exitCodeOf({ kind }: Pick<ResultOutcome, "kind">): number {
  switch (kind) {
    case "completed":
    case "local-command":
    case "prompt-stored":
      return exitCodes.ok;
    case "limit-reached":
      return exitCodes.limitReached;
    case "interrupted":
    case "hook-stopped":
    case "tool-deferred":
    case "prompt-blocked":
      return exitCodes.stopped;
    case "not-started":
      return exitCodes.notStarted;
    default:
      return exitCodes.failed;
  }
}

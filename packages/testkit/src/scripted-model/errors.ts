import { ReinsError } from "@reins/streamjson";

/** A script was not followed: turns are left, or something was asked that it does not answer. */
export class ScriptMismatchError extends ReinsError {
  readonly code = "REINS_SCRIPT_MISMATCH" as const;
  /** What does not fit, one sentence each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[], cause?: unknown) {
    super(
      `The scripted model was not used as its script says:\n${problems.map((problem) => `- ${problem}`).join("\n")}`,
      cause === undefined ? undefined : { cause },
    );
    this.problems = problems;
  }

  override get name(): string {
    return "ScriptMismatchError";
  }
}

/** A request that was waited for did not come. */
export class RequestNotSeenError extends ReinsError {
  readonly code = "REINS_REQUEST_NOT_SEEN" as const;

  constructor(what: string, why: string, seen: readonly string[]) {
    const list = seen.length === 0 ? "No request came." : `What came:\n${seen.map((line) => `- ${line}`).join("\n")}`;
    super(`The scripted model saw no ${what} ${why}. ${list}`);
  }

  override get name(): string {
    return "RequestNotSeenError";
  }
}

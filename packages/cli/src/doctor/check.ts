/** What a check found. */
export interface Finding {
  /** `"info"` is neither good nor bad. */
  readonly status: "ok" | "info" | "warning" | "failed";
  readonly message: string;
  /** What to do about it. */
  readonly next?: string;
}

/** A finding, and what was looked at. */
export interface CheckResult extends Finding {
  readonly check: string;
}

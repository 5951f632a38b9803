/** Something that will not do what was probably meant, and is not wrong enough to refuse. */
export interface LaunchWarning {
  /**
   * - `"REINS_OPTION_UNKNOWN"`: there is no option of this name.
   * - `"REINS_OPTION_WITHOUT_EFFECT"`: the option is given and does nothing here.
   * - `"REINS_PERMISSION_SHADOWED"`: the permission callback is not asked about some or all tools.
   * - `"REINS_AGENT_SERVER_SHARED"`: an in-process server of an agent is one of the session's.
   * - `"REINS_NOT_APPLIED"`: the CLI did not take something that it was told.
   */
  readonly code:
    | "REINS_OPTION_UNKNOWN"
    | "REINS_OPTION_WITHOUT_EFFECT"
    | "REINS_PERMISSION_SHADOWED"
    | "REINS_AGENT_SERVER_SHARED"
    | "REINS_NOT_APPLIED";
  /** The option that it is about. */
  readonly option: string;
  /** What happens, and what to do. */
  readonly message: string;
}

/** Takes warnings. What it throws is ignored. */
export type OnWarning = (warning: LaunchWarning) => void;

/**
 * Gives a warning to the callback, or, where there is none, emits it as a warning of this process (`process.emitWarning`) with its code.
 * Node.js prints those on standard error, unless it is started with `--no-warnings` or `--disable-warning=CODE`.
 */
export function warn(onWarning: OnWarning | undefined, warning: LaunchWarning): void {
  if (onWarning == null) {
    process.emitWarning(warning.message, { type: "ReinsWarning", code: warning.code });
    return;
  }
  try {
    // It may be an async function, for all that its type says.
    const result: unknown = onWarning(warning);
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // A log that fails must not keep a session from its start.
  }
}

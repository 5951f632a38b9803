import { ReinsError } from "@reins/streamjson";

/** The CLI refused a control request. The message is the CLI's own text. */
export class ControlError extends ReinsError {
  readonly code = "REINS_CONTROL_REFUSED" as const;
  /** Subtype of the request that was refused, such as `"set_model"`. */
  readonly subtype: string;
  /** The CLI's stable token for the reason, such as `"invalid_mode"`, where it gave one. */
  readonly errorCode: string | undefined;

  constructor(subtype: string, text: string, errorCode?: string) {
    super(text);
    this.subtype = subtype;
    this.errorCode = errorCode;
  }

  override get name(): string {
    return "ControlError";
  }
}

/** A control request was not answered in time. Raise its `timeoutMs`, or find out what keeps the CLI. */
export class ControlTimeoutError extends ReinsError {
  readonly code = "REINS_CONTROL_TIMEOUT" as const;
  /** Subtype of the request that was not answered. */
  readonly subtype: string;
  /** How long it was waited for, in milliseconds. */
  readonly timeoutMs: number;

  constructor(subtype: string, timeoutMs: number) {
    const advice =
      subtype === "initialize"
        ? "Does the other side run claude with --input-format stream-json and --output-format stream-json? A slow start needs a longer timeout."
        : "Raise timeoutMs, or look at what keeps the CLI busy.";
    super(`The control request ${subtype} was not answered within ${timeoutMs} ms. ${advice}`);
    this.subtype = subtype;
    this.timeoutMs = timeoutMs;
  }

  override get name(): string {
    return "ControlTimeoutError";
  }
}

/** The session ended, or was closed, before something was answered or could be sent. */
export class SessionClosedError extends ReinsError {
  readonly code = "REINS_SESSION_CLOSED" as const;

  constructor(reason: string, cause?: unknown) {
    super(
      `Query closed before response received: ${reason}. Start a new session.`,
      cause === undefined ? undefined : { cause },
    );
  }

  override get name(): string {
    return "SessionClosedError";
  }
}

/** The CLI reported an error result and then failed. `cause` is the error of the process. */
export class ResultError extends ReinsError {
  readonly code = "REINS_RESULT" as const;
  /** The result message as the CLI wrote it. It was delivered before this error. */
  readonly result: Readonly<Record<string, unknown>>;

  constructor(text: string, result: Readonly<Record<string, unknown>>, cause?: unknown) {
    super(`Claude Code returned an error result: ${text}`, cause === undefined ? undefined : { cause });
    this.result = result;
  }

  /** Why the CLI did not start, if that is what failed and `CLAUDE_CODE_STARTUP_FAILURE_RESULTS` is set. Published programs look for it. */
  get startupFailureReason(): string | undefined {
    const reason = this.result["startup_failure_reason"];
    return typeof reason === "string" ? reason : undefined;
  }

  override get name(): string {
    return "ResultError";
  }
}

/**
 * The CLI was to resume a session that it did not find. Check the id, and the working folder: sessions are kept by folder. It ends the
 * session at once; nothing was sent to the model.
 */
export class ResumeError extends ResultError {
  /** The id that was asked for. */
  readonly sessionId: string;
  /**
   * Where the CLI looked for it; `undefined` where that is not known, as behind a transport of the caller's own. With a session store that was
   * where it looked when the store had no such session under the project key that the folder is named after.
   */
  readonly folder: string | undefined;

  constructor(
    text: string,
    result: Readonly<Record<string, unknown>>,
    place: { readonly sessionId: string; readonly folder: string | undefined },
    cause?: unknown,
  ) {
    super(text, result, cause);
    this.sessionId = place.sessionId;
    this.folder = place.folder;
  }

  override get name(): string {
    return "ResumeError";
  }
}

/** The CLI ended without a result for the last prompt, and without an error that would say why. */
export class NoResultError extends ReinsError {
  readonly code = "REINS_NO_RESULT" as const;
  /** The last part of the CLI's standard error. */
  readonly stderrTail: string;

  constructor(stderrTail: string) {
    super(
      "The CLI ended without a result for the last prompt. Look at stderrTail, and at the messages before this error.",
    );
    this.stderrTail = stderrTail;
  }

  override get name(): string {
    return "NoResultError";
  }
}

/** A prompt got no result of its own: it was taken back, or the CLI did not take it. Send it again if it is still wanted. */
export class TurnEndedError extends ReinsError {
  readonly code = "REINS_TURN_ENDED" as const;
  /** The uuid of the prompt. */
  readonly uuid: string;
  /** What the CLI said of it: `cancelled`, `discarded` or `refused`. */
  readonly state: string;

  constructor(uuid: string, state: string) {
    super(`The prompt ${uuid} was ${state} before a turn took it in.`);
    this.uuid = uuid;
    this.state = state;
  }

  override get name(): string {
    return "TurnEndedError";
  }
}

/** The CLI is too old for what was asked. Update it, or leave the option out. */
export class CapabilityError extends ReinsError {
  readonly code = "REINS_CAPABILITY_MISSING" as const;
  /** The capability that the CLI does not report, such as `"mcp_call_check_permissions_v1"`. */
  readonly capability: string;

  constructor(what: string, capability: string) {
    super(
      `The CLI is too old for ${what}: it does not report the capability ${capability}. Update it, or leave that out.`,
    );
    this.capability = capability;
  }

  override get name(): string {
    return "CapabilityError";
  }
}

import { OptionError } from "./errors.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { permissionWarnings } from "./permission-warnings.ts";
import { warn } from "./warnings.ts";

/** What decides, besides the options, whether they can work. */
export interface LaunchUser {
  /** User id that the CLI will have; `undefined` where that is not known, or where there are none. */
  readonly uid: number | undefined;
  /** The environment that it will have. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Refuses options that contradict one another, each of which is right by itself. The CLI would refuse most of them too, but by an exit that
 * does not name the option.
 *
 * @throws {@link OptionError}
 */
export function refuseContradictions(options: LaunchOptions, user: LaunchUser): void {
  for (const [option, problemOf] of contradictions) {
    const problem = problemOf(options, user);
    if (problem !== undefined) throw new OptionError(option, problem);
  }
}

/** Warns of options that are right and yet do not do what was probably meant. */
export function warnOfIneffective(options: LaunchOptions): void {
  const { onWarning } = options;
  if (options.thinking != null && options.maxThinkingTokens != null) {
    ineffective("maxThinkingTokens", "is not read where thinking is given. Set thinking.budgetTokens.");
  }
  if (options.forkSession && !options.resume && !options.continue) {
    ineffective("forkSession", "needs a session to fork: set resume or continue.");
  }
  for (const warning of permissionWarnings(options)) warn(onWarning, warning);

  function ineffective(option: string, problem: string): void {
    warn(onWarning, { code: "REINS_OPTION_WITHOUT_EFFECT", option, message: `The option ${option} ${problem}` });
  }
}

const contradictions: readonly (readonly [
  option: keyof LaunchOptions,
  problemOf: (options: LaunchOptions, user: LaunchUser) => string | undefined,
])[] = [
  [
    "fallbackModel",
    ({ model, fallbackModel }) =>
      fallbackModel && fallbackModel === model
        ? "cannot be the same as the main model. Please specify a different model."
        : undefined,
  ],
  [
    "continue",
    (options) =>
      options.continue && options.resume
        ? "cannot be used with resume: one goes on with the latest session, the other with the one that it names."
        : undefined,
  ],
  [
    "sessionId",
    (options) =>
      options.sessionId && (options.resume || options.continue) && !options.forkSession
        ? "is for a new session. With resume or continue it needs forkSession."
        : undefined,
  ],
  [
    "resumeSessionAt",
    ({ resumeSessionAt, resume }) => (resumeSessionAt && !resume ? "needs resume, with the session." : undefined),
  ],
  [
    "resumeDropsTurn",
    ({ resumeDropsTurn, resumeSessionAt }) =>
      // An empty one is given, too: the CLI takes it so.
      resumeDropsTurn != null && !resumeSessionAt ? "needs resumeSessionAt, with the message." : undefined,
  ],
  [
    "permissionMode",
    ({ permissionMode, allowDangerouslySkipPermissions }) =>
      permissionMode === "bypassPermissions" && !allowDangerouslySkipPermissions
        ? 'can be "bypassPermissions" only together with allowDangerouslySkipPermissions: true.'
        : undefined,
  ],
  [
    "allowDangerouslySkipPermissions",
    ({ allowDangerouslySkipPermissions }, { uid, env }) =>
      allowDangerouslySkipPermissions && uid === 0 && env["IS_SANDBOX"] !== "1" && !env["CLAUDE_CODE_BUBBLEWRAP"]
        ? "cannot be used by root: the CLI refuses it. Run as another user, or, in a sandbox, set IS_SANDBOX=1 in env."
        : undefined,
  ],
  [
    "persistSession",
    ({ persistSession, sessionMirror }) =>
      persistSession === false && sessionMirror
        ? "cannot be false with a session store (sessionMirror): what goes there is the transcript."
        : undefined,
  ],
  [
    "enableFileCheckpointing",
    ({ enableFileCheckpointing, sessionMirror }) =>
      enableFileCheckpointing && sessionMirror
        ? "cannot be used with a session store (sessionMirror), which does not hold the copies of the files."
        : undefined,
  ],
];

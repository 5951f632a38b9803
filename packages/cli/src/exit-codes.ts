/** What the command's exit codes mean. A signal that ended it is 128 and its number, as in shells. */
export const exitCodes: {
  readonly ok: 0;
  /** Something failed: the model's turn, a store, a check. */
  readonly failed: 1;
  /** The command line makes no sense. */
  readonly usage: 2;
  /** `query`: a limit of turns, money or time was reached. */
  readonly limitReached: 3;
  /** `query`: the turn was ended on purpose, by a hook or an interrupt. */
  readonly stopped: 4;
  /** `query`: there was no turn, because the CLI is missing or did not start. */
  readonly notStarted: 5;
} = { ok: 0, failed: 1, usage: 2, limitReached: 3, stopped: 4, notStarted: 5 };

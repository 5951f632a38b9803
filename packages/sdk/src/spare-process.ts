import type { ParkingFolder } from "@reins/process";
import { type Claim, ClaimError, type ClaimOptions, checkClaimOptions, claimSession } from "./claim.ts";
import { splitServers } from "./options.ts";
import { checkPrompt, feedPrompt, type Prompt } from "./prompt.ts";
import type { Query } from "./query.ts";
import { QuerySession } from "./query-session.ts";
import { AlreadyUsedError } from "./warm-query.ts";
import type { WarmSession } from "./warm-session.ts";

/** A CLI that was started and initialized, and is no session yet. It is claimed once, or closed. */
export interface SpareProcess extends AsyncDisposable {
  /**
   * Makes the spare a session, and sends the first prompt. Behind a claim that was refused the query ends with an error, and
   * {@link SpareProcess.claimed} says why; start the session with {@link query} then.
   *
   * With `settings` the prompt is sent once the CLI has taken them, and not at all when it refuses them.
   *
   * @throws {@link OptionError} for options that no claim can have, {@link PromptError} for a prompt that is none: nothing was sent, and the
   * spare can still be claimed. {@link AlreadyUsedError} for a second claim, {@link ClaimError} when the spare was closed or is gone.
   */
  claim(parameters: { readonly prompt: Prompt; readonly options: ClaimOptions }): Query;

  /**
   * Settles when the CLI has answered the claim and all that was sent with it. Rejects with a {@link ClaimError}: the prompt did not run
   * then, unless its reason is `"option_not_applied"`.
   */
  readonly claimed: Promise<Claim>;

  /** Settles when the CLI is gone, claimed or not: one that dies unclaimed should be replaced. Never rejects. */
  readonly exited: Promise<void>;

  /** Stops the CLI. Settles when its exit was seen; never rejects. Behind a claim it is the same as closing the query. */
  close(): Promise<void>;
}

/**
 * @param session One that is ready, and was started with `--await-claim`.
 * @param parking The folder in which it waits, where that is ours.
 */
export function spareProcess(session: WarmSession, parking: ParkingFolder | undefined): SpareProcess {
  const { client, done, initialization, options } = session;
  let state: "parked" | "claimed" | "over" = "parked";
  let settleClaimed = { resolve: (_claim: Promise<Claim>): void => {}, reject: (_error: ClaimError): void => {} };
  const claimed = new Promise<Claim>((resolve, reject) => {
    settleClaimed = { resolve, reject };
  });
  // Whoever waits is told.
  claimed.catch(() => {});
  const giveUp = (reason: string, text: string): void => {
    if (state !== "parked") return;
    state = "over";
    settleClaimed.reject(new ClaimError(reason, text));
  };
  void client.ended.then(() => {
    giveUp("spare_exited", "the spare ended before it was claimed. Start the session with query().");
    parking?.release();
  });
  const close = async (): Promise<void> => {
    giveUp("spare_closed", "the spare was closed before it was claimed.");
    await client.close();
    await done;
  };
  return {
    claimed,
    exited: done,
    claim({ prompt, options: claimOptions }) {
      if (state === "claimed") throw new AlreadyUsedError("SpareProcess.claim");
      if (state === "over") throw new ClaimError("spare_exited", "the spare was closed, or is gone.");
      checkPrompt(prompt);
      checkClaimOptions(claimOptions);
      state = "claimed";
      const serverNames = Object.keys(splitServers(options.mcpServers ?? {}).inProcess);
      const { answer, accepted, claimed: claim } = claimSession(client, claimOptions, serverNames);
      settleClaimed.resolve(claim);
      // What the CLI said before was of the place where it was parked.
      client.becomes(
        answer.then(
          ({ initialize }) => initialize ?? initialization,
          () => initialization,
        ),
      );
      answer.then(
        () => parking?.release(),
        // A prompt that was sent is answered with an error; one that waits for more of it will not come.
        () => void client.finish(),
      );
      const hasSettings = Object.keys(claimOptions.settings ?? {}).length > 0;
      void feedPrompt(client, prompt, options.verbatimPrompts ?? false, hasSettings ? accepted : undefined);
      return new QuerySession(session);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

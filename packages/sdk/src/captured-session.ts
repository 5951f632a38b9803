import { inheritEnv, type LaunchOptions, warn } from "@reins/process";
import type { Wiretap } from "@reins/wiretap";
import type { Options } from "./options.ts";

/** What `captureDir` adds to a session. */
export interface CapturedSession {
  /** Starts the wiretap, and gives the options of a start that goes through it. */
  readonly prepare: (launch: LaunchOptions) => Promise<LaunchOptions>;
  /** Stops it, when the CLI is gone. Never rejects. */
  readonly end: () => Promise<void>;
}

/** @returns `undefined` without `captureDir`. */
export function capturedSession({ captureDir, onWarning }: Options): CapturedSession | undefined {
  if (captureDir === undefined) return undefined;
  let starting: Promise<Wiretap> | undefined;
  let isOver = false;
  const start = async (env: NonNullable<LaunchOptions["env"]>): Promise<Wiretap> => {
    // Loaded for those who want it only.
    const { startWiretap } = await import("@reins/wiretap");
    return startWiretap({
      dir: captureDir,
      // As the CLI would take it, so not that of this process where the options say another environment.
      upstream: env["ANTHROPIC_BASE_URL"] || "https://api.anthropic.com",
      onError: ({ message }) => warn(onWarning, { code: "REINS_NOT_APPLIED", option: "captureDir", message }),
    });
  };
  return {
    async prepare(launch) {
      // Nobody would stop it any more.
      if (isOver) throw new Error("The session was closed before its start.");
      const env = launch.env ?? inheritEnv();
      starting = start(env);
      return { ...launch, env: (await starting).env(env) };
    },
    async end() {
      isOver = true;
      // That it could not be started was told as the end of the session.
      const wiretap = await starting?.catch(() => undefined);
      await wiretap?.close();
    },
  };
}

import { createParkingFolder, OptionError } from "@reins/process";
import type { Options } from "./options.ts";
import { type SpareProcess, spareProcess } from "./spare-process.ts";
import { startWarmSession } from "./warm-session.ts";

/**
 * Starts a CLI as a spare, before it is known which session it will serve. {@link SpareProcess.claim} makes it one.
 *
 * `startup()` needs the folder and the options of the session; this one needs neither, and has tools, plugins and MCP servers ready.
 * What a claim can say is in {@link ClaimOptions}; all other options are fixed here, the environment, hooks, servers and callbacks among
 * them. A spare takes about 250 MB.
 *
 * Without `cwd` it waits in a private folder under the CLI's config folder, which is removed behind the claim. With a custom spawner that
 * runs elsewhere give a `cwd` that exists there.
 *
 * @param parameters.initializeTimeoutMs Milliseconds after which the start is given up. Default 60,000.
 * @throws {@link OptionError} for an option that belongs to a session; what {@link startup} throws, also for a CLI that is too old for this.
 * @example
 * await using spare = await prewarm();
 * for await (const message of spare.claim({ prompt: "What is this?", options: { cwd: "/srv/project" } })) console.log(message.type);
 */
export async function prewarm(
  parameters: { readonly options?: Options | undefined; readonly initializeTimeoutMs?: number | undefined } = {},
): Promise<SpareProcess> {
  const { options = {} } = parameters;
  for (const option of ["resume", "continue", "forkSession"] as const) {
    if (options[option])
      throw new OptionError(option, "describes a session; a spare has none. Pass it to query() instead.");
  }
  const parking = options.cwd || options.transport ? undefined : createParkingFolder(options.env ?? process.env);
  try {
    const session = startWarmSession(
      {
        ...options,
        ...(parking && { cwd: parking.path }),
        extraArgs: { ...options.extraArgs, "await-claim": null },
      },
      parameters.initializeTimeoutMs ?? options.initializeTimeoutMs ?? 60_000,
    );
    await session.ready;
    return spareProcess(session, parking);
  } catch (error) {
    parking?.release();
    throw error;
  }
}

import { stat } from "node:fs/promises";
import type { SessionKey } from "@reins/sessions";
import type { Continuation } from "../protocol.ts";
import type { Library } from "./library.ts";
import { RunError } from "./run-error.ts";
import type { Resumed, Runs } from "./runs.ts";

/** A turn writes more often than that, unless a tool takes longer. */
const growingMs = 60_000;

/** Tells whether a session can be gone on with here, and where. */
export async function continuationOf(library: Library, runs: Runs, key: SessionKey): Promise<Continuation> {
  const { cwd, changedAt } = await library.whereabouts(key);
  // What this server wrote itself, and has ended, is written by nobody.
  const isGrowing = runs.stateOf(key.sessionId) === undefined && Date.now() - changedAt < growingMs;
  const place = cwd === undefined ? {} : { cwd };
  try {
    await checkFolder(cwd);
    return { ...place, isGrowing };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { ...place, isGrowing, problem: error.message };
  }
}

/**
 * A session to go on with.
 *
 * @throws RunError where its folder is not known, or is gone.
 */
export async function resumedOf(library: Library, key: SessionKey): Promise<Resumed> {
  const { cwd } = await library.whereabouts(key);
  return { key, cwd: await checkFolder(cwd) };
}

async function checkFolder(cwd: string | undefined): Promise<string> {
  if (cwd === undefined) {
    throw new RunError("Nothing says for certain which folder this session worked in, so it is not started.");
  }
  const folder = await stat(cwd).catch(() => undefined);
  if (folder?.isDirectory() !== true) throw new RunError(`The folder of this session is not there any more: ${cwd}`);
  return cwd;
}

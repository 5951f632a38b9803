import { dirname, resolve } from "node:path";
import {
  copySession,
  exportSession,
  importSession,
  isSessionId,
  type TransferredTranscript,
  transcriptPath,
} from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import { printableLine } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { nameIn, openPlace, type PlaceOptions, projectOf, sessionIdsOf } from "./place.ts";

/** Options of `sessions import`. */
export interface ImportOptions {
  readonly store: string;
  readonly all?: boolean;
  readonly dir?: string;
  readonly configDir?: string;
  readonly project?: string;
}

/** Options of `sessions export`. */
export interface ExportOptions extends PlaceOptions {
  readonly store: string;
  readonly all?: boolean;
  readonly to?: string;
  readonly overwrite?: boolean;
}

/** Options of `sessions copy`. */
export interface CopyOptions extends PlaceOptions {
  readonly store: string;
  readonly to: string;
  readonly all?: boolean;
  readonly toProject?: string;
  readonly as?: string;
}

/** `reins sessions import` */
export async function importSessions(
  context: Context,
  options: ImportOptions,
  sessions: readonly string[],
): Promise<number> {
  const { dir, configDir, project } = options;
  await using place = await openPlace(context, { ...(dir && { dir }), ...(configDir && { configDir }) });
  const ids = await sessionIdsOf(place.location, sessions, options.all);
  await using target = await openSessionStore(options.store, { create: true });
  const { signal } = context;
  return await eachSession(context, ids, "imported", async (id) => {
    const report = await importSession(id, target.store, {
      ...place.location,
      signal,
      ...(project !== undefined && { projectKey: project }),
    });
    const skippedLines = report.transcripts.reduce((sum, each) => sum + each.skippedLines, 0);
    return { ...counts(report.transcripts), projectKey: report.key.projectKey, skippedLines };
  });
}

/** `reins sessions export` */
export async function exportSessions(
  context: Context,
  options: ExportOptions,
  sessions: readonly string[],
): Promise<number> {
  const { configDir, ...source } = options;
  await using place = await openPlace(context, source);
  const { store } = place;
  if (store === undefined) throw new UsageError("Say with --store where the sessions are.");
  const ids = await sessionIdsOf(place.location, sessions, options.all);
  const { signal } = context;
  return await eachSession(context, ids, "exported", async (sessionId) => {
    const name = nameIn(source, sessionId);
    const directory = options.to === undefined ? dirname(transcriptPath(name, { configDir })) : resolve(options.to);
    const report = await exportSession(store, name, { directory, overwrite: options.overwrite === true, signal });
    return { path: report.path, files: report.files.length, refusedSubpaths: report.refusedSubpaths };
  });
}

/** `reins sessions copy` */
export async function copySessions(
  context: Context,
  options: CopyOptions,
  sessions: readonly string[],
): Promise<number> {
  await using place = await openPlace(context, options);
  const { store } = place;
  if (store === undefined) throw new UsageError("Say with --store where the sessions are.");
  const ids = await sessionIdsOf(place.location, sessions, options.all);
  const { as } = options;
  if (as !== undefined && ids.length !== 1) throw new UsageError("--as is for one session.");
  if (as !== undefined && !isSessionId(as)) throw new UsageError("--as takes the id of a session, which is a UUID.");
  await using target = await openSessionStore(options.to, { create: true });
  const projectKey = options.toProject ?? projectOf(options);
  const { signal } = context;
  return await eachSession(context, ids, "copied", async (sessionId) => {
    const name = nameIn(options, sessionId);
    const report = await copySession(store, target.store, name, {
      signal,
      as: { projectKey, sessionId: as ?? sessionId },
    });
    return { ...counts(report.transcripts), ...(as !== undefined && { as }), withSubpaths: report.withSubpaths };
  });
}

/** Does one session after the other, and says what came of each, and how far it is. */
async function eachSession(
  context: Context,
  ids: readonly string[],
  done: string,
  transfer: (sessionId: string) => Promise<object>,
): Promise<number> {
  for (const [index, sessionId] of ids.entries()) {
    context.signal.throwIfAborted();
    await context.progress.show(`Session ${index + 1} of ${ids.length} ...`);
    const result = await transfer(sessionId);
    await context.progress.clear();
    if (context.json) await context.writeJson({ sessionId, ...result });
    else await context.out.write(`${sessionId} ${done}: ${describe(result)}\n`);
  }
  if (!context.json) await context.note(`${ids.length} ${ids.length === 1 ? "session" : "sessions"} ${done}.`);
  return exitCodes.ok;
}

function counts(transcripts: readonly TransferredTranscript[]): { appended: number; alreadyThere: number } {
  return {
    appended: transcripts.reduce((sum, each) => sum + each.appended, 0),
    alreadyThere: transcripts.reduce((sum, each) => sum + each.alreadyThere, 0),
  };
}

const words: Readonly<Record<string, string>> = {
  appended: "entries written",
  alreadyThere: "already there",
  skippedLines: "broken lines left out",
  files: "files",
};

function describe(result: object): string {
  return Object.entries(result)
    .filter(([name, value]) => name === "path" || (name in words && value !== 0))
    .map(([name, value]) => (name === "path" ? printableLine(String(value)) : `${value} ${words[name]}`))
    .join(", ");
}

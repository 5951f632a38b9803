import {
  isSessionId,
  listSessions,
  projectKeyForDirectory,
  type SessionInfo,
  type SessionLocation,
  type SessionName,
  type SessionStore,
  TranscriptAccessError,
} from "@reins/sessions";
import type { Context } from "../context.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import { printable } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { withProject } from "./with-project.ts";

/** The options that say where sessions are. */
export interface PlaceOptions {
  readonly dir?: string;
  readonly configDir?: string;
  readonly store?: string;
  readonly project?: string;
}

/** Where sessions are: the CLI's folder, or a store, which is closed with it. */
export interface Place extends AsyncDisposable {
  /** For the functions of `@reins/sessions`. */
  readonly location: SessionLocation;
  /** The store, if they are in one. */
  readonly store: SessionStore | undefined;
  /** Whether a file or folder could not be read, which was said on stderr. */
  readonly hadProblem: () => boolean;
}

/** Opens the place that the options name. */
export async function openPlace(context: Context, options: PlaceOptions): Promise<Place> {
  const problems = new Set<string>();
  const location: SessionLocation = {
    dir: options.dir,
    configDir: options.configDir,
    onProblem: (error) => {
      // A line that is no entry is passed over by the CLI, too.
      if (!(error instanceof TranscriptAccessError)) return;
      // Its own message has advice for programs. Said once, however often it is read.
      const text = error.cause instanceof Error ? error.cause.message : error.message;
      if (problems.has(text)) return;
      problems.add(text);
      context.note(`${context.errStyle.yellow("Warning:")} ${printable(text)}. It is left out.`).catch(() => {});
    },
  };
  const hadProblem = (): boolean => problems.size > 0;
  if (options.store === undefined) {
    if (options.project !== undefined) throw new UsageError("--project is for stores: give --store URL, or --dir.");
    return { location, store: undefined, hadProblem, [Symbol.asyncDispose]: async () => {} };
  }
  if (options.configDir !== undefined)
    throw new UsageError("--config-dir is for files: it has no effect on a --store.");
  const { store: whole, [Symbol.asyncDispose]: dispose } = await openSessionStore(options.store);
  const store = options.project === undefined ? whole : withProject(whole, options.project);
  return { location: { ...location, sessionStore: store }, store, hadProblem, [Symbol.asyncDispose]: dispose };
}

/** The project of a store that the options name: `--project`, or that of `--dir`. */
export function projectOf(options: PlaceOptions): string {
  return options.project ?? projectKeyForDirectory(options.dir);
}

/** The name in a store of a session with this id. */
export function nameIn(options: PlaceOptions, sessionId: string): SessionName {
  return { projectKey: projectOf(options), sessionId };
}

/**
 * The id of a session that was given by its id, or by how it begins.
 *
 * @throws UsageError when none begins so, or several.
 */
export async function sessionIdOf(location: SessionLocation, text: string): Promise<string> {
  const given: unknown = text;
  if (isSessionId(given)) return given;
  const isStart = /^[0-9a-f][0-9a-f-]{3,}$/i.test(text);
  if (!isStart)
    throw new UsageError(`${JSON.stringify(text)} is no session id, nor the beginning of one (4 characters or more).`);
  const start = text.toLowerCase();
  const found = (await listSessions(location)).filter(({ sessionId }) => sessionId.startsWith(start));
  if (found.length === 0) throw new UsageError(`No session begins with ${text}.`);
  if (found.length > 1)
    throw new UsageError(`${found.length} sessions begin with ${text}: ${found.map(idOf).join(", ")}.`);
  return idOf(found[0]!);
}

/** Ids of all sessions that are named, or with `--all` of all that there are. */
export async function sessionIdsOf(
  location: SessionLocation,
  texts: readonly string[],
  all: boolean | undefined,
): Promise<string[]> {
  if (all === true && texts.length > 0) throw new UsageError("Name sessions, or give --all, not both.");
  if (all === true) return (await listSessions(location)).map(idOf);
  if (texts.length === 0) throw new UsageError("Name a session, or give --all.");
  const ids: string[] = [];
  for (const text of texts) ids.push(await sessionIdOf(location, text));
  return ids;
}

function idOf({ sessionId }: SessionInfo): string {
  return sessionId;
}

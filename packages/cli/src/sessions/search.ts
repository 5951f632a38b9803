import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  exportSession,
  listSessions,
  type SearchSessionsOptions,
  type SessionMatch,
  type SessionStore,
  searchSessions,
} from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printableLine } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { nameIn, openPlace, type PlaceOptions } from "./place.ts";

/** Options of `sessions search`. */
export interface SearchOptions extends PlaceOptions {
  readonly regex?: boolean;
  readonly caseSensitive?: boolean;
  readonly limit?: number;
}

/** A match in a store has no file. */
type Match = Omit<SessionMatch, "path" | "byteOffset"> & Partial<Pick<SessionMatch, "path" | "byteOffset">>;

/** `reins sessions search` */
export async function search(
  context: Context,
  options: SearchOptions,
  [text = ""]: readonly string[],
): Promise<number> {
  if (text === "") throw new UsageError("There is nothing to search for.");
  const query = options.regex === true ? expression(text, options.caseSensitive === true) : text;
  await using place = await openPlace(context, options);
  const how: SearchSessionsOptions = { caseSensitive: options.caseSensitive, limit: options.limit };
  // No signal for files: nothing is held, and an expression that never ends could not be interrupted by one.
  const matches =
    place.store === undefined
      ? searchSessions(query, { ...place.location, ...how })
      : searchStore(context, place.store, query, options, how);
  let count = 0;
  for await (const match of matches) {
    count++;
    await context.progress.clear();
    if (context.json) await context.writeJson(match);
    else await context.out.write(asLine(context, match));
  }
  await context.progress.clear();
  if (count === 0 && !context.json) await context.note("Nothing was found.");
  return place.hadProblem() ? exitCodes.failed : exitCodes.ok;
}

function expression(text: string, isCaseSensitive: boolean): RegExp {
  try {
    return new RegExp(text, isCaseSensitive ? "u" : "iu");
  } catch (error) {
    throw new UsageError(`${JSON.stringify(text)} is no regular expression.`, { cause: error });
  }
}

/** Writes one session after the other as files, and searches these: what is found in a store is what would be found at home. */
async function* searchStore(
  context: Context,
  store: SessionStore,
  query: string | RegExp,
  options: SearchOptions,
  how: SearchSessionsOptions,
): AsyncGenerator<Match, undefined, undefined> {
  const { signal } = context;
  const folder = await mkdtemp(join(tmpdir(), "reins-search-"));
  try {
    const sessions = await listSessions({ sessionStore: store, dir: options.dir });
    let left = how.limit ?? Number.POSITIVE_INFINITY;
    for (const [index, { sessionId }] of sessions.entries()) {
      signal.throwIfAborted();
      await context.progress.show(`Searching session ${index + 1} of ${sessions.length} ...`);
      const name = nameIn(options, sessionId);
      const configDir = join(folder, sessionId);
      await exportSession(store, name, { directory: join(configDir, "projects", "searched"), signal });
      for await (const { path, byteOffset, ...match } of searchSessions(query, {
        ...how,
        configDir,
        limit: left,
        signal,
      })) {
        yield { ...match, projectKey: name.projectKey };
        left--;
      }
      if (left <= 0) return;
      await rm(configDir, { recursive: true, force: true });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function asLine({ style }: Context, { sessionId, timestamp = "", type, excerpt }: Match): string {
  const place = `${style.cyan(printableLine(sessionId, 40))} ${style.dim(printableLine(`${timestamp} ${type}`, 60))}`;
  return `${place}\n  ${printableLine(excerpt)}\n`;
}

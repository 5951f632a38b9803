import { archiveSession, renameSession, type SessionLocation, tagSession, unarchiveSession } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { openPlace, type PlaceOptions, sessionIdOf, sessionIdsOf } from "./place.ts";
import { requireSession } from "./require-session.ts";

/** Options of the commands that change one session. */
export type ChangeOptions = PlaceOptions;

/** `reins sessions rename` */
export async function rename(
  context: Context,
  options: ChangeOptions,
  [session = "", title = ""]: readonly string[],
): Promise<number> {
  return await change(context, options, session, (id, location) => renameSession(id, title, location), {
    customTitle: title.trim(),
  });
}

/** `reins sessions tag` */
export async function tag(
  context: Context,
  options: ChangeOptions,
  [session = "", text]: readonly string[],
): Promise<number> {
  const value = text ?? null;
  return await change(context, options, session, (id, location) => tagSession(id, value, location), { tag: value });
}

/** `reins sessions archive` */
export async function archive(
  context: Context,
  options: ChangeOptions & { readonly undo?: boolean },
  sessions: readonly string[],
): Promise<number> {
  await using place = await openPlace(context, options);
  const isArchived = options.undo !== true;
  for (const id of await sessionIdsOf(place.location, sessions, false)) {
    await requireSession(id, place.location);
    await (isArchived ? archiveSession(id, place.location) : unarchiveSession(id, place.location));
    await say(context, { sessionId: id, archived: isArchived });
  }
  return exitCodes.ok;
}

async function change(
  context: Context,
  options: ChangeOptions,
  session: string,
  apply: (sessionId: string, location: SessionLocation) => Promise<void>,
  changed: object,
): Promise<number> {
  await using place = await openPlace(context, options);
  const id = await sessionIdOf(place.location, session);
  await requireSession(id, place.location);
  await apply(id, place.location);
  await say(context, { sessionId: id, ...changed });
  return exitCodes.ok;
}

/** A change that was made is silent for a person, as that of `mv` is. */
async function say(context: Context, changed: object): Promise<void> {
  if (context.json) await context.writeJson(changed);
}

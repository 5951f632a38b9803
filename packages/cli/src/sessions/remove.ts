import { deleteSession } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { confirm } from "../terminal/confirm.ts";
import { UsageError } from "../usage-error.ts";
import { openPlace, type PlaceOptions, sessionIdsOf } from "./place.ts";
import { requireSession } from "./require-session.ts";

/** Options of `sessions rm`. */
export interface RemoveOptions extends PlaceOptions {
  readonly yes?: boolean;
}

/** `reins sessions rm` */
export async function remove(context: Context, options: RemoveOptions, sessions: readonly string[]): Promise<number> {
  await using place = await openPlace(context, options);
  if (place.store !== undefined && place.store.delete === undefined) {
    throw new UsageError("This store keeps everything: it cannot delete.");
  }
  const ids = await sessionIdsOf(place.location, sessions, false);
  // All of them first: a misspelt id leaves the others alone.
  for (const id of ids) await requireSession(id, place.location);
  if (options.yes !== true) {
    const question = `Delete ${ids.length === 1 ? `the session ${ids[0]}` : `${ids.length} sessions`} for good?`;
    const answer = await confirm(context, question);
    if (answer === undefined) throw new UsageError("Nothing was deleted: there is no terminal to ask on. Give --yes.");
    if (!answer) {
      await context.note("Nothing was deleted.");
      return exitCodes.failed;
    }
  }
  for (const id of ids) {
    await deleteSession(id, place.location);
    if (context.json) await context.writeJson({ sessionId: id, deleted: true });
  }
  return exitCodes.ok;
}

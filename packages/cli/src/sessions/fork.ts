import { forkSession } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { openPlace, type PlaceOptions, sessionIdOf } from "./place.ts";

/** Options of `sessions fork`. */
export interface ForkOptions extends PlaceOptions {
  readonly upTo?: string;
  readonly title?: string;
}

/** `reins sessions fork` */
export async function fork(context: Context, options: ForkOptions, [session = ""]: readonly string[]): Promise<number> {
  await using place = await openPlace(context, options);
  const id = await sessionIdOf(place.location, session);
  const forked = await forkSession(id, { ...place.location, upToMessageId: options.upTo, title: options.title });
  if (context.json) await context.writeJson({ sessionId: forked.sessionId, forkedFrom: id });
  else await context.out.write(`${forked.sessionId}\n`);
  return exitCodes.ok;
}

import { type SessionReport, verifySession } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printableLine } from "../terminal/printable.ts";
import { LocalSession } from "./local-session.ts";
import { nameIn, openPlace, type Place, type PlaceOptions, sessionIdsOf } from "./place.ts";

/** Options of `sessions verify`. */
export type VerifyOptions = PlaceOptions;

/** `reins sessions verify` */
export async function verify(context: Context, options: VerifyOptions, sessions: readonly string[]): Promise<number> {
  await using place = await openPlace(context, options);
  const ids = await sessionIdsOf(place.location, sessions, sessions.length === 0);
  let damaged = 0;
  for (const [index, id] of ids.entries()) {
    context.signal.throwIfAborted();
    await context.progress.show(`Checking session ${index + 1} of ${ids.length} ...`);
    const report = await verifyIn(context, place, options, id);
    await context.progress.clear();
    if (!report.ok) damaged++;
    if (context.json) await context.writeJson(report);
    else await context.out.write(asText(context, report));
  }
  if (!context.json) await context.note(`${ids.length} checked, ${damaged} damaged.`);
  return damaged > 0 || place.hadProblem() ? exitCodes.failed : exitCodes.ok;
}

async function verifyIn(
  context: Context,
  { store, location }: Place,
  options: VerifyOptions,
  sessionId: string,
): Promise<SessionReport> {
  if (store !== undefined) return await verifySession(store, nameIn(options, sessionId));
  const files = await LocalSession.find(sessionId, location, context.signal);
  return await verifySession(files, files.name);
}

function asText({ style }: Context, { session, ok, issues, transcripts }: SessionReport): string {
  const verdict = !ok ? style.red("damaged") : issues.length > 0 ? style.yellow("warnings") : style.green("whole");
  const entries = transcripts.reduce((sum, each) => sum + (each.entries ?? 0), 0);
  const head = `${printableLine(session.sessionId, 40)} ${verdict}, ${entries} entries in ${transcripts.length} transcripts\n`;
  return (
    head + issues.map(({ severity, kind, message }) => `  ${severity} ${kind}: ${printableLine(message)}\n`).join("")
  );
}

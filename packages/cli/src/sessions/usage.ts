import { listSessions, type SessionUsage, sessionUsage, type TokenUsage } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { printableLine } from "../terminal/printable.ts";
import { table } from "../terminal/table.ts";
import { openPlace, type PlaceOptions, sessionIdOf } from "./place.ts";
import { requireSession } from "./require-session.ts";
import { addUsage, noUsage } from "./usage-sum.ts";

/** Options of `sessions usage`. */
export interface UsageOptions extends PlaceOptions {
  readonly by: "model" | "day";
}

/** `reins sessions usage` */
export async function usage(context: Context, options: UsageOptions, [session]: readonly string[]): Promise<number> {
  await using place = await openPlace(context, options);
  const { location } = place;
  const { signal } = context;
  let total: SessionUsage;
  let count = 1;
  if (session === undefined) {
    total = noUsage;
    const sessions = await listSessions(location);
    count = sessions.length;
    for (const [index, { sessionId }] of sessions.entries()) {
      signal.throwIfAborted();
      await context.progress.show(`Reading session ${index + 1} of ${count} ...`);
      total = addUsage(total, await sessionUsage(sessionId, { ...location, signal }));
    }
    await context.progress.clear();
  } else {
    const id = await sessionIdOf(location, session);
    await requireSession(id, location);
    total = await sessionUsage(id, { ...location, signal });
  }
  if (context.json) await context.writeJson({ sessions: count, ...total });
  else await context.out.write(asTable(total, options.by, count));
  return place.hadProblem() ? exitCodes.failed : exitCodes.ok;
}

function asTable(usage: SessionUsage, by: "model" | "day", sessions: number): string {
  const rows = Object.entries(by === "model" ? usage.byModel : byDay(usage)).map(([name, tokens]) => row(name, tokens));
  const title = by === "model" ? "MODEL" : "DAY";
  const numbers = ["RESPONSES", "INPUT", "OUTPUT", "CACHE READ", "CACHE WRITTEN"];
  const columns = [{ title }, ...numbers.map((each) => ({ title: each, isNumber: true }))];
  const cost = usage.totalCostUsd === undefined ? "" : `, $${usage.totalCostUsd.toFixed(4)} as recorded`;
  const end = `${sessions} ${sessions === 1 ? "session" : "sessions"}${cost}\n`;
  return table(columns, [...rows, row("TOTAL", usage.tokens)]) + end;
}

function byDay({ byDay: days }: SessionUsage): Readonly<Record<string, TokenUsage>> {
  return Object.fromEntries(
    Object.entries(days)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([day, models]) => [
        day,
        Object.values(models).reduce((sum, tokens) => addUsage(sum, { ...noUsage, tokens }), noUsage).tokens,
      ]),
  );
}

function row(name: string, tokens: TokenUsage): string[] {
  const { responses, inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = tokens;
  const numbers = [responses, inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens];
  return [printableLine(name, 40), ...numbers.map(String)];
}

import { getSessionMessages, getSubagentMessages, listSubagents, type SessionMessage } from "@reins/sessions";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { renderMessage } from "../terminal/conversation.ts";
import { printableLine } from "../terminal/printable.ts";
import { openPlace, type PlaceOptions, sessionIdOf } from "./place.ts";
import { requireSession } from "./require-session.ts";

/** Options of `sessions show`. */
export interface ShowOptions extends PlaceOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly system?: boolean;
  readonly subagents?: boolean;
  readonly agent?: string;
}

/** `reins sessions show` */
export async function show(context: Context, options: ShowOptions, [session = ""]: readonly string[]): Promise<number> {
  await using place = await openPlace(context, options);
  const id = await sessionIdOf(place.location, session);
  await requireSession(id, place.location);
  if (options.subagents === true) {
    for (const agent of await listSubagents(id, place.location)) {
      await (context.json ? context.writeJson({ agentId: agent }) : context.out.write(`${printableLine(agent)}\n`));
    }
    return exitCodes.ok;
  }
  const page = { ...place.location, limit: options.limit, offset: options.offset };
  const messages =
    options.agent === undefined
      ? await getSessionMessages(id, { ...page, includeSystemMessages: options.system })
      : await getSubagentMessages(id, options.agent, page);
  if (messages.length === 0) await context.note("There are no messages.");
  for (const message of messages) {
    if (context.json) await context.writeJson(message);
    else await context.out.write(asText(message, context));
  }
  return place.hadProblem() ? exitCodes.failed : exitCodes.ok;
}

function asText(message: SessionMessage, { style }: Context): string {
  // What a system message says stands beside `message`.
  const body: unknown = message.message ?? message;
  const text = renderMessage(body, style);
  const title = message.type === "user" ? style.green(message.type) : style.bold(message.type);
  return text === "" ? "" : `${title} ${style.dim(printableLine(message.uuid, 40))}\n${text}\n\n`;
}

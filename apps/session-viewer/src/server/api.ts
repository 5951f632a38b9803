import { isSessionId, type SessionInfo, type SessionKey } from "@reins/sessions";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import type { About, Answer, SessionRow } from "../protocol.ts";
import { continuationOf, resumedOf } from "./continuation.ts";
import { readEntries } from "./entries.ts";
import type { Library } from "./library.ts";
import { isAgentId, listLimits, objectOf, wholeLimits } from "./parts.ts";
import { RunError } from "./run-error.ts";
import type { Runs } from "./runs.ts";
import { sendEvents, stubEvents } from "./streams.ts";
import { createUsageReader } from "./usage.ts";

export interface ApiOptions {
  readonly library: Library;
  readonly runs?: Runs | undefined;
  readonly demo?: boolean | undefined;
  /** Ends every stream. */
  readonly closing: AbortSignal;
}

/** What the page asks: JSON, and streams of server-sent events. */
export function createApi({ library, runs, demo = false, closing }: ApiOptions): Hono {
  const api = new Hono();
  const usageOf = createUsageReader(library);

  /** A session, or a subagent of one, by the ids of the request. */
  async function find(context: Context): Promise<SessionKey> {
    const sessionId = sessionIdOf(context);
    const agentId = context.req.query("agent");
    if (agentId !== undefined && !isAgentId(agentId))
      throw new HTTPException(400, { message: "That is no id of a subagent." });
    const own = agentId === undefined ? runs?.keyOf(sessionId) : undefined;
    const key = own ?? (await library.find(sessionId, agentId));
    if (key === undefined) throw new HTTPException(404, { message: "There is no such session." });
    return key;
  }

  api.onError((error, context) => {
    if (error instanceof HTTPException) return context.json({ error: error.message }, error.status);
    if (error instanceof RunError) return context.json({ error: error.message }, 409);
    return context.json({ error: error.message }, 500);
  });

  // A character of a prompt takes up to 3 bytes.
  api.use(bodyLimit({ maxSize: 2_000_000 }));

  api.get("/about", (context) => {
    const about: About = { source: library.source, demo, ...(runs === undefined ? {} : { cwd: runs.cwd }) };
    return context.json(about);
  });

  api.get("/sessions", async (context) => context.json((await library.list()).map(rowOf)));

  api.get("/search", (context) => {
    const query = context.req.query("q") ?? "";
    if (query.length < 2 || query.length > 500)
      throw new HTTPException(400, { message: "Search for 2 to 500 characters." });
    return sendEvents(context, closing, async function* (signal) {
      for await (const match of library.search(query, signal)) yield { event: "match", data: match };
      yield { event: "end", data: {} };
    });
  });

  api.get("/usage", (context) =>
    sendEvents(context, closing, async function* (signal) {
      for (const info of await library.list()) {
        const usage = await usageOf(info, signal);
        if (usage !== undefined) yield { event: "usage", data: usage };
      }
      yield { event: "end", data: {} };
    }),
  );

  api.get("/sessions/:id/usage", async (context) => {
    const sessionId = sessionIdOf(context);
    const usage = await usageOf(
      { sessionId, lastModified: Date.now() },
      AbortSignal.any([closing, context.req.raw.signal]),
    );
    return usage === undefined ? context.json({ error: "There is no such session." }, 404) : context.json(usage);
  });

  api.get("/sessions/:id/agents", async (context) => context.json(await library.agents(await find(context))));

  api.get("/sessions/:id/stubs", async (context) => {
    const key = await find(context);
    const start = placeOf(context.req.query("start") ?? "0");
    const follow = context.req.query("follow") !== "0";
    return sendEvents(context, closing, (signal) => stubEvents(library, key, { start, follow, signal }));
  });

  api.get("/sessions/:id/entries", async (context) => {
    const places = context.req.queries("at")?.map(placeOf) ?? [];
    const limits = context.req.query("whole") === "1" ? wholeLimits : listLimits;
    if (places.length === 0 || places.length > (limits === wholeLimits ? 1 : 100)) {
      throw new HTTPException(400, { message: "Ask for 1 to 100 entries, or for one whole." });
    }
    const signal = AbortSignal.any([closing, context.req.raw.signal]);
    return context.json(await readEntries(library, await find(context), places, limits, signal));
  });

  api.get("/runs", (context) =>
    sendEvents(context, closing, async function* (signal) {
      if (runs === undefined) return;
      for await (const view of runs.watch(signal)) yield { event: "run", data: view };
    }),
  );

  const running = (): Runs => {
    if (runs === undefined) throw new HTTPException(404, { message: "This viewer starts no sessions." });
    return runs;
  };

  api.get("/sessions/:id/continuation", async (context) => {
    return context.json(await continuationOf(library, running(), await find(context)));
  });
  api.post("/sessions/:id/continue", async (context) => {
    const host = running();
    const key = await find(context);
    if (key.subpath !== undefined) throw new HTTPException(400, { message: "A subagent is not gone on with alone." });
    const { copy, upTo } = await bodyOf(context);
    if (typeof copy !== "boolean" || !(upTo === undefined || isSessionId(upTo)) || (upTo !== undefined && !copy)) {
      throw new HTTPException(400, { message: "Say whether it is a copy; only a copy ends at an entry." });
    }
    const prompt = await promptOf(context);
    const session = await resumedOf(library, key);
    const sessionId = copy ? await host.resumeCopy(session, prompt, upTo) : host.resume(session, prompt);
    return context.json({ sessionId }, 201);
  });

  api.post("/runs", async (context) => {
    const sessionId = running().start(await promptOf(context));
    return context.json({ sessionId }, 201);
  });
  api.post("/runs/:id/prompt", async (context) => {
    await running().send(sessionIdOf(context), await promptOf(context));
    return context.json({});
  });
  api.post("/runs/:id/interrupt", async (context) => {
    await running().interrupt(sessionIdOf(context));
    return context.json({});
  });
  api.post("/runs/:id/end", async (context) => {
    await running().end(sessionIdOf(context));
    return context.json({});
  });
  api.post("/runs/:id/answer", async (context) => {
    const { question, answer } = await bodyOf(context);
    if (typeof question !== "string" || !isAnswer(answer))
      throw new HTTPException(400, { message: "That is no answer." });
    running().answer(sessionIdOf(context), question, answer);
    return context.json({});
  });

  api.all("*", (context) => context.json({ error: "There is nothing here." }, 404));
  return api;
}

function rowOf(info: SessionInfo): SessionRow {
  const { sessionId, summary, lastModified, firstPrompt, cwd, gitBranch, tag, createdAt, fileSize, archived } = info;
  return {
    sessionId,
    title: summary.slice(0, 300),
    lastModified,
    ...(firstPrompt === undefined ? {} : { firstPrompt }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(gitBranch === undefined ? {} : { gitBranch }),
    ...(tag === undefined ? {} : { tag }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(fileSize === undefined ? {} : { fileSize }),
    ...(archived === true ? { archived } : {}),
  };
}

function sessionIdOf(context: Context): string {
  const id = context.req.param("id");
  if (!isSessionId(id)) throw new HTTPException(400, { message: "That is no id of a session." });
  return id;
}

function placeOf(text: string): number {
  const place = Number(text);
  if (!/^\d{1,15}$/.test(text) || !Number.isSafeInteger(place)) {
    throw new HTTPException(400, { message: "That is no place in a transcript." });
  }
  return place;
}

async function bodyOf(context: Context): Promise<Readonly<Record<string, unknown>>> {
  const body = objectOf(await context.req.json().catch(() => undefined));
  if (body === undefined) throw new HTTPException(400, { message: "The body is no JSON object." });
  return body;
}

async function promptOf(context: Context): Promise<string> {
  const { prompt } = await bodyOf(context);
  if (typeof prompt !== "string" || prompt.trim() === "" || prompt.length > 500_000) {
    throw new HTTPException(400, { message: "A prompt has 1 to 500,000 characters." });
  }
  return prompt;
}

function isAnswer(value: unknown): value is Answer {
  return value === "allow" || value === "always" || value === "deny";
}

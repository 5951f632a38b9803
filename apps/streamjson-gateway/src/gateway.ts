import { randomUUID } from "node:crypto";
import { type Frame, FrameDecoder } from "@reins/streamjson";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { streamSSE } from "hono/streaming";
import { type Child, Session } from "./session.ts";

interface Env {
  Variables: { session: Session };
}

/** Sessions of this gateway: started, written to, read from and ended over HTTP. */
export interface Gateway {
  readonly app: Hono<Env>;
  /** Ends all sessions, and starts no more. */
  close(): Promise<void>;
}

/** Sessions at the same time, those included that have ended and were not deleted. A CLI takes about 300 MB. */
const maxSessions = 8;

/**
 * @param start Starts a CLI.
 * @param token What a request has to bring along in its query, since any page in the browser may send requests to loopback.
 */
export function createGateway(start: () => Child, token: string): Gateway {
  const sessions = new Map<string, Session>();
  let isClosed = false;
  const app = new Hono<Env>();

  app.use("/sessions/*", async (c, next) => {
    if (c.req.query("token") !== token) return c.text("The token is missing or wrong.\n", 403);
    return next();
  });

  app.post("/sessions", (c) => {
    if (isClosed) return c.text("The gateway is closing.\n", 503);
    if (sessions.size >= maxSessions) return c.text(`There are ${maxSessions} sessions. Delete one.\n`, 429);
    const id = randomUUID();
    sessions.set(id, new Session(start()));
    return c.json({ id }, 201);
  });

  app.use("/sessions/:id/*", async (c, next) => {
    const session = sessions.get(c.req.param("id"));
    if (!session) return c.text("There is no such session.\n", 404);
    c.set("session", session);
    return next();
  });

  // `types=assistant,result` leaves the rest out. A browser that comes back says by itself which frame it saw last.
  app.get("/sessions/:id/frames", (c) => {
    const session = c.get("session");
    const types = c.req.query("types")?.split(",");
    const from = Math.trunc(Number(c.req.header("last-event-id") ?? -1)) + 1 || 0;
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      for await (const [number, frame] of session.read(from, gone.signal)) {
        const id = String(number);
        if (frame.error) await stream.writeSSE({ event: "malformed", id, data: frame.error.message });
        else if (types?.includes(frame.type ?? "") ?? true) await stream.writeSSE({ id, data: frame.text });
      }
      if (session.end) await stream.writeSSE({ event: "end", data: JSON.stringify(session.end) });
    });
  });

  // Lines of JSON, all of which are looked at before the first is written.
  app.post("/sessions/:id/frames", bodyLimit({ maxSize: 32 * 1024 * 1024 }), async (c) => {
    const decoder = new FrameDecoder({ onMalformed: "deliver" });
    const frames = [...decoder.push(new Uint8Array(await c.req.arrayBuffer())), ...decoder.end()];
    for (const frame of frames) {
      if (frame.error) return c.text(`${frame.error.message}\n`, 400);
      if (!isAllowed(frame)) return c.text(`Line ${frame.lineNumber} is of a kind that a browser may not send.\n`, 403);
    }
    try {
      for (const frame of frames) await c.get("session").write(frame);
    } catch {
      return c.text("The session has ended.\n", 409);
    }
    return c.body(null, 204);
  });

  app.delete("/sessions/:id", async (c) => {
    sessions.delete(c.req.param("id"));
    await c.get("session").close();
    return c.body(null, 204);
  });

  const close = async (): Promise<void> => {
    isClosed = true;
    await Promise.all([...sessions.values()].map((session) => session.close()));
  };
  return { app, close };
}

/**
 * What a browser may write to a CLI: prompts, answers, and interrupts. All else is refused, also what nobody knows yet, because some of it
 * acts without any permission question: the type `bash_command` runs a shell command, the request `set_permission_mode` ends all questions.
 */
function isAllowed(frame: Frame): boolean {
  if (frame.type !== "control_request") return frame.type === "user" || frame.type === "control_response";
  const request = frame.value["request"];
  return typeof request === "object" && request !== null && "subtype" in request && request.subtype === "interrupt";
}

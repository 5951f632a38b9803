import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { fromMcpServer } from "../src/index.ts";
import { type ServedServer, ServeError, serveHttp } from "../src/mcp/serve/index.ts";
import { createProofServer } from "./proof-tools.ts";

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a client sends that keeps to the protocol, where nothing else is said. */
const honest = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Sends a request as it is, `Host` included, which `fetch` would not. */
async function send(url: string, method: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  const outgoing = request(url, { method, headers: { ...honest, ...headers }, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, "response");
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

function rpc(method: string, id?: number, params: object = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), method, params });
}

const initialize = rpc("initialize", 0, {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

/** Begins a session, and gives the headers of its requests. */
async function begin(url: string): Promise<Record<string, string>> {
  const { headers } = await send(url, "POST", {}, initialize);
  return { "mcp-session-id": String(headers["mcp-session-id"]), "mcp-protocol-version": "2025-11-25" };
}

/** A server of which nothing is seen but that a session has ended. */
function createWatched(): { server: ServedServer; ended: Promise<void> } {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const inner = createProofServer();
  const server: ServedServer = {
    connect: (tell) => {
      const session = inner.connect(tell);
      return {
        handle: (message) => session.handle(message),
        close: () => {
          session.close();
          end();
        },
      };
    },
  };
  return { server, ended };
}

test("listens on loopback only, at a free port", async () => {
  await using serving = await serveHttp(createProofServer());
  expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
});

describe("refuses", () => {
  test.each<[string, string, Record<string, string>, number, RegExp]>([
    ["a Host that is another's", "/mcp", { host: "evil.example" }, 403, /Host/],
    ["a Host that is none", "/mcp", { host: "a b" }, 403, /Host/],
    ["an Origin that is another's", "/mcp", { origin: "https://evil.example" }, 403, /Origin/],
    ["an opaque Origin", "/mcp", { origin: "null" }, 403, /Origin/],
    ["another path", "/other", {}, 404, /Not found/],
    ["a session that is none", "/mcp", { "mcp-session-id": "none" }, 404, /Session not found/],
  ])("%s", async (_, path, headers, status, message) => {
    await using serving = await serveHttp(createProofServer());
    const answer = await send(new URL(path, serving.url).href, "POST", headers, initialize);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { message: expect.stringMatching(message) },
    });
  });

  test.each<[string, string, number, number]>([
    ["a body that is no JSON", '{"jsonrpc"', 400, -32700],
    ["a body that is too long", JSON.stringify("x".repeat(2_000)), 413, -32000],
    ["a body that is no message", "5", 400, -32700],
  ])("%s", async (_, body, status, code) => {
    await using serving = await serveHttp(createProofServer(), { maxBodyBytes: 1_000 });
    const answer = await send(serving.url, "POST", {}, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code } });
  });

  test("a request that begins no session, and keeps none for it", async () => {
    const { server, ended } = createWatched();
    await using serving = await serveHttp(server);
    expect((await send(serving.url, "POST", {}, rpc("ping", 1))).status).toBe(400);
    await ended;
  });

  test("a port that is taken", async () => {
    await using serving = await serveHttp(createProofServer());
    const port = Number(new URL(serving.url).port);
    const second = serveHttp(createProofServer(), { port });
    await expect(second).rejects.toThrow(ServeError);
    await expect(second).rejects.toMatchObject({ address: `127.0.0.1:${port}`, cause: { code: "EADDRINUSE" } });
  });

  test("a second client of a server that can have one, and says why", async () => {
    const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
    const errors: Error[] = [];
    const files = fromMcpServer("files", new McpServer({ name: "files", version: "1" }));
    await using serving = await serveHttp(files, { onError: (error) => errors.push(error) });
    await begin(serving.url);
    const answer = await send(serving.url, "POST", {}, initialize);
    expect(answer.status).toBe(500);
    expect(answer.body).toMatch(/in another session/);
    expect(errors.map(({ name }) => name)).toEqual(["McpServerInUseError"]);
  });
});

test("takes pages and clients of the hosts that it was told", async () => {
  await using serving = await serveHttp(createProofServer(), { allowedHosts: ["tools.example"], path: "/tools" });
  const headers = { host: "tools.example:80", origin: "https://tools.example" };
  expect((await send(serving.url, "POST", headers, initialize)).status).toBe(200);
  expect((await send(serving.url, "POST", {}, initialize)).status).toBe(403);
});

test.each([
  ["::1", /^http:\/\/\[::1\]:/],
  ["0.0.0.0", /^http:\/\/127\.0\.0\.1:/],
])("listens at %s", async (host, url) => {
  await using serving = await serveHttp(createProofServer(), { host });
  expect(serving.url).toMatch(url);
  expect((await send(serving.url, "POST", {}, initialize)).status).toBe(200);
});

test("a session ends when its client deletes it", async () => {
  const { server, ended } = createWatched();
  await using serving = await serveHttp(server);
  const session = await begin(serving.url);
  expect((await send(serving.url, "POST", session, rpc("ping", 1))).status).toBe(200);
  expect((await send(serving.url, "DELETE", session)).status).toBe(200);
  await ended;
  expect((await send(serving.url, "POST", session, rpc("ping", 2))).status).toBe(404);
});

test("a session ends when it was idle for long enough", async () => {
  const { server, ended } = createWatched();
  await using serving = await serveHttp(server, { sessionIdleMs: 1 });
  const session = await begin(serving.url);
  await ended;
  expect((await send(serving.url, "POST", session, rpc("ping", 1))).status).toBe(404);
});

test("closing aborts the calls that run, ends streams and frees the port", async () => {
  await using _leaks = startLeakCheck();
  let begun = (_: AbortSignal): void => {};
  const running = new Promise<AbortSignal>((resolve) => {
    begun = resolve;
  });
  const serving = await serveHttp(createProofServer(begun));
  const session = await begin(serving.url);
  const stream = send(serving.url, "GET", session).catch((error: Error) => error);
  const call = send(serving.url, "POST", session, rpc("tools/call", 1, { name: "wait" })).catch(
    (error: Error) => error,
  );
  const signal = await running;
  await serving.close();
  await serving.close();
  expect(signal.aborted).toBe(true);
  await Promise.all([stream, call]);
  await using again = await serveHttp(createProofServer(), { port: Number(new URL(serving.url).port) });
  expect(again.url).toBe(serving.url);
});

test("two clients have sessions of their own", async () => {
  await using serving = await serveHttp(createProofServer());
  const [one, two] = await Promise.all([begin(serving.url), begin(serving.url)]);
  expect(one["mcp-session-id"]).not.toBe(two["mcp-session-id"]);
  const call = rpc("tools/call", 1, { name: "add", arguments: { a: 1, b: 2 } });
  const answers = await Promise.all([one, two].map((session) => send(serving.url, "POST", session, call)));
  for (const { body } of answers) expect(body).toContain('"text":"3"');
});

import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { sampleSessions } from "../src/demo/samples.ts";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { createFileLibrary } from "../src/server/file-library.ts";
import { startViewer, type ViewerOptions } from "../src/server/viewer.ts";
import { pageFolder } from "./open-viewer.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** `fetch` does not let a caller choose the host. */
function ask(port: number, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

async function openServer(
  options: Pick<ViewerOptions, "runs"> = {},
): Promise<AsyncDisposable & { port: number; bearer: Record<string, string>; id: string; configDir: string }> {
  const configDir = await mkdtemp(join(tmpdir(), "session-viewer-"));
  const [session] = sampleSessions(Date.now());
  await session?.write(configDir);
  const viewer = await startViewer({ ...options, library: createFileLibrary({ configDir }), page: pageFolder });
  return {
    port: viewer.port,
    bearer: { authorization: `Bearer ${viewer.token}` },
    id: session?.sessionId ?? "",
    configDir,
    [Symbol.asyncDispose]: async () => {
      await viewer.close();
      await rm(configDir, { recursive: true });
    },
  };
}

test("gives nothing to whoever has no token, another name for the host, or another origin", async () => {
  await using _leaks = startLeakCheck();
  await using server = await openServer();
  const { port, bearer } = server;
  const status = async (headers: Record<string, string>): Promise<number> => {
    return (await ask(port, "/api/sessions", headers)).status;
  };
  expect(await status(bearer)).toBe(200);
  expect(await status({})).toBe(401);
  expect(await status({ authorization: `${bearer["authorization"]}x` })).toBe(401);
  expect(await status({ authorization: "Bearer " })).toBe(401);
  // DNS rebinding: a name of the attacker's that leads to loopback.
  expect(await status({ ...bearer, host: `viewer.example:${port}` })).toBe(421);
  expect(await status({ ...bearer, host: "127.0.0.1" })).toBe(421);
  expect(await status({ ...bearer, host: `localhost:${port}` })).toBe(200);
  expect(await status({ ...bearer, origin: "http://viewer.example" })).toBe(403);
  expect(await status({ ...bearer, origin: "null" })).toBe(403);
  expect(await status({ ...bearer, origin: `http://127.0.0.1:${port + 1}` })).toBe(403);
  expect(await status({ ...bearer, origin: `http://127.0.0.1:${port}` })).toBe(200);
  expect(await status({ ...bearer, "sec-fetch-site": "cross-site" })).toBe(403);
  expect(await status({ ...bearer, "sec-fetch-site": "same-site" })).toBe(403);
});

test("listens on loopback, sends a policy with every answer, and has no token in the page", async () => {
  await using _leaks = startLeakCheck();
  await using server = await openServer();
  const { port, bearer } = server;
  for (const path of ["/", "/nothing", "/api/sessions", "/api/nothing"]) {
    const { headers, body } = await ask(port, path, {});
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(body).not.toContain(bearer["authorization"]?.slice(7));
  }
  const { body } = await ask(port, "/", {});
  expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|https?:/);
});

test("takes ids and places only, never a path", async () => {
  await using _leaks = startLeakCheck();
  await using server = await openServer();
  const { port, bearer, id } = server;
  const status = async (path: string): Promise<number> => (await ask(port, path, bearer)).status;
  for (const path of [
    "/../package.json",
    "/..%2f..%2fpackage.json",
    "/assets/../../package.json",
    "/api/sessions/..%2f..%2fx/agents",
    "/api/sessions/not-an-id/entries?at=0",
    `/api/sessions/${id}%00/agents`,
    `/api/sessions/${id}/entries?at=0&agent=..%2f..%2fx`,
    `/api/sessions/${id}/entries?at=-1`,
    `/api/sessions/${id}/entries?at=1e3`,
    `/api/sessions/${id}/entries?${"at=0&".repeat(101)}`,
    `/api/sessions/${id}/entries?at=0&at=1&whole=1`,
    `/api/sessions/${id}/stubs?start=x`,
    "/api/sessions/00000000-0000-4000-8000-000000000000/usage",
    `/api/sessions/${id}/continuation`,
    "/api/search?q=x",
  ]) {
    expect([path, await status(path)]).toEqual([
      path,
      expect.toSatisfy((code: number) => code === 400 || code === 404),
    ]);
  }
  // In the middle of a line there is no entry.
  const { body } = await ask(port, `/api/sessions/${id}/entries?at=7&at=99999999`, bearer);
  expect(JSON.parse(body)).toEqual([
    expect.objectContaining({ at: 7, parts: [expect.objectContaining({ name: "unreadable line" })] }),
  ]);
  // This viewer starts no sessions.
  expect((await ask(port, "/api/runs", bearer, '{"prompt":"x"}')).status).toBe(404);
  expect((await ask(port, `/api/sessions/${id}/continue`, bearer, '{"prompt":"x","copy":false}')).status).toBe(404);
});

test("starts nothing in a folder that only the text of a transcript names", async () => {
  await using _leaks = startLeakCheck();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "session-viewer-")));
  await using _folder = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  await using server = await openServer({ runs: { cwd: folder, pathToClaudeCodeExecutable: join(folder, "none") } });
  const { port, bearer, configDir } = server;
  const honest = new TranscriptWriter({ cwd: folder, begin: 0 }).prompt("Hi.");
  const other = new TranscriptWriter({ cwd: "/home/dana/mailroom", begin: 0 }).prompt("Hi.");
  await honest.write(configDir);
  const path = await other.write(configDir);
  await writeFile(path, other.text.replaceAll("/home/dana/mailroom", folder));
  const continuation = async ({ sessionId }: TranscriptWriter): Promise<unknown> => {
    return JSON.parse((await ask(port, `/api/sessions/${sessionId}/continuation`, bearer)).body);
  };
  expect(await continuation(honest)).toEqual({ cwd: folder, isGrowing: true });
  expect(await continuation(other)).toMatchObject({ problem: expect.stringContaining("Nothing says for certain") });
  const started = await ask(port, `/api/sessions/${other.sessionId}/continue`, bearer, '{"prompt":"x","copy":false}');
  expect(started).toMatchObject({ status: 409, body: expect.stringContaining("Nothing says for certain") });
});

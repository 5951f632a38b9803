import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createPlainServer, get, type IncomingMessage, type RequestListener, request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createGate, startLeakCheck } from "@reins/testkit";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readCapture, startWiretap } from "../src/index.ts";

/** Files with a key and a certificate that nobody but these tests trusts. */
interface Certificate {
  readonly keyFile: string;
  readonly certFile: string;
}

let folder: string;
let ours: Certificate;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wiretap-https-"));
  ours = await createCertificate("ours", "IP:127.0.0.1");
});
afterAll(() => rm(folder, { recursive: true }));

async function createCertificate(name: string, subject: string): Promise<Certificate> {
  const [keyFile, certFile] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", keyFile];
  const content = ["-days", "2", "-subj", `/CN=${name}`, "-addext", `subjectAltName=${subject}`];
  await promisify(execFile)("openssl", ["req", "-x509", ...key, ...content, "-out", certFile]);
  return { keyFile, certFile };
}

/** An API on loopback that speaks TLS. */
async function startApi(api: RequestListener, { keyFile, certFile }: Certificate = ours) {
  const [key, cert] = await Promise.all([readFile(keyFile), readFile(certFile)]);
  const server = createServer({ key, cert }, api);
  // Who refuses the certificate breaks off.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The API, and a process in front of it with a wiretap that trusts its certificate. */
async function setUp(api: RequestListener, certificate: Certificate = ours) {
  const leaks = startLeakCheck();
  const server = await startApi(api, certificate);
  const dir = await mkdtemp(join(folder, "capture-"));
  const script = join(import.meta.dirname, "fixtures", "wiretap-process.ts");
  const options = ["--conditions=@reins/source", `--import=${import.meta.resolve("tsx")}`];
  const child = spawn(process.execPath, [...options, script, dir, server.url], {
    env: { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: certificate.certFile },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const [said] = await Promise.race([once(child.stdout, "data"), exit]);
  return {
    url: String(said).trim(),
    dir,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      expect(await exit).toEqual([0, null]);
      await server[Symbol.asyncDispose]();
      await leaks.assertClean();
    },
  };
}

function open(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, resolve).on("error", reject);
  });
}

/** Not by fetch, which keeps connections that nobody can close. */
async function ask(url: string, body = ""): Promise<{ status: number | undefined; headers: object; text: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent: false, method: body === "" ? "GET" : "POST" }, resolve)
      .on("error", reject)
      .end(body);
  });
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode, headers: response.headers, text };
}

async function ended(dir: string, count: number): ReturnType<typeof readCapture> {
  return await vi.waitFor(
    async () => {
      const exchanges = await readCapture(dir);
      expect(exchanges.filter(({ end }) => end !== "pending")).toHaveLength(count);
      return exchanges;
    },
    { timeout: 10_000 },
  );
}

describe("an API behind TLS", () => {
  test("is asked as it is, and its stream passes through piece by piece", async () => {
    const gates = [createGate(), createGate(), createGate()];
    let seen: unknown;
    await using setup = await setUp(async (incoming, response) => {
      seen = [incoming.method, incoming.url, incoming.headers.host];
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      for (const [i, gate] of gates.entries()) {
        await gate.opened;
        response.write(`data: {"i":${i}}\n\n`);
      }
      response.end();
    });
    const response = await open(`${setup.url}/v1/messages?beta=true`);
    const pieces = response[Symbol.asyncIterator]();
    for (const [i, gate] of gates.entries()) {
      gate.open();
      expect(String((await pieces.next()).value)).toBe(`data: {"i":${i}}\n\n`);
    }
    expect((await pieces.next()).done).toBe(true);
    expect(seen).toEqual(["GET", "/v1/messages?beta=true", expect.stringMatching(/^127\.0\.0\.1:\d+$/)]);
    const [exchange] = await ended(setup.dir, 1);
    expect(exchange).toMatchObject({
      end: "complete",
      response: { events: [{ data: { i: 0 } }, { data: { i: 1 } }, { data: { i: 2 } }] },
    });
  });

  test("that breaks off in the middle of a stream breaks off for the client, too", async () => {
    await using setup = await setUp((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n", () => response.socket?.destroy());
    });
    await expect(ask(`${setup.url}/v1/messages`)).rejects.toThrow("aborted");
    expect(await ended(setup.dir, 1)).toMatchObject([
      { end: "upstream-failed", response: { status: 200, events: [{ data: 1 }] }, error: expect.any(String) },
    ]);
  });

  test("hears when the client gives up", async () => {
    const gone = createGate();
    await using setup = await setUp((_, response) => {
      response.on("close", gone.open);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    const response = await open(`${setup.url}/v1/messages`);
    await once(response, "data");
    response.destroy();
    await gone.opened;
    expect(await ended(setup.dir, 1)).toMatchObject([{ end: "client-gone", response: { events: [{ data: 1 }] } }]);
  });

  test("may close a connection that was kept, and no request is lost", async () => {
    const sockets = new Set<unknown>();
    let requests = 0;
    await using setup = await setUp((incoming, response) => {
      requests++;
      sockets.add(incoming.socket);
      // The second request on a connection meets one that is just going away.
      if (requests === 2) incoming.socket.destroy();
      else response.end("ok");
    });
    expect((await ask(`${setup.url}/a`)).text).toBe("ok");
    expect((await ask(`${setup.url}/b`, "{}")).text).toBe("ok");
    expect([requests, sockets.size]).toEqual([3, 2]);
  });
});

/** What a client is told when asking again would come to the same. */
function refusal(message: RegExp): object {
  return {
    status: 502,
    headers: expect.objectContaining({ "x-should-retry": "false" }),
    body: { type: "error", error: { type: "api_error", message: expect.stringMatching(message) } },
  };
}

async function askForJson(url: string): Promise<object> {
  const { text, ...answer } = await ask(url, "{}");
  return { ...answer, body: JSON.parse(text) };
}

describe("an API that is not reached is an error that says why:", () => {
  test("its certificate was signed by nobody who is known", async () => {
    await using leaks = startLeakCheck();
    await using server = await startApi((_, response) => response.end("secret"));
    const dir = await mkdtemp(join(folder, "capture-"));
    await using wiretap = await startWiretap({ dir, upstream: server.url });
    const message = /certificate is refused: self-signed certificate .*NODE_EXTRA_CA_CERTS/;
    expect(await askForJson(`${wiretap.url}/v1/messages`)).toEqual(refusal(message));
    expect(await ended(dir, 1)).toMatchObject([{ end: "upstream-failed", error: expect.stringMatching(message) }]);
    await wiretap.close();
    await server[Symbol.asyncDispose]();
    await leaks.assertClean();
  });

  test("its certificate is that of another host", async () => {
    const theirs = await createCertificate("theirs", "DNS:other.example");
    await using setup = await setUp((_, response) => response.end("secret"), theirs);
    const message = /certificate is refused: .*127\.0\.0\.1.*ERR_TLS_CERT_ALTNAME_INVALID/;
    expect(await askForJson(`${setup.url}/v1/messages`)).toEqual(refusal(message));
    expect(await ended(setup.dir, 1)).toMatchObject([{ end: "upstream-failed" }]);
  });

  test("it speaks no TLS", async () => {
    const server = createPlainServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const dir = await mkdtemp(join(folder, "capture-"));
    await using wiretap = await startWiretap({ dir, upstream: `https://127.0.0.1:${port}` });
    expect(await askForJson(`${wiretap.url}/v1/messages`)).toEqual(refusal(/no TLS at that address/));
    await wiretap.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

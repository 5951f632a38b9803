import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, get, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createGate, startLeakCheck } from "@reins/testkit";
import { describe, expect, test, vi } from "vitest";
import { CaptureFolderError, readCapture, startWiretap, type Wiretap, type WiretapOptions } from "../src/index.ts";

interface Setup extends AsyncDisposable {
  readonly wiretap: Wiretap;
  readonly dir: string;
}

/** An API on loopback, and a wiretap in front of it. */
async function setUp(api: RequestListener, options: Partial<WiretapOptions> = {}, path = ""): Promise<Setup> {
  const leaks = startLeakCheck();
  const root = await mkdtemp(join(tmpdir(), "wiretap-test-"));
  const server = createServer(api);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const dir = join(root, "capture");
  const wiretap = await startWiretap({ dir, upstream: `http://127.0.0.1:${port}${path}`, ...options });
  return {
    wiretap,
    dir,
    [Symbol.asyncDispose]: async () => {
      await wiretap.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true });
      await leaks.assertClean();
    },
  };
}

const answerOk: RequestListener = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
};

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** Not by fetch, which keeps connections that nobody can close. */
function ask(url: string, options: object = {}, body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent: false, ...options }, async (response) => {
      try {
        resolve({ status: response.statusCode, headers: response.headers, text: await bodyOf(response) });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** The exchanges, once as many as that have their end. */
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

test("a request reaches the API as it was, below the path of its base URL, and its answer comes back", async () => {
  const seen: unknown[] = [];
  await using setup = await setUp(
    async (incoming, response) => {
      const { authorization, "x-twice": twice, host, connection } = incoming.headers;
      seen.push([
        incoming.method,
        incoming.url,
        authorization,
        twice,
        host === undefined,
        connection,
        await bodyOf(incoming),
      ]);
      response.writeHead(
        418,
        "Teapot",
        [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
          ["x-left", "yes"],
        ].flat(),
      );
      response.end("short");
    },
    {},
    "/gateway/",
  );
  const headers = {
    authorization: "Bearer secret-of-a-test",
    "x-twice": ["1", "2"],
    connection: "close, x-hop",
    "x-hop": "1",
  };
  const answer = await ask(`${setup.wiretap.url}/v1/messages?beta=true`, { method: "POST", headers }, '{"a":"ä"}');
  expect(answer).toMatchObject({
    status: 418,
    text: "short",
    headers: { "set-cookie": ["a=1", "b=2"], "x-left": "yes" },
  });
  const path = "/gateway/v1/messages?beta=true";
  expect(seen).toEqual([["POST", path, "Bearer secret-of-a-test", "1, 2", false, expect.anything(), '{"a":"ä"}']]);
  const [exchange] = await ended(setup.dir, 1);
  expect(exchange).toMatchObject({
    number: 1,
    end: "complete",
    request: {
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { authorization: "<redacted>", "x-twice": "1, 2" },
      body: { a: "ä" },
      bytes: 10,
    },
    response: { status: 418, headers: { "set-cookie": "<redacted>, <redacted>" }, body: "short", bytes: 5 },
  });
  const { requestMs = -1, statusMs = -1, firstByteMs = -1, endMs = -1 } = exchange?.timings ?? {};
  expect([requestMs, statusMs, firstByteMs, endMs]).toEqual(
    [requestMs, statusMs, firstByteMs, endMs].toSorted((left, right) => left - right),
  );
  expect(requestMs).toBeGreaterThanOrEqual(0);
});

test("a folder is made with those above it, for its owner alone", async () => {
  await using setup = await setUp(answerOk);
  const dir = join(setup.dir, "a", "b");
  await using _wiretap = await startWiretap({ dir, upstream: setup.wiretap.url });
  for (const made of [dir, join(setup.dir, "a")]) expect((await stat(made)).mode & 0o777).toBe(0o700);
});

test("files are numbered, private and whole, go on where the folder ends, and leave other files alone", async () => {
  await using setup = await setUp(answerOk);
  const { wiretap, dir } = setup;
  await ask(`${wiretap.url}/a`);
  await ended(dir, 1);
  await writeFile(join(dir, "0007.json"), await readFile(join(dir, "0001.json")));
  await writeFile(join(dir, "notes.json"), "mine");
  await using second = await startWiretap({ dir, upstream: wiretap.url });
  await Promise.all(["b", "c", "d"].map((name) => ask(`${second.url}/${name}`)));
  await second.close();
  await wiretap.close();
  const names = (await readdir(dir)).toSorted();
  // The second one's requests went through the first one, which counted from 2 on its own.
  expect(names).toEqual([
    "0001.json",
    "0002.json",
    "0003.json",
    "0004.json",
    "0007.json",
    "0008.json",
    "0009.json",
    "0010.json",
    "notes.json",
  ]);
  expect((await stat(dir)).mode & 0o777).toBe(0o700);
  for (const name of names.slice(0, 4)) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  expect((await readCapture(dir)).every(({ end }) => end === "complete")).toBe(true);
});

test("files whose names are only like those of a capture are other files", async () => {
  await using setup = await setUp(answerOk);
  for (const name of ["00001.json", "1.json", "0001.json.bak"]) await writeFile(join(setup.dir, name), "not ours");
  await ask(`${setup.wiretap.url}/a`);
  expect((await ended(setup.dir, 1)).map(({ number }) => number)).toEqual([1]);
});

test("several wiretaps write to one folder without taking a number twice", async () => {
  await using setup = await setUp(answerOk);
  const upstream = setup.wiretap.url;
  const others = await Promise.all([1, 2, 3].map(() => startWiretap({ dir: join(setup.dir, "shared"), upstream })));
  await Promise.all(others.flatMap(({ url }) => [ask(`${url}/a`), ask(`${url}/b`), ask(`${url}/c`)]));
  await Promise.all(others.map((other) => other.close()));
  const numbers = (await readCapture(join(setup.dir, "shared"))).map(({ number }) => number);
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("a request is on disk while its answer is still to come", async () => {
  const gate = createGate();
  await using setup = await setUp(async (_, response) => {
    await gate.opened;
    response.end("late");
  });
  const answer = ask(`${setup.wiretap.url}/v1/messages`, { method: "POST" }, '{"model":"m"}');
  await vi.waitFor(
    async () =>
      expect(await readCapture(setup.dir)).toMatchObject([{ end: "pending", request: { body: { model: "m" } } }]),
    { timeout: 10_000 },
  );
  gate.open();
  expect((await answer).text).toBe("late");
  expect(await ended(setup.dir, 1)).toMatchObject([{ end: "complete", response: { body: "late" } }]);
});

describe("a stream", () => {
  test("passes through piece by piece: the status before the first byte, each event before the next", async () => {
    const gates = [createGate(), createGate(), createGate()];
    await using setup = await setUp(async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      for (const [i, gate] of gates.entries()) {
        await gate.opened;
        response.write(`event: e${i}\ndata: {"i":${i}}\n\n`);
      }
      response.end();
    });
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${setup.wiretap.url}/v1/messages`, { agent: false }, resolve),
    );
    const pieces = response[Symbol.asyncIterator]();
    for (const [i, gate] of gates.entries()) {
      gate.open();
      const { value } = await pieces.next();
      expect(String(value)).toBe(`event: e${i}\ndata: {"i":${i}}\n\n`);
    }
    expect((await pieces.next()).done).toBe(true);
    const [exchange] = await ended(setup.dir, 1);
    expect(exchange?.response?.events?.map(({ event, data }) => [event, data])).toEqual([
      ["e0", { i: 0 }],
      ["e1", { i: 1 }],
      ["e2", { i: 2 }],
    ]);
  });

  test("that is compressed is passed on as it is and recorded as text", async () => {
    const body = 'event: a\ndata: {"n":1}\n\n';
    const zipped = gzipSync(body);
    await using setup = await setUp((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" }).end(zipped);
    });
    const { headers } = await ask(`${setup.wiretap.url}/v1/messages`);
    expect(headers["content-encoding"]).toBe("gzip");
    expect(await ended(setup.dir, 1)).toMatchObject([
      { response: { events: [{ event: "a", data: { n: 1 } }], bytes: zipped.length } },
    ]);
  });

  test("that breaks off breaks off for the client, too", async () => {
    await using setup = await setUp((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n", () => response.destroy());
    });
    await expect(ask(`${setup.wiretap.url}/v1/messages`)).rejects.toThrow("aborted");
    expect(await ended(setup.dir, 1)).toMatchObject([
      { end: "upstream-failed", response: { status: 200, events: [{ data: 1 }] }, error: expect.any(String) },
    ]);
  });

  test("that the client gives up ends for the API, too", async () => {
    const gone = createGate();
    await using setup = await setUp((_, response) => {
      response.on("close", gone.open);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: 1\n\n");
    });
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${setup.wiretap.url}/v1/messages`, { agent: false }, resolve),
    );
    await new Promise((resolve) => response.once("data", resolve));
    response.destroy();
    await gone.opened;
    expect(await ended(setup.dir, 1)).toMatchObject([{ end: "client-gone", response: { events: [{ data: 1 }] } }]);
  });

  test("whose reader is slow waits at the API, and not in memory", async () => {
    const total = 64 * 1024 * 1024;
    let written = 0;
    await using setup = await setUp(
      (_, response) => {
        const chunk = Buffer.alloc(256 * 1024, "x");
        const more = (): void => {
          while (written < total) {
            written += chunk.length;
            if (!response.write(chunk)) {
              response.once("drain", more);
              return;
            }
          }
          response.end();
        };
        more();
      },
      { maxRecordedBytes: 1000 },
    );
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${setup.wiretap.url}/v1/messages`, { agent: false }, resolve),
    );
    // Until nothing moves any more: the buffers of both connections are full.
    let before = -1;
    await vi.waitFor(
      () => {
        const isStill = before === written;
        before = written;
        expect(isStill).toBe(true);
      },
      { timeout: 10_000, interval: 200 },
    );
    expect(written).toBeLessThan(total);
    let read = 0;
    for await (const chunk of response) read += chunk.length;
    expect(read).toBe(total);
    const [exchange] = await ended(setup.dir, 1);
    expect(exchange?.response).toMatchObject({ bytes: total, isTruncated: true, body: "x".repeat(1000) });
  });
});

test("an API that cannot be reached is an error of the API for the client, and a record", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  await using setup = await setUp(answerOk, { upstream: `http://127.0.0.1:${port}` });
  const { status, text } = await ask(`${setup.wiretap.url}/v1/messages`, { method: "POST" }, "{}");
  expect(status).toBe(502);
  expect(JSON.parse(text)).toMatchObject({ type: "error", error: { type: "api_error" } });
  expect(await ended(setup.dir, 1)).toMatchObject([
    { end: "upstream-failed", error: expect.stringContaining("ECONNREFUSED") },
  ]);
});

test("a connection that the API closed in the meantime costs no request", async () => {
  let requests = 0;
  await using setup = await setUp((incoming, response) => {
    requests++;
    // The second request on a connection meets one that is just going away.
    if (requests === 2) incoming.socket.destroy();
    else response.end("ok");
  });
  expect((await ask(`${setup.wiretap.url}/a`)).text).toBe("ok");
  expect((await ask(`${setup.wiretap.url}/b`)).text).toBe("ok");
  expect(requests).toBe(3);
});

test("a call that the API was at work on, on a connection that was kept, is not made a second time", async () => {
  let requests = 0;
  await using setup = await setUp((incoming, response) => {
    requests++;
    if (requests === 2) setTimeout(() => incoming.socket.destroy(), 2_000);
    else response.end("ok");
  });
  expect((await ask(`${setup.wiretap.url}/a`)).text).toBe("ok");
  expect((await ask(`${setup.wiretap.url}/b`, { method: "POST" }, "{}")).status).toBe(502);
  expect(requests).toBe(2);
  expect((await ended(setup.dir, 2)).map(({ end }) => end)).toEqual(["complete", "upstream-failed"]);
});

test("close cuts what runs, and records it", async () => {
  await using setup = await setUp((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: 1\n\n");
  });
  const response = await new Promise<IncomingMessage>((resolve) =>
    get(`${setup.wiretap.url}/v1/messages`, { agent: false }, resolve),
  );
  response.on("error", () => {});
  await new Promise((resolve) => response.once("data", resolve));
  await Promise.all([setup.wiretap.close(), setup.wiretap.close()]);
  expect(await readCapture(setup.dir)).toMatchObject([{ end: "closed", response: { events: [{ data: 1 }] } }]);
  await expect(ask(setup.wiretap.url)).rejects.toThrow("ECONNREFUSED");
});

describe("the port", () => {
  test("is open on loopback only", async () => {
    await using setup = await setUp(answerOk);
    const url = new URL(setup.wiretap.url);
    expect(url.hostname).toBe("127.0.0.1");
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const others = addresses
      .filter(({ address, internal }) => !internal || address === "::1")
      .map(({ address }) => address);
    for (const host of others) {
      const outcome = await new Promise<string>((resolve) => {
        const socket = connect({ host, port: Number(url.port) }, () => {
          socket.destroy();
          resolve("connected");
        });
        socket.on("error", () => resolve("refused"));
      });
      expect([host, outcome]).toEqual([host, "refused"]);
    }
  });

  test("serves no page that comes under another name, and is no proxy for other hosts", async () => {
    await using setup = await setUp(answerOk);
    const { url } = setup.wiretap;
    expect((await ask(`${url}/v1/messages`, { headers: { host: "evil.example" } })).status).toBe(403);
    expect((await ask(url, { path: "http://example.com/" })).status).toBe(403);
    expect(await readCapture(setup.dir)).toEqual([]);
  });
});

test("a folder that cannot be written to is told, and the request goes through", async () => {
  const errors: Error[] = [];
  await using setup = await setUp(answerOk, { onError: (error) => errors.push(error) });
  await rm(setup.dir, { recursive: true });
  expect((await ask(`${setup.wiretap.url}/a`)).text).toBe('{"ok":true}');
  await setup.wiretap.close();
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("ENOENT")]);
});

test("what cannot be started says why", async () => {
  await using setup = await setUp(answerOk);
  await ask(`${setup.wiretap.url}/a`);
  await ended(setup.dir, 1);
  const below = join(setup.dir, "0001.json", "x");
  await expect(startWiretap({ dir: below, upstream: "http://127.0.0.1:1" })).rejects.toBeInstanceOf(CaptureFolderError);
  // Where the system takes no folders, and says that there is no such one.
  await expect(startWiretap({ dir: "/proc/x/y", upstream: "http://127.0.0.1:1" })).rejects.toThrow(CaptureFolderError);
  await expect(startWiretap({ dir: setup.dir, upstream: "ftp://x" })).rejects.toThrow(TypeError);
});

test("a file that is no exchange is an error with its path", async () => {
  await using setup = await setUp(answerOk);
  await writeFile(join(setup.dir, "0001.json"), '{"request":{}}');
  await expect(readCapture(setup.dir)).rejects.toMatchObject({
    code: "REINS_CAPTURE_FILE",
    path: join(setup.dir, "0001.json"),
  });
});

test("the environment for the CLI keeps loopback out of a proxy", async () => {
  await using setup = await setUp(answerOk);
  const { wiretap } = setup;
  expect(wiretap.env({ A: "1", ANTHROPIC_BASE_URL: "https://x" })).toEqual({
    A: "1",
    ANTHROPIC_BASE_URL: wiretap.url,
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
  });
  expect(wiretap.env({ NO_PROXY: "a.example, 127.0.0.1", no_proxy: "b.example" })).toMatchObject({
    NO_PROXY: "a.example, 127.0.0.1",
    no_proxy: "b.example,127.0.0.1",
  });
});

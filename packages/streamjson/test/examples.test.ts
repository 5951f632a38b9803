import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import {
  decodeFrames,
  type Frame,
  FrameDecoder,
  FrameWriteError,
  FrameWriter,
  type Transport,
} from "@reins/streamjson";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WebSocketServer, WebSocket as WsSocket } from "ws";
import { socketTransport } from "../examples/socket-transport.ts";
import { webSocketTransport } from "../examples/websocket-transport.ts";

const fakeClaude = fileURLToPath(new URL("fixtures/fake-claude.mjs", import.meta.url));
const host = "127.0.0.1";
const unknownExit = { code: null, signal: null, stderrTail: "" };

/** Two turns with the fake CLI, the end of the input, and the end. Gives the types of all frames and what the CLI heard. */
async function converse(transport: Transport): Promise<unknown> {
  const types: (string | undefined)[] = [];
  const heard: unknown[] = [];
  await transport.send(userMessage("one"));
  for await (const batch of transport.frames) {
    for (const frame of batch) {
      types.push(frame.type);
      if (frame.type !== "result") continue;
      heard.push(JSON.parse(String(frame.value["heard"])));
      if (heard.length === 1) await transport.send(userMessage("two\u2028"));
      else await transport.endInput();
    }
  }
  return { types, heard };
}

function userMessage(content: string): { type: string; message: { role: string; content: string } } {
  return { type: "user", message: { role: "user", content } };
}

const turn = ["system", "assistant", "result"];
const conversation = { types: [...turn, ...turn], heard: [userMessage("one"), userMessage("two\u2028")] };

describe("socket-transport.ts", () => {
  /** A server that connects each socket with a fake CLI; or with what the test does. */
  async function listen(serve: (socket: Socket) => void): Promise<Socket> {
    const sockets: Socket[] = [];
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket.on("error", () => {}));
      serve(socket);
    });
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    });
    server.listen(0, host);
    await once(server, "listening");
    return connect(portOf(server.address()), host);
  }

  function serveCli(socket: Socket): void {
    const child = spawn(process.execPath, [fakeClaude], { stdio: ["pipe", "pipe", "ignore"] });
    socket.pipe(child.stdin.on("error", () => {}));
    child.stdout.pipe(socket);
    socket.on("close", () => child.kill("SIGKILL"));
  }

  test("holds a conversation to its end", async () => {
    await using transport = socketTransport(await listen(serveCli));
    expect(await converse(transport)).toEqual(conversation);
    expect(await transport.closed).toEqual(unknownExit);
    await expect(transport.send({})).rejects.toBeInstanceOf(FrameWriteError);
  });

  test("closes in the middle of it", async () => {
    const socket = await listen(serveCli);
    const transport = socketTransport(socket);
    await transport.send(userMessage("one"));
    for await (const batch of transport.frames) if (batch.length > 0) await transport.close();
    expect(await transport.closed).toEqual(unknownExit);
    expect(socket.destroyed).toBe(true);
  });

  test("tells of a connection that was lost, and rejects what waits", async () => {
    const transport = socketTransport(
      await listen((socket) => {
        socket.write('{"type":"system"}\n{"type":"res');
        socket.once("data", () => socket.resetAndDestroy());
      }),
    );
    const write = transport.send({ text: "x".repeat(32 * 1024 * 1024) }).catch((error: unknown) => error);
    const frames: Frame[] = [];
    for await (const batch of transport.frames) frames.push(...batch);
    expect(frames[0]?.type).toBe("system");
    expect(await write).toBeInstanceOf(FrameWriteError);
    expect(await transport.closed).toMatchObject({ error: { code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) } });
    await transport.close();
  });

  test("tells of a connection that never came about", async () => {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const port = portOf(server.address());
    server.close();
    await once(server, "close");
    const transport = socketTransport(connect(port, host));
    const send = transport.send({}).catch((error: unknown) => error);
    for await (const _ of transport.frames);
    expect(await transport.closed).toMatchObject({ error: { code: "ECONNREFUSED" } });
    expect(await send).toBeInstanceOf(FrameWriteError);
  });
});

describe("websocket-transport.ts", () => {
  async function listen(serve: (socket: WsSocket) => void): Promise<WebSocket> {
    const server = new WebSocketServer({ port: 0, host });
    server.on("connection", serve);
    onTestFinished(async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, "close");
    });
    await once(server, "listening");
    return open(portOf(server.address()));
  }

  function open(port: number): WebSocket {
    // `ws` implements the standard interface, but its own types name the events otherwise.
    return new WsSocket(`ws://${host}:${port}`) as unknown as WebSocket;
  }

  /** The other side as a gateway would be: passes what it knows, as it was read, and never lets a bad line near the CLI. */
  function serveCli(socket: WsSocket): void {
    const child = spawn(process.execPath, [fakeClaude], { stdio: ["pipe", "pipe", "ignore"] });
    socket.on("close", () => child.kill("SIGKILL"));
    const writer = new FrameWriter(child.stdin);
    const decoder = new FrameDecoder({ onMalformed: "skip" });
    socket.on("message", (data: Buffer) => {
      if (data.length === 0) void writer.end();
      for (const frame of decoder.push(data).end()) {
        if (frame.type === "user") void writer.write(frame).catch(() => {});
      }
    });
    const exited = once(child, "exit");
    void (async () => {
      for await (const frame of decodeFrames(child.stdout)) socket.send(frame.text);
      const [code] = await exited;
      if (code === 0) socket.close(1000);
      else socket.close(1011, `The CLI ended with exit code ${code}.`);
    })();
  }

  test("holds a conversation to its end, from before the socket is open", async () => {
    await using transport = webSocketTransport(await listen(serveCli));
    expect(await converse(transport)).toEqual(conversation);
    expect(await transport.closed).toEqual(unknownExit);
    await expect(transport.send({})).rejects.toBeInstanceOf(FrameWriteError);
    await transport.endInput();
  });

  test("tells why the other side went away", async () => {
    const transport = webSocketTransport(await listen(serveCli));
    await transport.send(userMessage("exit 3"));
    for await (const _ of transport.frames);
    const { error } = await transport.closed;
    expect(error?.message).toBe("The WebSocket was closed with code 1011. The CLI ended with exit code 3.");
  });

  test("takes several lines in a message, in text and in bytes, and bad lines", async () => {
    const transport = webSocketTransport(
      await listen((socket) => {
        socket.send('{"i":1}\n{"i":2}');
        socket.send(Buffer.from('{"i":3}\nbanner\n'));
        socket.send("");
        socket.close(1000);
      }),
    );
    const seen: unknown[] = [];
    for await (const batch of transport.frames)
      for (const frame of batch) seen.push(frame.error?.code ?? frame.value["i"]);
    expect(seen).toEqual([1, 2, 3, "REINS_FRAME_MALFORMED"]);
  });

  test("closes in the middle of it, and frees a consumer that waits", async () => {
    const transport = webSocketTransport(await listen(() => {}));
    await transport.send({});
    const next = transport.frames[Symbol.asyncIterator]().next();
    await Promise.all([transport.close(), transport.close()]);
    expect((await next).done).toBe(true);
    expect(await transport.closed).toEqual(unknownExit);
  });

  test("closes while it is still connecting", async () => {
    const transport = webSocketTransport(await listen(() => {}));
    const send = transport.send({}).catch((error: unknown) => error);
    await transport.close();
    expect(await send).toBeInstanceOf(FrameWriteError);
    expect(await transport.closed).toEqual(unknownExit);
  });

  test("tells of a connection that was lost, or never came about", async () => {
    const lost = webSocketTransport(await listen((socket) => socket.terminate()));
    for await (const _ of lost.frames);
    expect((await lost.closed).error?.message).toContain("closed with code 1006");

    const server = new WebSocketServer({ port: 0, host });
    await once(server, "listening");
    const port = portOf(server.address());
    server.close();
    await once(server, "close");
    const refused = webSocketTransport(open(port));
    const send = refused.send({}).catch((error: unknown) => error);
    expect((await refused.closed).error?.message).toContain("closed with code 1006");
    expect(await send).toBeInstanceOf(FrameWriteError);
  });

  test("waits while the buffer of the socket is full, and rejects when the socket closes then", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = new FakeWebSocket();
    // The members that the transport uses are those of the standard.
    const transport = webSocketTransport(socket as unknown as WebSocket);
    let settled = 0;
    const first = transport.send({ i: 1 }).finally(() => settled++);
    socket.bufferedAmount = 2 * 1024 * 1024;
    await vi.advanceTimersByTimeAsync(1000);
    expect([socket.sent, settled]).toEqual([['{"i":1}\n'], 0]);
    socket.bufferedAmount = 0;
    await vi.advanceTimersByTimeAsync(10);
    await first;

    socket.bufferedAmount = 2 * 1024 * 1024;
    const second = transport.send({ i: 2 }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10);
    await transport.close();
    await vi.advanceTimersByTimeAsync(10);
    expect(await second).toBeInstanceOf(FrameWriteError);
    expect(vi.getTimerCount()).toBe(0);
  });
});

class FakeWebSocket extends EventTarget {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];

  send(text: string): void {
    this.sent.push(text);
  }

  close(code: number): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason: "" }));
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  return address.port;
}

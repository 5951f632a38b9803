import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { reconnectingTransport } from "../src/transport.ts";

// The CLI starts slowly where many do.
vi.setConfig({ testTimeout: 120_000 });

const argv = ["--import=tsx", join(import.meta.dirname, "../src/main.ts")];

test("an answer that is lost with the connection is asked for again, and the session goes on", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 110_000 });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "asked: Bash touch plan.txt",
    "the connection is lost",
    "the connection is back",
    "asked again: Bash touch plan.txt",
    "Claude: It is there.",
    "completed",
    "",
  ]);
});

test("Ctrl-C ends both processes, wherever the session is, and nothing is left", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  const host = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"], timeout: 110_000 });
  const exit = once(host, "exit");
  await once(host.stdout, "data");
  host.kill("SIGINT");
  expect(await exit).toEqual([0, null]);
});

test("every frame comes once and in order, over connections that break, and what is sent then goes to the next", async () => {
  await using _leaks = startLeakCheck();
  const heard: string[] = [];
  await using remote = await startRemote((socket, from) => {
    for (let number = from; number < Math.min(from + 3, 10); number++) socket.send(JSON.stringify({ number }));
    // Behind what was sent, and before anything is read.
    if (from + 3 < 10) return socket.close(4000);
    return socket.on("message", (data) => {
      heard.push(data.toString());
      if (heard.length === 3) socket.close(1000, "0");
    });
  });
  const sent: Promise<void>[] = [];
  const transport = reconnectingTransport(remote.url, {
    onLost: () => sent.push(transport.send({ lost: sent.length })),
  });
  const numbers: unknown[] = [];
  for await (const batch of transport.frames) numbers.push(...batch.map(({ value }) => value["number"]));
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await transport.closed).toEqual({ code: 0, signal: null, stderrTail: "" });
  await Promise.all(sent);
  expect(heard).toEqual(['{"lost":0}\n', '{"lost":1}\n', '{"lost":2}\n']);
  await expect(transport.send({ type: "user" })).rejects.toThrow("the session has ended");
});

test("a remote that refuses, or is not there, is an error of the exit, and of what was to be sent", async () => {
  await using _leaks = startLeakCheck();
  await using remote = await startRemote((socket) => socket.close(1008, "the token is wrong"));
  const refused = reconnectingTransport(remote.url);
  await expect(refused.send({ type: "user" })).rejects.toThrow("the session has ended");
  expect((await refused.closed).error?.message).toContain("the token is wrong");
  await remote[Symbol.asyncDispose]();
  const missing = reconnectingTransport(remote.url, { giveUpMs: 0 });
  await expect(missing.endInput()).rejects.toThrow("the session has ended");
  expect((await missing.closed).error?.message).toContain("could not be reached");
  await missing.close();
});

/** A remote without a CLI. */
async function startRemote(onHost: (socket: WebSocket, from: number) => unknown) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket, { url }) => {
    onHost(socket, Number(new URLSearchParams(url?.split("?")[1]).get("from")));
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> => new Promise((resolve) => void server.close(() => resolve()));
  return { url: `ws://127.0.0.1:${port}/?token=x`, [Symbol.asyncDispose]: close };
}

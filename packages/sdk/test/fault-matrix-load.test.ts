import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Frame, FrameValue } from "@reins/streamjson";
import { type CliStep, scriptedCliExecutable, startLeakCheck, transportPair } from "@reins/testkit";
import { expect, onTestFinished, test, vi } from "vitest";
import { Client, query } from "../src/index.ts";

// Much output, much input, and clocks that jump. `REINS_FLOOD_BYTES=1000000000` makes the flood a gigabyte; the bounds stay the same.

const floodBytes = Number(process.env["REINS_FLOOD_BYTES"] ?? 100_000_000);
const megabyte = 1_000_000;
const result: CliStep = {
  do: "write",
  frame: { type: "result", subtype: "success", is_error: false, session_id: "s" },
};

test("a slow reader of much output keeps memory bounded and the CLI back, and requests are answered all the while", {
  timeout: 300_000,
}, async () => {
  await using _leaks = startLeakCheck();
  const flooding = fileURLToPath(new URL("fixtures/flooding-cli.mjs", import.meta.url));
  await using session = query({
    prompt: "go",
    options: {
      pathToClaudeCodeExecutable: flooding,
      executable: process.execPath,
      env: { FLOOD_BYTES: String(floodBytes) },
      endGraceMs: 5_000,
    },
  });
  await session.initializationResult();
  const before = aliveBytes();
  let consumed = 0;
  let mostAlive = 0;
  let mostAhead = 0;
  let looked = 0;
  for await (const message of session) {
    if (message.type === "result") break;
    consumed += 10_000;
    if (consumed % megabyte === 0) await nextTurn();
    if (consumed < looked) continue;
    looked = consumed + floodBytes / 5;
    // Nobody reads while this is asked, and the answer is behind what the CLI has written.
    const { written } = await session.request("how_far", {}, { timeoutMs: 60_000 });
    mostAhead = Math.max(mostAhead, Number(written) - consumed);
    mostAlive = Math.max(mostAlive, aliveBytes() - before);
  }
  expect(consumed).toBeGreaterThanOrEqual(floodBytes * 0.99);
  // The queue takes 16 MiB, which the answer passes by what is in the pipe and in the buffers of both sides.
  expect(mostAhead).toBeLessThan(24 * megabyte);
  expect(mostAlive).toBeLessThan(60 * megabyte);
});

test("a CLI that does not read keeps what is sent waiting, and nothing else: messages come, and closing rejects all of it", async () => {
  await using _leaks = startLeakCheck();
  const message: CliStep = { do: "write", frame: { type: "assistant", session_id: "s" }, $times: 1_000 };
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "init" }, { do: "read", match: { type: "user" } }, { do: "pauseInput" }, message, { do: "hang" }],
  });
  const client = new Client({ pathToClaudeCodeExecutable: cli.path, endGraceMs: 100, killGraceMs: 100 });
  await client.send("go");
  const big = "x".repeat(megabyte);
  let settled = 0;
  const sends = Array.from({ length: 100 }, () => client.send(big).finally(() => settled++));
  const outcomes = Promise.allSettled(sends);
  let messages = 0;
  for await (const _ of client.receiveMessages()) if (++messages === 1_000) break;
  // The socket takes some hundred kilobytes.
  expect(settled).toBeLessThan(2);
  await client.close();
  const rejected = (await outcomes).flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(rejected.length).toBeGreaterThanOrEqual(99);
  expect(new Set(rejected.map(({ code }) => code))).toEqual(new Set(["REINS_SESSION_CLOSED"]));
});

test("what waited for a CLI that reads again arrives whole and in order", async () => {
  await using _leaks = startLeakCheck();
  const last: CliStep = { do: "read", match: { uuid: "19" } };
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "init" }, { do: "pauseInput" }, { do: "wait", ms: 100 }, last, result, { do: "readEnd" }],
  });
  await using client = new Client({ pathToClaudeCodeExecutable: cli.path });
  await client.connect();
  const big = "x".repeat(megabyte / 2);
  await Promise.all(Array.from({ length: 20 }, (_, index) => client.send(big, { uuid: String(index) })));
  for await (const message of client.receiveMessages()) if (message.type === "result") break;
  await client.finish();
  const prompts = (await cli.log()).frames.filter(({ type }) => type === "user");
  expect(prompts.map(({ uuid }) => uuid)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
  expect(prompts.every((prompt) => JSON.stringify(prompt).length > megabyte / 2)).toBe(true);
});

const year = 365 * 24 * 3_600_000;

test.each([
  ["forward", year],
  ["back", -year],
])("a clock that jumps %s by a year ends no session, and no request", async (_, jump) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { host, cli } = transportPair();
  await using client = new Client({ transport: host, idleTimeoutMs: 30_000, initializeTimeoutMs: 30_000 });
  const connecting = client.connect();
  const sending = client.send("go");
  const initialize = await cli.read();
  vi.setSystemTime(Date.now() + jump);
  await cli.send(answerTo(initialize));
  await connecting;
  await sending;
  expect((await cli.read())?.type).toBe("user");
  const request = client.request("mcp_status");
  const asked = await cli.read();
  vi.setSystemTime(Date.now() + jump);
  await cli.send({ type: "system", subtype: "init", session_id: "s" });
  await cli.send(answerTo(asked));
  await request;
  vi.setSystemTime(Date.now() - jump);
  await cli.send({ type: "result", subtype: "success", is_error: false, session_id: "s" });
  const types: string[] = [];
  for await (const { type } of client.receiveResponse()) types.push(type);
  expect(types).toEqual(["system", "result"]);
  const closing = client.close();
  cli.exit();
  await closing;
});

test.each([
  ["forward", year],
  ["back", -year],
])("deadlines strike on time although the clock jumps %s by a year", async (_, jump) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const { host, cli } = transportPair();
  await using client = new Client({ transport: host, idleTimeoutMs: 100 });
  const sending = client.send("go");
  await cli.send(answerTo(await cli.read()));
  await sending;
  vi.setSystemTime(Date.now() + jump);
  const reading = client.receiveMessages().next();
  await expect(client.request("mcp_status", {}, { timeoutMs: 20 })).rejects.toMatchObject({
    name: "ControlTimeoutError",
  });
  await expect(reading).rejects.toMatchObject({
    name: "StreamStalledError",
    lastFrameAgeMs: expect.toSatisfy(isShort),
  });
});

function isShort(ms: number): boolean {
  return ms >= 0 && ms < 60_000;
}

function answerTo(request: Frame | undefined): FrameValue {
  const response = { subtype: "success", request_id: request?.value["request_id"], response: {} };
  return { type: "control_response", response };
}

/** What is alive in this process, in bytes. */
function aliveBytes(): number {
  setFlagsFromString("--expose-gc");
  // It exists in contexts that are made behind the flag.
  const collect = runInNewContext("gc") as () => void;
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

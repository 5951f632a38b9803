import { PassThrough } from "node:stream";
import { encodeFrame } from "@reins/streamjson";
import { type CliScript, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { runBridge } from "../src/index.ts";
import { type DrivenBridge, driveBridge } from "./drive-bridge.ts";

interface Setup extends DrivenBridge {
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** A bridge over a scripted CLI. */
async function setUp(steps: CliScript["steps"], signal?: AbortSignal): Promise<Setup> {
  const leaks = startLeakCheck();
  const cli = await scriptedCliExecutable({ steps });
  const options = {
    pathToClaudeCodeExecutable: cli.path,
    env: { PATH: process.env["PATH"] },
    endGraceMs: 200,
    killGraceMs: 200,
  };
  const bridge = driveBridge(options, signal);
  bridge.send({ type: "hello", protocols: [1] });
  await bridge.until("hello");
  return {
    ...bridge,
    [Symbol.asyncDispose]: async () => {
      await bridge[Symbol.asyncDispose]();
      await cli.close();
      await leaks.assertClean();
    },
  };
}

test("a CLI that dies ends the prompt, the session, and nothing else", async () => {
  await using bridge = await setUp([
    { do: "init" },
    { do: "read", match: { type: "user" } },
    { do: "stderr", text: "out of luck" },
    { do: "exit", code: 3 },
  ]);
  bridge.send({ type: "open" });
  await bridge.until("opened");
  bridge.send({ type: "send", id: "1", content: "Hello." });
  expect(await bridge.until("turn_end")).toMatchObject({
    id: "1",
    outcome: "session_ended",
    text: expect.stringContaining("3"),
  });
  await expect(bridge.until("closed")).rejects.toThrow("session_failed");
  expect(await bridge.until("closed")).toEqual({ type: "closed", reason: "failed" });
  bridge.send({ type: "open" });
  await bridge.until("opened");
});

test("a prompt that a CLI did not take before it died has one end, and not an error besides", async () => {
  await using bridge = await setUp([{ do: "init" }, { do: "wait", ms: 300 }, { do: "exit", code: 3 }]);
  bridge.send({ type: "open" });
  await bridge.until("opened");
  // More than a pipe holds: the CLI dies while it is written.
  bridge.send({ type: "send", id: "1", content: "x".repeat(8_000_000) });
  const isThere = (type: "closed" | "hello") =>
    bridge.until(type).then(Boolean, (error) => !/Waited/.test(String(error)));
  // Past all errors, first to the end of the session and then to that of the bridge.
  while (!(await isThere("closed")));
  void bridge.end();
  while (!(await isThere("hello")));
  const about = bridge.seen.filter((message) => "id" in message && message.id === "1");
  expect(about).toHaveLength(1);
});

test("a CLI that cannot be started is an error with the reason, and another opening may do better", async () => {
  await using bridge = await setUp([{ do: "init" }, { do: "readEnd" }]);
  bridge.send({ type: "open", options: { cwd: "/nowhere/at/all" } });
  await expect(bridge.until("opened")).rejects.toThrow(/open_failed.*nowhere/);
  bridge.send({ type: "open" });
  await bridge.until("opened");
});

test("a tool that the CLI would not take is told when the session is opened", async () => {
  await using bridge = await setUp([]);
  bridge.send({ type: "open", tools: [{ name: "a b!", description: "", input_schema: { type: "string" } }] });
  await expect(bridge.until("opened")).rejects.toThrow("open_failed");
});

test("a close while the session is being opened ends the opening", async () => {
  await using bridge = await setUp([{ do: "hang" }]);
  bridge.send({ type: "open" });
  bridge.send({ type: "close" });
  await expect(bridge.until("opened")).rejects.toThrow('"type":"closed","reason":"closed"');
});

test("the end of the input while the session is being opened ends the bridge", async () => {
  await using bridge = await setUp([{ do: "hang" }]);
  bridge.send({ type: "open" });
  expect(await bridge.end()).toBe("input-ended");
});

test("the signal ends the bridge", async () => {
  const controller = new AbortController();
  await using bridge = await setUp([{ do: "init" }, { do: "readEnd" }], controller.signal);
  bridge.send({ type: "open" });
  await bridge.until("opened");
  controller.abort();
  expect(await bridge.done).toBe("aborted");
});

test("a signal that is aborted already ends it at once", async () => {
  const bridge = driveBridge({}, AbortSignal.abort());
  expect(await bridge.done).toBe("aborted");
  await bridge.end();
});

test("a host that does not take any more lines has its session ended", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, { do: "readEnd" }] });
  const input = new PassThrough();
  const output = new PassThrough();
  const options = { pathToClaudeCodeExecutable: cli.path, env: { PATH: process.env["PATH"] } };
  const done = runBridge({ input, output, options });
  input.write(encodeFrame({ type: "hello", protocols: [1] }));
  output.destroy();
  input.write(encodeFrame({ type: "open" }));
  expect(await done).toBe("output-failed");
  input.end();
});

test("a host that reads nothing holds the session up, and its end ends it all the same", async () => {
  const frame = { type: "system", subtype: "status", text: "x".repeat(100_000), session_id: "s", uuid: "u" };
  await using bridge = await setUp([
    { do: "init" },
    { do: "read", match: { type: "user" } },
    { do: "write", frame, $times: 2_000 },
    { do: "readEnd" },
  ]);
  bridge.send({ type: "open" });
  await bridge.until("opened");
  bridge.send({ type: "send", id: "1", content: "Hello." });
  await bridge.until("event");
  expect(await bridge.end()).toBe("input-ended");
});

test("a line that is too long is an error, and the next one counts", async () => {
  await using _leaks = startLeakCheck();
  const input = new PassThrough();
  const output = new PassThrough();
  const done = runBridge({ input, output, maxLineBytes: 100 });
  input.write(encodeFrame({ type: "hello", protocols: [1], host: "x".repeat(200) }));
  input.end(encodeFrame({ type: "hello", protocols: [1] }));
  expect(await done).toBe("input-ended");
  const said = String(output.read())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(said).toMatchObject([{ type: "error", code: "bad_line" }, { type: "hello" }]);
});

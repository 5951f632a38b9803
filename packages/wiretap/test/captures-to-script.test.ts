import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFrames, encodeFrame, type FrameValue } from "@reins/streamjson";
import {
  apiError,
  createSandbox,
  findTestBinary,
  type ModelRequest,
  type ModelScript,
  startLeakCheck,
  startScriptedModel,
  text,
  thinking,
  toolUse,
} from "@reins/testkit";
import { describe, expect, test } from "vitest";
import {
  type CapturedTurn,
  capturesToScript,
  type Exchange,
  readCapture,
  startWiretap,
  summarizeCapture,
} from "../src/index.ts";

interface Session {
  readonly result: FrameValue | undefined;
  readonly requests: readonly ModelRequest[];
}

/** One prompt of the real CLI, with a script for a model, recorded where a folder is given. */
async function runSession(script: ModelScript, dir?: string): Promise<Session> {
  await using model = await startScriptedModel(script);
  await using sandbox = await createSandbox({ model });
  await using wiretap = dir === undefined ? undefined : await startWiretap({ dir, upstream: model.url });
  const argv = ["--output-format=stream-json", "--verbose", "--input-format=stream-json", "--allowedTools=Bash"];
  const options = sandbox.spawnOptions({ CLAUDE_CODE_MAX_RETRIES: "3" });
  const env = wiretap?.env(options.env) ?? options.env;
  const child = spawn(findTestBinary(), argv, { ...options, env, stdio: ["pipe", "pipe", "ignore"] });
  const exit = once(child, "exit");
  child.stdin.end(encodeFrame({ type: "user", message: { role: "user", content: "Count to three." } }));
  let result: FrameValue | undefined;
  for await (const { value } of decodeFrames(child.stdout)) if (value.type === "result") result = value;
  await exit;
  model.assertDone();
  return { result, requests: [...model.requests] };
}

test("a session of the real CLI that was captured runs again from its capture", async () => {
  await using _leaks = startLeakCheck();
  const dir = await mkdtemp(join(tmpdir(), "captures-"));
  const script: ModelScript = [
    apiError(529, { headers: { "retry-after": "0" } }),
    {
      content: [
        thinking("Hm, ", "three."),
        toolUse("Bash", { command: "echo 1 2 3", description: "Count" }, "toolu_mine"),
      ],
    },
    { content: text("One, ", "two, ", "three."), usage: { input_tokens: 7, cache_read_input_tokens: 500 } },
  ];
  const first = await runSession(script, dir);
  expect(first.result).toMatchObject({ subtype: "success", result: "One, two, three." });
  const again = await capturesToScript(dir);
  expect(again).toMatchObject([
    { error: { status: 529 }, headers: { "retry-after": "0" } },
    {
      content: [
        { type: "thinking", deltas: ["Hm, ", "three."] },
        { type: "tool_use", id: "toolu_mine", name: "Bash", input: { command: "echo 1 2 3" } },
      ],
      stopReason: "tool_use",
    },
    {
      content: [{ type: "text", deltas: ["One, ", "two, ", "three."] }],
      stopReason: "end_turn",
      usage: { input_tokens: 7, cache_read_input_tokens: 500 },
    },
  ]);
  const second = await runSession(again);
  expect(second.result).toMatchObject({ subtype: "success", result: "One, two, three." });
  expect(second.requests.map(({ toolResults }) => toolResults)).toEqual(
    first.requests.map(({ toolResults }) => toolResults),
  );
  expect(second.result?.["usage"]).toEqual(first.result?.["usage"]);
  const { calls, cacheHitRate } = summarizeCapture(await readCapture(dir));
  expect(calls.filter((call) => !call.isSideCall).map(({ status }) => status)).toEqual([529, 200, 200]);
  expect(calls.at(-1)?.toolNames).toContain("Bash");
  expect(calls.at(-1)?.systemChars).toBeGreaterThan(1000);
  expect(calls.at(-1)?.changes).toMatchObject({ messagesDropped: 0, toolsAdded: [], toolsRemoved: [] });
  expect(cacheHitRate).toBeGreaterThan(0.9);
  await rm(dir, { recursive: true });
});

/** The script of a capture with one call. */
async function scriptOf(exchange: Partial<Exchange>): Promise<CapturedTurn[]> {
  const dir = await mkdtemp(join(tmpdir(), "captures-"));
  const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }] };
  const request = { method: "POST", path: "/v1/messages?beta=true", headers: {}, bytes: 2, body };
  const whole: Exchange = { startedAt: "2026-01-01T00:00:00.000Z", end: "complete", timings: {}, request, ...exchange };
  try {
    await writeFile(join(dir, "0001.json"), JSON.stringify(whole));
    return await capturesToScript(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

const start = { type: "message_start", message: { usage: { input_tokens: 3 } } };
const textStart = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const piece = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } };

function stream(...data: object[]): Exchange["response"] & object {
  return { status: 200, headers: {}, bytes: 1, events: data.map((each) => ({ data: each, atMs: 1 })) };
}

describe("an answer that did not come to its end", () => {
  const cut = stream(start, textStart, piece);

  test("as the API broke off breaks off in the script, at the same event", async () => {
    const [turn] = await scriptOf({ end: "upstream-failed", response: cut });
    expect(turn).toMatchObject({ content: [{ type: "text", deltas: ["Hel"] }], drop: true, afterEvents: 3 });
    expect(await scriptOf({ end: "upstream-failed" })).toEqual([{ drop: true }]);
  });

  test("as the client gave it up stays open", async () => {
    const [turn] = await scriptOf({ end: "client-gone", response: cut });
    expect(turn).toMatchObject({ afterEvents: 3, hold: expect.any(Promise) });
    const [silent] = await scriptOf({ end: "client-gone" });
    expect(silent).toMatchObject({ afterEvents: 0, hold: expect.any(Promise) });
  });

  test("in the middle of a tool's input begins no tool use", async () => {
    const block = { type: "tool_use", id: "t", name: "Bash", input: {} };
    const toolStart = { type: "content_block_start", index: 0, content_block: block };
    const half = { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"comm' } };
    const [turn] = await scriptOf({ end: "upstream-failed", response: stream(start, toolStart, half) });
    expect(turn).toMatchObject({
      content: [{ type: "tool_use", name: "Bash", input: {} }],
      drop: true,
      afterEvents: 2,
    });
  });

  test("with an error of the API ends with that error", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Later." } };
    expect(await scriptOf({ response: stream(start, textStart, piece, error) })).toMatchObject([
      { error: { status: 529, type: "overloaded_error", message: "Later." }, afterEvents: 3 },
    ]);
  });
});

test("an answer that is no stream becomes a turn as well", async () => {
  const content = [
    { type: "text", text: "Hi." },
    { type: "redacted_thinking", data: "x" },
  ];
  const body = { type: "message", content, stop_reason: "max_tokens", usage: { output_tokens: 2 } };
  expect(await scriptOf({ response: { status: 200, headers: {}, bytes: 1, body } })).toEqual([
    { content: [{ type: "text", deltas: ["Hi."] }], stopReason: "max_tokens", usage: { output_tokens: 2 } },
  ]);
});

test("a block that a script has no form for is an error that names it", async () => {
  const search = { type: "content_block_start", index: 0, content_block: { type: "server_tool_use", id: "s" } };
  await expect(scriptOf({ response: stream(start, search) })).rejects.toMatchObject({
    code: "REINS_CAPTURE_SCRIPT",
    number: 1,
    message: expect.stringContaining("server_tool_use"),
  });
});

test("calls beside the conversation are left out", async () => {
  const body = { model: "m", max_tokens: 1, messages: [{ role: "user", content: "quota" }] };
  const request = { method: "POST", path: "/v1/messages", headers: {}, bytes: 2, body };
  expect(await scriptOf({ request, response: stream(start) })).toEqual([]);
});

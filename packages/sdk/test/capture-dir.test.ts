import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { readCapture, summarizeCapture } from "@reins/wiretap";
import { expect, test } from "vitest";
import { z } from "zod";
import { collect, type LaunchWarning, type Options, pipe, query, tool } from "../src/index.ts";

const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, ({ a, b }) => String(a + b));

test("a session with captureDir leaves a file for each request, without its key, and no port open", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([text("Hello.")]);
  await using sandbox = await createSandbox({ model });
  const captureDir = join(sandbox.root, "captures", "first");
  const env = { ...sandbox.env, ANTHROPIC_API_KEY: "sk-ant-api03-of-this-test" };
  const { text: said } = await collect({
    prompt: "Say hello.",
    options: { ...pipe("Be terse."), captureDir, cwd: sandbox.cwd, env, pathToClaudeCodeExecutable: findTestBinary() },
  });
  expect(said).toBe("Hello.");
  const exchanges = await readCapture(captureDir);
  expect(exchanges.length).toBeGreaterThan(0);
  expect(JSON.stringify(exchanges)).not.toContain("of-this-test");
  expect(exchanges.find(({ request }) => request.path.startsWith("/v1/messages?"))).toMatchObject({
    end: "complete",
    request: { method: "POST", headers: { "x-api-key": "<redacted>" }, body: { model: expect.any(String) } },
    response: { status: 200, events: expect.arrayContaining([expect.objectContaining({ event: "message_stop" })]) },
  });
  for (const name of await readdir(captureDir)) {
    expect(name).toMatch(/^\d{4}\.json$/);
    expect((await stat(join(captureDir, name))).mode & 0o777).toBe(0o600);
  }
  expect(model.requests[0]?.headers["x-api-key"]).toBe("<redacted>");
  model.assertDone();
});

test("a captureDir that cannot be made is why the session ends", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([]);
  await using sandbox = await createSandbox({ model });
  await mkdir(sandbox.tmpDir, { recursive: true });
  const file = join(sandbox.tmpDir, "a-file");
  await writeFile(file, "");
  const options: Options = {
    captureDir: join(file, "below"),
    cwd: sandbox.cwd,
    env: sandbox.env,
    pathToClaudeCodeExecutable: findTestBinary(),
  };
  await expect(collect({ prompt: "Say hello.", options })).rejects.toMatchObject({ code: "REINS_CAPTURE_FOLDER" });
  expect(model.requests).toEqual([]);
});

test("closing a session that has just begun leaves nothing of its wiretap", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([]);
  await using sandbox = await createSandbox({ model });
  const captureDir = join(sandbox.root, "capture");
  const options: Options = { captureDir, env: sandbox.env, pathToClaudeCodeExecutable: findTestBinary() };
  await query({ prompt: "Say hello.", options }).close();
});

test("with a transport captureDir does nothing, and that is a warning", async () => {
  const warnings: LaunchWarning[] = [];
  const transport = {
    frames: (async function* () {})(),
    closed: Promise.resolve({ code: 0, signal: null, stderrTail: "" }),
    send: async () => {},
    endInput: async () => {},
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const captureDir = "/nowhere/at/all";
  await query({ prompt: "x", options: { transport, captureDir, onWarning: (each) => warnings.push(each) } }).close();
  expect(warnings).toMatchObject([{ code: "REINS_OPTION_WITHOUT_EFFECT", option: "captureDir" }]);
});

test("the context floor: what a session of the pipe profile sends beside its own words", async ({ annotate }) => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([toolUse("mcp__tools__add", { a: 2, b: 40 }), text("42")]);
  await using sandbox = await createSandbox({ model });
  const captureDir = join(sandbox.root, "capture");
  const systemPrompt = "You are a terse calculator.";
  await collect({
    prompt: "2 + 40",
    options: {
      ...pipe(systemPrompt, [add]),
      captureDir,
      cwd: sandbox.cwd,
      env: sandbox.env,
      pathToClaudeCodeExecutable: findTestBinary(),
    },
  });
  const { calls } = summarizeCapture(await readCapture(captureDir));
  const [first, second] = calls.filter((call) => !call.isSideCall);
  if (first === undefined || second === undefined) throw new Error("The session made fewer calls than it was told to.");
  // Four characters a token, as the scripted model counts.
  const tokens = Math.ceil((first.systemChars + first.toolsChars + first.messagesChars) / 4);
  await annotate(
    `${first.requestBytes} bytes, about ${tokens} tokens: system prompt ${first.systemChars} characters (${systemPrompt.length} of them ours), ` +
      `tools ${first.toolsChars}, messages ${first.messagesChars}. The second call adds ${second.requestBytes - first.requestBytes} bytes.`,
    "context-floor",
  );
  expect(first.toolNames).toContain("mcp__tools__add");
  // Claude Code's own prompt and tools are some 20,000. Twice what it is now: the rest depends on the machine (folder, date, shell).
  expect(tokens).toBeGreaterThan(100);
  expect(tokens).toBeLessThan(900);
  expect(second.changes).toMatchObject({ since: first.number, messagesDropped: 0, isSystemChanged: false });
});

import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BuiltCli, buildCli, type Ran } from "./built-cli.ts";

let cli: BuiltCli;
beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reins-tap-script-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A session of the real binary under `tap run`, its capture in a folder. */
async function runSession(script: ModelScript, capture: string): Promise<Ran> {
  await using model = await startScriptedModel(script);
  await using sandbox = await createSandbox({ model });
  const claude = [findTestBinary(), "-p", "Six times seven?", "--allowedTools", "Bash"];
  const ran = await cli.run(["tap", "run", "--dir", capture, "--", ...claude], sandbox.spawnOptions());
  model.assertDone();
  return ran;
}

test("tap script makes a module of a session, with which the session runs again", async () => {
  await using leaks = startLeakCheck();
  const folder = await createFolder();
  const [capture, out] = [join(folder, "capture"), join(folder, "session.script.ts")];
  const answers = [toolUse("Bash", { command: "echo $((6 * 7))" }, "toolu_recorded"), text("It is ", "42.")];
  expect(await runSession(answers, capture)).toMatchObject({ code: 0, stdout: "It is 42.\n" });
  const written = await cli.run(["tap", "script", capture, "--out", out]);
  expect(written).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  expect(await cli.run(["tap", "script", capture])).toEqual({ ...written, stdout: await readFile(out, "utf8") });
  const { script }: { script: ModelScript } = await import(out);
  expect(script).toMatchObject([
    { content: [{ type: "tool_use", id: "toolu_recorded", input: { command: "echo $((6 * 7))" } }] },
    { content: [{ type: "text", deltas: ["It is ", "42."] }] },
  ]);
  expect(await runSession(script, join(folder, "again"))).toMatchObject({ code: 0, stdout: "It is 42.\n" });
  await leaks.assertClean();
});

/** Writes a file of a capture: a call of the model with an answer. */
async function writeCall(capture: string, number: number, exchange: object): Promise<void> {
  const body = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "x" }] };
  const request = { method: "POST", path: "/v1/messages", headers: {}, bytes: 2, body };
  const whole = { startedAt: "2026-01-01T00:00:00.000Z", end: "complete", timings: {}, request, ...exchange };
  await mkdir(capture, { recursive: true });
  await writeFile(join(capture, `000${number}.json`), JSON.stringify(whole));
}

function streamed(...data: object[]): object {
  return { response: { status: 200, headers: {}, bytes: 1, events: data.map((each) => ({ data: each, atMs: 1 })) } };
}

test("what is odd in a capture is in the module as it was", async () => {
  const folder = await createFolder();
  const capture = join(folder, "capture");
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what would be one in another place.
  const odd = 'a "quote", a \\ backslash, `${x}`, */ \u2028 \u0000 "__proto__": <\u001b[31m>\n';
  const input = `{"__proto__":{"polluted":true},"text":${JSON.stringify(odd)}}`;
  const start = { type: "message_start", message: { usage: { input_tokens: 3 } } };
  const block = { type: "tool_use", id: "t", name: "Odd", input: {} };
  await writeCall(capture, 1, {
    ...streamed(
      start,
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: input } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" } },
      { type: "message_stop" },
    ),
  });
  // One that the client gave up.
  await writeCall(capture, 2, { end: "client-gone", ...streamed(start) });
  await writeCall(capture, 3, { end: "client-gone" });
  const out = join(folder, "odd.script.ts");
  expect(await cli.run(["tap", "script", capture, "--out", out])).toEqual({ code: 0, stdout: "", stderr: "" });
  const { script } = await import(out);
  expect(JSON.stringify(script[0].content[0].input)).toBe(JSON.stringify(JSON.parse(input)));
  expect(script.slice(1)).toMatchObject([
    { afterEvents: 1, hold: expect.any(Promise) },
    { afterEvents: 0, hold: expect.any(Promise) },
  ]);
});

test("what is no capture, or cannot be written, says what to do", async () => {
  const folder = await createFolder();
  const capture = join(folder, "capture");
  const missing = await cli.run(["tap", "script", capture]);
  expect(missing).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/capture.*\nNext: check the path/s),
  });
  await mkdir(capture);
  const empty = await cli.run(["tap", "script", capture]);
  expect(empty).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/no call of the model in .*reins tap run/),
  });
  const search = { type: "content_block_start", index: 0, content_block: { type: "server_tool_use", id: "s" } };
  await writeCall(capture, 1, streamed(search));
  const unknown = await cli.run(["tap", "script", capture]);
  expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/Request 1 .*server_tool_use/) });
  await writeCall(capture, 1, streamed({ type: "message_start", message: {} }));
  const nowhere = await cli.run(["tap", "script", capture, "--out", join(folder, "missing", "x.ts")]);
  expect(nowhere).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/ENOENT.*\nNext: check the path/),
  });
});

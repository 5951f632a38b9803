import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FrameValue } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import {
  apiError,
  createGate,
  createSandbox,
  type ModelScript,
  type Sandbox,
  type ScriptedModel,
  ScriptMismatchError,
  startLeakCheck,
  startScriptedModel,
  text,
  thinking,
  toolUse,
} from "../src/index.ts";
import { type CliRun, type CliRunOptions, runCli } from "./drive-cli.ts";

/** Runs the real CLI against a script, and checks that it left nothing behind and met no other host. */
async function run(
  script: ModelScript,
  options: CliRunOptions,
): Promise<CliRun & { readonly model: ScriptedModel; readonly sandbox: Sandbox }> {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(script);
  await using sandbox = await createSandbox({ model });
  const result = await runCli(sandbox, options);
  // The CLI names the folder of a project after its path: had it used the account's folders, it would be there.
  const project = join("projects", sandbox.cwd.replace(/[^a-zA-Z0-9]/g, "-"));
  expect(existsSync(join(sandbox.configDir, project))).toBe(true);
  expect(existsSync(join(homedir(), ".claude", project))).toBe(false);
  return { ...result, model, sandbox };
}

function streamEvent(frame: FrameValue): string {
  return JSON.stringify(frame["event"] ?? null);
}

describe("the real CLI with a scripted model", () => {
  test("gets two turns of text and asks nothing else", async () => {
    const { model, results, exitCode, stderr } = await run([text("Hel", "lo"), text("Bye")], {
      prompts: ["hi", "and?"],
    });

    expect(results.map((result) => result["result"])).toEqual(["Hello", "Bye"]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    model.assertDone();
    expect(model.sideRequests).toEqual([]);
    expect(model.requests.map(({ userText }) => userText)).toEqual(["hi", "and?"]);
    const [first] = model.requests;
    expect(first).toMatchObject({
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "<redacted>" },
    });
    expect(first?.body.stream).toBe(true);
    expect(first?.toolNames).toContain("Bash");
    await expect(first?.ended).resolves.toBe("answered");
  });

  test("runs a tool that the model asks for, and the model sees the result", async () => {
    const script = [
      [thinking("Look ", "first."), text("I look."), toolUse("Bash", { command: "echo $((6 * 7)); pwd" })],
      { content: text("42"), usage: { input_tokens: 100, output_tokens: 7 } },
    ];
    const { model, sandbox, frames, results } = await run(script, {
      prompts: ["how much?"],
      argv: ["--allowedTools=Bash", "--include-partial-messages"],
    });

    model.assertDone();
    const [use] = model.requests[1]?.toolResults ?? [];
    expect(use).toEqual({ toolUseId: "toolu_0001", text: `42\n${sandbox.cwd}`, isError: false });
    const blocks = frames.flatMap((frame) => (frame.type === "assistant" ? [JSON.stringify(frame["message"])] : []));
    expect(blocks.join()).toMatch(/"thinking":"Look first\.".*"text":"I look\.".*"name":"Bash".*"text":"42"/);
    const deltas = frames.filter((frame) => streamEvent(frame).includes("thinking_delta"));
    expect(deltas).toHaveLength(2);
    expect(results[0]).toMatchObject({ subtype: "success", result: "42", usage: { output_tokens: 12 } });
  });

  test("shows an error of the API", async () => {
    const { model, results, exitCode } = await run([apiError(413, { message: "too much" })], { prompts: ["hi"] });

    model.assertDone();
    expect(results[0]).toMatchObject({ is_error: true, api_error_status: 413 });
    expect(exitCode).toBe(1);
  });

  test("tries again after a 429, not before retry-after has passed", async () => {
    const { model, ...cli } = await run([apiError(429, { headers: { "retry-after": "1" } }), text("now")], {
      prompts: ["hi"],
    });

    model.assertDone();
    const retries = cli.frames.filter((frame) => frame.subtype === "api_retry");
    expect(retries).toMatchObject([{ error_status: 429, error: "rate_limit" }]);
    expect(retries[0]?.["retry_delay_ms"]).toBeGreaterThanOrEqual(1_000);
    expect(cli.results[0]).toMatchObject({ subtype: "success", result: "now" });
  });

  test("tries again when the connection drops before the answer, and when it drops in the middle", async () => {
    // What was sent just before a cut can be lost with it, so the cut waits until the CLI has shown the half.
    const shown = createGate();
    const middle = { content: text("half", " lost"), afterEvents: 3, hold: shown.opened, drop: true };
    const { model, ...cli } = await run([{ drop: true }, middle, text("whole")], {
      prompts: ["hi"],
      argv: ["--include-partial-messages"],
      onFrame: (frame) => {
        if (streamEvent(frame).includes('"half"')) shown.open();
      },
    });

    model.assertDone();
    const retries = cli.frames.filter((frame) => frame.subtype === "api_retry");
    expect(retries).toMatchObject([{ error_status: null }, { error_status: null }]);
    expect(cli.frames.map(streamEvent).join()).not.toContain('" lost"');
    expect(cli.results[0]).toMatchObject({ result: "whole" });
    await expect(model.requests[1]?.ended).resolves.toBe("dropped");
  });

  test("falls back to a request without a stream after an error in the middle of one", async () => {
    const script = [apiError(529, { content: text("half"), afterEvents: 3 }), text("whole")];
    const { model, results } = await run(script, { prompts: ["hi"] });

    model.assertDone();
    expect(model.requests.map(({ body }) => body.stream)).toEqual([true, false]);
    expect(results[0]).toMatchObject({ subtype: "success", result: "whole" });
  });

  test("waits for a held answer, and gives it up when it is interrupted", async () => {
    const gate = createGate();
    const script = [{ content: text("begin", "end"), afterEvents: 3, hold: gate.opened }, text("next")];
    const { model, results } = await run(script, {
      prompts: ["hi", "again"],
      argv: ["--include-partial-messages"],
      onFrame: (frame, send) => {
        if (streamEvent(frame).includes('"begin"')) {
          send({ type: "control_request", request_id: "1", request: { subtype: "interrupt" } });
        }
      },
    });

    await expect(model.requests[0]?.ended).resolves.toBe("cancelled");
    expect(results.map((result) => result.subtype)).toEqual(["error_during_execution", "success"]);
    model.assertDone();
  });

  test("is answered by a function that sees each call", async () => {
    const { model, results } = await run(
      ({ userText, body }, index) => text(`${index} ${userText} of ${body.messages.length}`),
      { prompts: ["one", "two"] },
    );

    expect(results.map((result) => result["result"])).toEqual(["0 one of 2", "1 two of 4"]);
    model.assertDone();
  });

  test("fails loudly and at once when the script has no more turns", async () => {
    const { model, results, exitCode } = await run([], { prompts: ["hi"] });

    expect(results[0]).toMatchObject({
      is_error: true,
      result: expect.stringContaining("the script of the test has only 0"),
    });
    expect(exitCode).toBe(1);
    expect(() => model.assertDone()).toThrow(ScriptMismatchError);
    expect(() => model.assertDone()).toThrow(
      'Scripted model: call 1 has no answer, the script of the test has only 0. Its last user text: "hi"',
    );
  });

  test("checks a model, counts tokens and names a session without using up the script", async () => {
    const requests = [
      { subtype: "set_model", model: "claude-sonnet-4-5" },
      { subtype: "get_context_usage" },
      { subtype: "generate_session_title", description: "fix the login" },
    ];
    const answers: unknown[] = [];
    const allAnswered = createGate();
    const { model } = await run([{ content: text("one"), hold: allAnswered.opened }], {
      prompts: ["hi"],
      onFrame: (frame, send) => {
        if (frame.subtype === "init") {
          for (const [id, request] of requests.entries()) {
            send({ type: "control_request", request_id: String(id), request });
          }
        }
        if (frame.type === "control_response") answers.push(frame["response"]);
        if (answers.length === requests.length) allAnswered.open();
      },
    });

    model.assertDone();
    expect(answers).toContainEqual(expect.objectContaining({ response: { title: "Scripted session" } }));
    expect(answers).toContainEqual(expect.objectContaining({ response: { model: "claude-sonnet-4-5" } }));
    const paths = new Set(model.sideRequests.map(({ path }) => path));
    expect(paths).toEqual(new Set(["/v1/messages?beta=true", "/v1/messages/count_tokens?beta=true"]));
  });

  test("is caught when it turns to another host", async () => {
    const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "", DISABLE_AUTOUPDATER: "" };
    const { model } = await run([text("hi")], { prompts: ["hi"], env: quiet });

    expect(model.sideRequests.map(({ method }) => method)).toContain("CONNECT");
    expect(() => model.assertDone()).toThrow(/CONNECT api\.anthropic\.com:443 was meant for another host/);
  });
});

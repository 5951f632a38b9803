import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type CliStep,
  createSandbox,
  type ScriptedCliExecutable,
  scriptedCliExecutable,
  startLeakCheck,
} from "@reins/testkit";
import { describe, expect, test } from "vitest";
import {
  AlreadyUsedError,
  ClaimError,
  createToolServer,
  OptionError,
  type Options,
  PromptError,
  prewarm,
  type SpareProcess,
} from "../src/index.ts";

const session_id = "11111111-1111-4111-8111-111111111111";

function answerTo(name: string, response: object = {}): CliStep {
  const answer = { subtype: "success", request_id: `{{${name}.request_id}}`, response };
  return { do: "write", frame: { type: "control_response", response: answer } };
}

function refusalOf(name: string, error: string): CliStep {
  return {
    do: "write",
    frame: { type: "control_response", response: { subtype: "error", request_id: `{{${name}.request_id}}`, error } },
  };
}

function readRequest(subtype: string, as: string = subtype): CliStep {
  return { do: "read", match: { type: "control_request", "request.subtype": subtype }, as };
}

const claimed = { status: "ok", cwd: "/srv/real", session_id, parked_ms: 12, sdk_mcp_settled: true };
const init: CliStep = { do: "init", response: { commands: [], output_style: "parked" } };
const turn: readonly CliStep[] = [
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
  { do: "write", frame: { type: "result", subtype: "success", is_error: false, session_id, result: "done" } },
  { do: "readEnd" },
];

interface Setup extends AsyncDisposable {
  readonly cli: ScriptedCliExecutable;
  readonly spares: () => Promise<readonly string[]>;
  readonly start: (options?: Options) => Promise<SpareProcess>;
}

async function setUp(steps: readonly CliStep[]): Promise<Setup> {
  const leaks = startLeakCheck();
  const cli = await scriptedCliExecutable({ steps });
  const sandbox = await createSandbox();
  return {
    cli,
    spares: () => readdir(join(sandbox.configDir, "spares")),
    start: (options = {}) =>
      prewarm({
        options: {
          pathToClaudeCodeExecutable: cli.path,
          env: sandbox.env,
          endGraceMs: 200,
          killGraceMs: 200,
          ...options,
        },
      }),
    [Symbol.asyncDispose]: async () => {
      await cli.close();
      await sandbox.close();
      await leaks.assertClean();
    },
  };
}

async function typesOf(messages: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const message of messages) types.push(message.type);
  return types;
}

test("a spare waits in a private folder, and becomes the session that is asked for", async () => {
  await using setup = await setUp([
    init,
    readRequest("claim_session"),
    answerTo("claim_session", { ...claimed, initialize: { commands: [], output_style: "claimed" } }),
    readRequest("set_model"),
    answerTo("set_model"),
    readRequest("set_max_thinking_tokens"),
    answerTo("set_max_thinking_tokens"),
    ...turn,
  ]);
  const { cli, spares, start } = setup;
  const tools = createToolServer({ name: "calc", tools: [] });
  const spare = await start({ mcpServers: { calc: tools }, extraArgs: { "debug-to-stderr": null } });
  expect(await spares()).toEqual([expect.stringMatching(/^spare-/)]);
  const query = spare.claim({
    prompt: "go",
    options: {
      cwd: "some/folder",
      additionalDirectories: ["../other"],
      permissionMode: "acceptEdits",
      env: { CLAUDE_CODE_OAUTH_TOKEN: "t" },
      appendSystemPrompt: "Be terse.",
      title: "Claimed",
      model: "haiku",
      maxThinkingTokens: null,
    },
  });
  expect(await spare.claimed).toEqual({ cwd: "/srv/real", sessionId: session_id, parkedMs: 12, sdkMcpSettled: true });
  expect(await spares()).toEqual([]);
  expect(await query.initializationResult()).toMatchObject({ output_style: "claimed" });
  expect(await typesOf(query)).toEqual(["system", "result"]);
  await spare.exited;
  const { argv, frames, cwd } = await cli.log();
  expect(argv.slice(-2)).toEqual(["--debug-to-stderr", "--await-claim"]);
  expect(cwd).toMatch(/\/spares\/spare-/);
  const written = frames.slice(1).map((frame) => (frame["request"] as { subtype?: string })?.subtype ?? frame["type"]);
  expect(written).toEqual(["claim_session", "set_model", "set_max_thinking_tokens", "user"]);
  expect(frames[1]?.["request"]).toEqual({
    subtype: "claim_session",
    cwd: resolve("some/folder"),
    permission_mode: "acceptEdits",
    env: { CLAUDE_CODE_OAUTH_TOKEN: "t" },
    additional_directories: ["../other"],
    append_system_prompt: "Be terse.",
    title: "Claimed",
    sdk_mcp_servers: ["calc"],
    include_initialize: true,
  });
});

test("with settings the prompt waits until they are taken, and those that decide about the start come before the claim", async () => {
  await using setup = await setUp([
    init,
    readRequest("apply_flag_settings", "first"),
    { do: "noInput", ms: 100 },
    answerTo("first"),
    readRequest("claim_session"),
    readRequest("apply_flag_settings", "second"),
    { do: "noInput", ms: 100 },
    answerTo("claim_session", claimed),
    answerTo("second"),
    ...turn,
  ]);
  const { cli, start } = setup;
  const spare = await start();
  const settings = { enabledPlugins: {}, permissions: { deny: ["Bash"] } };
  expect(await typesOf(spare.claim({ prompt: "go", options: { cwd: "~/project", settings } }))).toEqual([
    "system",
    "result",
  ]);
  const { frames, events } = await cli.log();
  expect(events.flatMap((event) => (event.kind === "collected" ? [event.lines] : []))).toEqual([[], []]);
  expect(frames.slice(1, 4).map((frame) => frame["request"])).toMatchObject([
    { subtype: "apply_flag_settings", settings: { enabledPlugins: {} } },
    { subtype: "claim_session", cwd: "~/project", sdk_mcp_servers: [] },
    { subtype: "apply_flag_settings", settings: { permissions: { deny: ["Bash"] } } },
  ]);
});

describe("a claim that fails", () => {
  test("is refused: the reason is the CLI's, and the query ends with its error result", async () => {
    await using setup = await setUp([
      init,
      readRequest("claim_session"),
      refusalOf("claim_session", "cwd_not_found: the claim cwd does not exist"),
      { do: "read", match: { type: "user" } },
      {
        do: "write",
        frame: { type: "result", subtype: "error_during_execution", is_error: true, errors: ["not_claimed: no"] },
      },
      { do: "readEnd" },
      { do: "exit", code: 1 },
    ]);
    const { spares, start } = setup;
    const spare = await start();
    const query = spare.claim({ prompt: "go", options: { cwd: "/no/such" } });
    await expect(spare.claimed).rejects.toMatchObject({
      name: "ClaimError",
      reason: "cwd_not_found",
      message: "cwd_not_found: the claim cwd does not exist",
      claim: undefined,
    });
    await expect(typesOf(query)).rejects.toThrow("Claude Code returned an error result: not_claimed: no");
    // What the CLI said before still holds.
    expect(await query.initializationResult()).toMatchObject({ output_style: "parked" });
    await spare.exited;
    expect(await spares()).toEqual([]);
  });

  test("does not wait for prompts that will not come", async () => {
    await using setup = await setUp([
      init,
      readRequest("claim_session"),
      refusalOf("claim_session", "not_a_spare: no"),
      { do: "readEnd" },
      { do: "exit", code: 1 },
    ]);
    const { start } = setup;
    const spare = await start();
    const never: AsyncIterable<never> = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
    const query = spare.claim({ prompt: never, options: { cwd: "/" } });
    await expect(typesOf(query)).rejects.toMatchObject({ name: "ProcessError", exitCode: 1 });
    await expect(spare.claimed).rejects.toMatchObject({ reason: "not_a_spare" });
  });

  test("by settings before it: nothing is claimed, and the prompt is not sent", async () => {
    await using setup = await setUp([
      init,
      readRequest("apply_flag_settings"),
      refusalOf("apply_flag_settings", "Fix these: enabledPlugins"),
      { do: "readEnd" },
    ]);
    const { cli, start } = setup;
    const spare = await start();
    const query = spare.claim({ prompt: "go", options: { cwd: "/", settings: { enabledPlugins: 5 } } });
    const expected = { reason: "settings_not_applied", claim: undefined };
    await expect(typesOf(query)).rejects.toMatchObject(expected);
    await expect(spare.claimed).rejects.toMatchObject(expected);
    await spare.exited;
    expect((await cli.log()).frames).toHaveLength(2);
  });

  test("by settings behind it: the prompt is not sent", async () => {
    await using setup = await setUp([
      init,
      readRequest("claim_session"),
      answerTo("claim_session", claimed),
      readRequest("apply_flag_settings"),
      refusalOf("apply_flag_settings", "Fix these: permissions"),
      { do: "readEnd" },
    ]);
    const { cli, start } = setup;
    const spare = await start();
    const query = spare.claim({ prompt: "go", options: { cwd: "/", settings: { permissions: 5 } } });
    const expected = { reason: "settings_not_applied", claim: { sessionId: session_id } };
    await expect(typesOf(query)).rejects.toMatchObject(expected);
    await expect(spare.claimed).rejects.toMatchObject(expected);
    await spare.exited;
    expect((await cli.log()).frames.filter((frame) => frame["type"] === "user")).toEqual([]);
  });

  test("by an option: the session runs without it", async () => {
    await using setup = await setUp([
      init,
      readRequest("claim_session"),
      answerTo("claim_session", claimed),
      readRequest("set_model"),
      refusalOf("set_model", "no such model"),
      ...turn,
    ]);
    const { start } = setup;
    const spare = await start();
    const query = spare.claim({ prompt: "go", options: { cwd: "/", model: "x" } });
    expect(await typesOf(query)).toEqual(["system", "result"]);
    await expect(spare.claimed).rejects.toMatchObject({
      message: "option_not_applied: no such model",
      claim: { sessionId: session_id },
    });
  });

  test("by the end of the CLI", async () => {
    await using setup = await setUp([init, readRequest("claim_session"), { do: "exit", code: 9 }]);
    const { start } = setup;
    const spare = await start();
    const query = spare.claim({ prompt: "go", options: { cwd: "/" } });
    await expect(typesOf(query)).rejects.toMatchObject({ name: "ProcessError", exitCode: 9 });
    await expect(spare.claimed).rejects.toMatchObject({ reason: "claim_failed", cause: { exitCode: 9 } });
  });
});

test("what no claim can say is refused before anything is sent, and the spare can still be claimed", async () => {
  await using setup = await setUp([init, readRequest("claim_session"), answerTo("claim_session", claimed), ...turn]);
  const { cli, start } = setup;
  const spare = await start();
  const claim = (options: object, prompt: unknown = "go") => spare.claim({ prompt, options } as never);
  expect(() => claim({ cwd: "/", settings: { hooks: {} } })).toThrow("settings");
  expect(() => claim({ cwd: "/", settings: { disableAllHooks: true } })).toThrow(OptionError);
  expect(() => claim({ cwd: "" })).toThrow("cwd");
  expect(() => claim({ cwd: "/" }, 5)).toThrow(PromptError);
  expect((await cli.log()).frames).toHaveLength(1);
  await using query = claim({ cwd: "/" });
  expect(() => claim({ cwd: "/" })).toThrow("SpareProcess.claim() can only be called once");
  expect(() => claim({ cwd: "/" })).toThrow(AlreadyUsedError);
  expect(await typesOf(query)).toEqual(["system", "result"]);
});

test("options of a session are refused at the start", async () => {
  for (const options of [{ resume: "x" }, { continue: true }, { forkSession: true }])
    await expect(prewarm({ options })).rejects.toBeInstanceOf(OptionError);
});

test("a spare that is closed, or dies, says so to those who wait", async () => {
  await using setup = await setUp([init, { do: "readEnd" }]);
  const { spares, start } = setup;
  const closed = await start();
  await closed.close();
  await expect(closed.claimed).rejects.toMatchObject({ reason: "spare_closed" });
  await closed.exited;
  expect(() => closed.claim({ prompt: "go", options: { cwd: "/" } })).toThrow(ClaimError);
  expect(await spares()).toEqual([]);

  await using dying = await setUp([init, { do: "exit", code: 0 }]);
  const died = await dying.start();
  await died.exited;
  await expect(died.claimed).rejects.toMatchObject({ reason: "spare_exited" });
  expect(await dying.spares()).toEqual([]);
});

test("a CLI that is too old for spares is an error of the start, and its folder is removed", async () => {
  await using setup = await setUp([
    { do: "stderr", text: "error: unknown option '--await-claim'\n" },
    { do: "exit", code: 1 },
  ]);
  const { spares, start } = setup;
  await expect(start()).rejects.toMatchObject({ message: expect.stringContaining("--await-claim") });
  expect(await spares()).toEqual([]);
});

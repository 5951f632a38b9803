import { getEventListeners } from "node:events";
import { type CliStep, type ScriptedCliExecutable, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import {
  AbortError,
  AlreadyUsedError,
  Client,
  OptionError,
  type Options,
  PromptError,
  startup,
  type WarmQuery,
} from "../src/index.ts";

const session_id = "11111111-1111-4111-8111-111111111111";
const result: CliStep = {
  do: "write",
  frame: { type: "result", subtype: "success", is_error: false, session_id, result: "done" },
};
const turn: readonly CliStep[] = [
  { do: "read", match: { type: "user" }, as: "user" },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
  result,
];
const mark = (name: string): CliStep => ({ do: "write", frame: { type: "keep_alive", startup_mark: name } });
const hook = (subtype: string, event: string, more: object = {}): CliStep => ({
  do: "write",
  frame: { type: "system", subtype, hook_event: event, hook_id: "h1", hook_name: event, ...more },
});

const graces: Options = { endGraceMs: 100, killGraceMs: 100 };

async function warm(
  cli: ScriptedCliExecutable,
  options: Options = {},
  initializeTimeoutMs?: number,
): Promise<WarmQuery> {
  return startup({ options: { pathToClaudeCodeExecutable: cli.path, ...graces, ...options }, initializeTimeoutMs });
}

async function typesOf(messages: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const message of messages) types.push(message.type);
  return types;
}

describe("a session that was started ahead", () => {
  test("takes one prompt, as query() does, and shows nothing of its start", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({
      steps: [mark("a"), { do: "init", response: { commands: [] } }, mark("b"), ...turn, { do: "readEnd" }],
    });
    const session = await warm(cli);
    expect((await cli.log()).frames).toHaveLength(1);
    const query = session.query("go");
    expect(await query.initializationResult()).toMatchObject({ commands: [] });
    expect(await typesOf(query)).toEqual(["system", "result"]);
    const { env, frames } = await cli.log();
    expect(env["CLAUDE_CODE_SDK_READS_STARTUP_MARKS"]).toBe("1");
    expect(frames[1]).toMatchObject({ type: "user", message: { content: [{ type: "text", text: "go" }] } });
    await session.ended;
  });

  test("can be used once, and not when it was closed", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, ...turn, { do: "readEnd" }] });
    const used = await warm(cli);
    // Wrong on purpose: a prompt that is none does not use it up.
    expect(() => used.query(5 as never)).toThrow(PromptError);
    await using query = used.query("go");
    expect(() => used.query("again")).toThrow("WarmQuery.query() can only be called once");
    expect(() => new Client(used)).toThrow(AlreadyUsedError);
    expect(await typesOf(query)).toEqual(["system", "result"]);

    const closed = await warm(cli);
    await closed.close();
    await closed.ended;
    expect(() => closed.query("go")).toThrow(AlreadyUsedError);
    expect((await cli.log()).inputEnded).toBe(true);
  });

  test("can become a client, which then owns it", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, ...turn, ...turn, { do: "readEnd" }] });
    const session = await warm(cli, { verbatimPrompts: true });
    const client = new Client(session);
    for (const prompt of ["one", "two"]) {
      await client.query(prompt);
      expect(await typesOf(client.receiveResponse())).toEqual(["system", "result"]);
    }
    expect(client.sessionId).toBe(session_id);
    expect((await cli.log()).frames[1]).toMatchObject({ client_composed: true });
    await client.close();
    await session.ended;
  });

  test("is gone when its scope is left", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, { do: "readEnd" }] });
    {
      await using session = await warm(cli);
      expect(session).toBeDefined();
    }
    expect((await cli.log()).inputEnded).toBe(true);
  });

  test("tells the reader when it died before it was used", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "init" }, { do: "exit", code: 143 }] });
    const session = await warm(cli);
    await session.ended;
    await expect(session.query("go").next()).rejects.toMatchObject({ name: "ProcessError", exitCode: 143 });
  });
});

describe("a start that fails", () => {
  test("rejects with what a query would throw, and leaves nothing", async () => {
    const controller = new AbortController();
    await using _leaks = startLeakCheck({ watch: [controller.signal] });
    await using refusing = await scriptedCliExecutable({
      steps: [
        { do: "stderr", text: "error: unknown option\n" },
        { do: "exit", code: 1 },
      ],
    });
    const options = { abortController: controller };
    await expect(warm(refusing, options)).rejects.toMatchObject({ name: "ProcessError", exitCode: 1 });
    await expect(
      startup({ options: { ...options, pathToClaudeCodeExecutable: "/no/such/claude" } }),
    ).rejects.toMatchObject({ name: "CliNotFoundError" });
    await expect(startup({ options: { maxBudgetUsd: 0 } })).rejects.toBeInstanceOf(OptionError);
    await expect(startup({ initializeTimeoutMs: 0 })).rejects.toBeInstanceOf(OptionError);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("rejects when the CLI does not take the hooks", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({
      steps: [{ do: "init", response: { hooks_applied: false } }, { do: "readEnd" }],
    });
    const hooks = { PreToolUse: [{ hooks: [async () => ({})] }] };
    await expect(warm(cli, { hooks })).rejects.toMatchObject({ name: "ControlError" });
  });

  test("rejects when it is aborted", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
    const controller = new AbortController();
    const starting = warm(cli, { abortController: controller });
    controller.abort();
    await expect(starting).rejects.toBeInstanceOf(AbortError);
  });

  test("names the last checkpoint when it is late", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({
      steps: [mark("first"), mark(`last ${"x".repeat(100)}`), { do: "wait", ms: 200 }, { do: "hang" }],
    });
    const error: unknown = await warm(cli, {}, 1_500).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: "InitializeTimeoutError",
      code: "REINS_INITIALIZE_TIMEOUT",
      timeoutMs: 1_500,
      startupMark: `last ${"x".repeat(59)}`,
      startupMarkAgeMs: expect.any(Number),
    });
    expect(String(error)).toMatch(
      /Subprocess initialization did not complete within 1500ms\. Its last checkpoint was last x+, \d+ ms ago/,
    );
  });

  test("is late also by the option of the query, which counts all time", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [hook("hook_started", "SessionStart"), { do: "hang" }] });
    const error: unknown = await warm(cli, { initializeTimeoutMs: 1_000 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "InitializeTimeoutError", timeoutMs: 1_000, startupMark: undefined });
  });
});

test("what a hook printed during the start is not kept for the reader, its begin and end are", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      hook("hook_started", "SessionStart"),
      hook("hook_progress", "SessionStart", { output: "noise" }),
      hook("hook_progress", "SessionStart", { output: "of one in the background", backgrounded: true }),
      hook("hook_response", "SessionStart", { outcome: "success" }),
      { do: "init" },
      ...turn,
      { do: "readEnd" },
    ],
  });
  const seen: string[] = [];
  for await (const message of (await warm(cli)).query("go")) {
    seen.push("output" in message ? `${message.type} ${String(message.output)}` : message.type);
  }
  expect(seen).toEqual(["system", "system of one in the background", "system", "system", "result"]);
});

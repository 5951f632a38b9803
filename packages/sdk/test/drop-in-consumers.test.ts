import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, text } from "@reins/testkit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as sdk from "../src/index.ts";
import { realCli } from "./real-cli.ts";

// What published programs take from the official SDK, without all of it being promised: names, members, words of error messages. The
// programs: an ACP agent (A), a provider of the Vercel AI SDK (P), an OpenTelemetry instrumentation (T), a runtime of agents (R).

test.each([
  // A
  ..."query resolveSettings filterEscalatingDefaultMode listSessions getSessionMessages getSessionInfo getSubagentMessages".split(
    " ",
  ),
  ..."forkSession deleteSession importSessionToStore USAGE_LIMIT_ERROR_PREFIXES".split(" "),
  // P
  ..."startup tool createSdkMcpServer AbortError HOOK_EVENTS SYSTEM_PROMPT_DYNAMIC_BOUNDARY InMemorySessionStore".split(
    " ",
  ),
  ..."listSubagents renameSession tagSession foldSessionSummary".split(" "),
])("%s is exported", (name) => {
  expect(Reflect.get(sdk, name)).toBeDefined();
});

test.each([
  // A; the last three are looked for before they are called
  ..."next initializationResult interrupt close setModel setPermissionMode applyFlagSettings supportedCommands".split(
    " ",
  ),
  ..."supportedAgents accountInfo mcpServerStatus reconnectMcpServer toggleMcpServer getContextUsage stopTask".split(
    " ",
  ),
  ..."rewindFiles usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET generateSessionTitle renameSession mcpAuthenticate".split(
    " ",
  ),
  // P; the last one is looked for before it is called
  ..."return setMcpPermissionModeOverride setMaxThinkingTokens setMcpServers backgroundTasks streamInput".split(" "),
  // T
  "throw",
])("a query has the method %s", async (name) => {
  await using session = sdk.query({ prompt: "Never.", options: { abortController: abortedController() } });
  expect(Reflect.get(session, name)).toBeTypeOf("function");
});

test.each([
  // A
  ..."abortController additionalDirectories allowDangerouslySkipPermissions canUseTool cwd disallowedTools".split(" "),
  ..."enableFileCheckpointing env extraArgs forkSession forwardSubagentText hooks includePartialMessages mcpServers".split(
    " ",
  ),
  ..."onElicitation onUserDialog pathToClaudeCodeExecutable permissionMode perTaskStopAffordance promptSuggestions".split(
    " ",
  ),
  ..."resume sessionId settingSources settings supportedDialogKinds systemPrompt thinking tools".split(" "),
  // P
  ..."agent agentProgressSummaries agents allowedTools betas continue debug debugFile effort executable".split(" "),
  ..."executableArgs fallbackModel includeHookEvents loadTimeoutMs managedSettings maxBudgetUsd maxThinkingTokens".split(
    " ",
  ),
  ..."maxTurns model outputFormat permissionPromptToolName persistSession planModeInstructions plugins".split(" "),
  ..."resumeDropsTurn resumeSessionAt sandbox sessionStore sessionStoreFlush skills spawnClaudeCodeProcess stderr".split(
    " ",
  ),
  ..."strictMcpConfig taskBudget title toolAliases toolConfig".split(" "),
])("the option %s is known, and does nothing when it is undefined", async (name) => {
  const onWarning = vi.fn();
  const options: sdk.Options = { abortController: abortedController(), onWarning };
  // The compiler knows the names; a program in JavaScript writes what it likes.
  const given: sdk.Options = name === "abortController" ? options : { ...options, [name]: undefined };
  await using session = sdk.query({ prompt: "Never.", options: given });
  await expect(session.next()).rejects.toMatchObject({ name: "AbortError" });
  expect(onWarning).not.toHaveBeenCalled();
});

test("an option that there is not is warned about, so that the test above can fail", async () => {
  const onWarning = vi.fn();
  // Wrong on purpose.
  const options = { abortController: abortedController(), onWarning, noSuchOption: 1 } as sdk.Options;
  await using session = sdk.query({ prompt: "Never.", options });
  await expect(session.next()).rejects.toMatchObject({ name: "AbortError" });
  expect(onWarning).toHaveBeenCalledOnce();
});

test.each(
  [
    "PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop PostModelSwitch PostCompact TaskCreated",
    "TaskCompleted",
  ].flatMap((names) => names.split(" ")),
)("%s is a hook event", (name) => {
  expect(sdk.HOOK_EVENTS).toContain(name);
});

test("the exports can be copied by their enumerable names, and a copy works (T)", async () => {
  const copy = Object.fromEntries(Object.entries(sdk));
  expect(Object.keys(copy)).toEqual(expect.arrayContaining(["query", "tool", "AbortError"]));
  expect(copy["query"]).toBe(sdk.query);
});

describe("an error", () => {
  test("of an abort has the name AbortError (P)", async () => {
    const session = sdk.query({ prompt: "Never.", options: { abortController: abortedController() } });
    await expect(session.next()).rejects.toSatisfy((error) => error instanceof sdk.AbortError);
    await expect(session.next()).resolves.toMatchObject({ done: true });
  });

  test("of a CLI that fails names its exit, and holds exitCode and stderr (A, P)", async () => {
    const session = await failingCli("process.stderr.write('no disk'); process.exit(3)");
    await expect(session.next()).rejects.toMatchObject({
      message: expect.stringContaining("process exited with code 3"),
      exitCode: 3,
      stderr: expect.stringContaining("no disk"),
    });
  });

  test("of a CLI that is killed names the signal (A)", async () => {
    const session = await failingCli("process.kill(process.pid, 'SIGKILL')");
    await expect(session.next()).rejects.toThrow("process terminated by signal SIGKILL");
  });

  test("of a request to a query that is closed says so (A)", async () => {
    const session = await failingCli("process.stdin.resume()");
    const answer = session.setModel("claude-haiku-4-5");
    void session.close();
    await expect(answer).rejects.toThrow("Query closed before response received");
  });

  test("of a CLI that is not there has the code or the words of the system (P)", async () => {
    const session = sdk.query({ prompt: "Hi.", options: { pathToClaudeCodeExecutable: "/no/such/claude" } });
    await expect(session.next()).rejects.toMatchObject({ name: "CliNotFoundError" });
  });

  test("of a session that cannot be resumed has the words of the CLI (A)", async () => {
    await using setup = await realCli(() => text("Hello."));
    const resume = "11111111-2222-4333-8444-555555555555";
    const session = sdk.query({ prompt: "Go on.", options: { ...setup.options, resume } });
    const reading = (async () => {
      for await (const _ of session);
    })();
    await expect(reading).rejects.toThrow(
      `Claude Code returned an error result: No conversation found with session ID: ${resume}`,
    );
  });

  test("of a start that failed has the reason that the CLI gives (A)", async () => {
    const result = {
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      errors: ["The settings are broken."],
      startup_failure_reason: "settings_error",
    };
    const session = await failingCli(`console.log(${JSON.stringify(JSON.stringify(result))}); process.exitCode = 1;`);
    expect(await session.next()).toMatchObject({ value: { type: "result" } });
    await expect(session.next()).rejects.toMatchObject({
      message: "Claude Code returned an error result: The settings are broken.",
      startupFailureReason: "settings_error",
    });
  });

  test("of a session that is not there has its id (A)", async () => {
    await using setup = await realCli(() => text("Hello."));
    vi.stubEnv("CLAUDE_CONFIG_DIR", setup.sandbox.configDir);
    const id = "11111111-2222-4333-8444-555555555555";
    const { cwd } = setup.options;
    await expect(sdk.deleteSession(id)).rejects.toThrow(`Session ${id} not found`);
    await expect(sdk.deleteSession(id, { dir: cwd })).rejects.toThrow(`Session ${id} not found in`);
    await expect(sdk.deleteSession("x")).rejects.toThrow("Invalid sessionId: x");
  });
});

test("of the initialization and of the result there is what is read (A, P)", async () => {
  await using setup = await realCli(() => text("Hello."));
  const session = sdk.query({ prompt: "Say hello.", options: setup.options });
  expect(await session.initializationResult()).toMatchObject({
    account: expect.any(Object),
    models: expect.any(Array),
    commands: expect.any(Array),
    agents: expect.any(Array),
    fast_mode_state: expect.any(String),
  });
  const results: unknown[] = [];
  for await (const message of session) if (message.type === "result") results.push(message);
  expect(results).toMatchObject([
    {
      is_error: false,
      result: "Hello.",
      stop_reason: "end_turn",
      usage: expect.any(Object),
      modelUsage: expect.any(Object),
      total_cost_usd: expect.any(Number),
      duration_ms: expect.any(Number),
      ttft_ms: expect.any(Number),
      permission_denials: [],
      session_id: expect.any(String),
    },
  ]);
});

test("a query can be iterated by Symbol.asyncIterator, paused, and left by a return that nobody waits for (A, P)", async () => {
  await using setup = await realCli(() => text("Hello."));
  const session = sdk.query({ prompt: "Say hello.", options: setup.options });
  const iterator = session[Symbol.asyncIterator]();
  expect(await iterator.next()).toMatchObject({ done: false });
  const returned = iterator.return?.();
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  await returned;
});

function abortedController(): AbortController {
  const controller = new AbortController();
  controller.abort();
  return controller;
}

/** A query of a CLI that is this script. */
async function failingCli(script: string): Promise<sdk.Query> {
  const sandbox = await createSandbox();
  const path = join(sandbox.cwd, "cli.mjs");
  await writeFile(path, script);
  const session = sdk.query({
    prompt: "Hi.",
    options: { pathToClaudeCodeExecutable: path, executable: "node", cwd: sandbox.cwd, env: sandbox.env },
  });
  onTestFinished(async () => {
    await session.close();
    await sandbox.close();
  });
  return session;
}

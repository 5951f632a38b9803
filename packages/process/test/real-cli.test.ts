import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameValue } from "@reins/streamjson";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import {
  buildLaunch,
  checkInitializeAnswer,
  type Launch,
  type LaunchOptions,
  type LaunchWarning,
  startClaude,
} from "../src/index.ts";
import { allFrames, isAlive, until } from "./setup.ts";

// The pinned binary, in a sandbox, with a scripted model.

const prompt = { type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null };

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

function initialize(launch: Launch): FrameValue {
  return { type: "control_request", request_id: "i", request: { subtype: "initialize", ...launch.initialize } };
}

test("a session of one turn: every option that can be combined, the answer, exit code 0", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([text("42")]);
  await using sandbox = await createSandbox({ model });
  const warnings: LaunchWarning[] = [];
  const options: LaunchOptions = {
    pathToClaudeCodeExecutable: findTestBinary(),
    env: { ...sandbox.env, IS_SANDBOX: "1" },
    cwd: sandbox.cwd,
    additionalDirectories: [sandbox.home, join(sandbox.home, "not,there")],
    agent: "helper",
    agentProgressSummaries: true,
    agents: { helper: { description: "helps", prompt: "help" } },
    allowDangerouslySkipPermissions: true,
    allowedTools: ["Read", "Bash(git *)"],
    betas: ["context-1m-2025-08-07"],
    debug: true,
    debugFile: join(sandbox.tmpDir, "debug.txt"),
    disallowedTools: ["WebSearch"],
    effort: "low",
    enableFileCheckpointing: true,
    executableArgs: ["--disable-slash-commands"],
    extraArgs: { "replay-user-messages": null },
    fallbackModel: "sonnet",
    forwardSubagentText: true,
    includeHookEvents: true,
    includePartialMessages: true,
    managedSettings: { permissions: { deny: ["WebFetch"] } },
    maxBudgetUsd: 5,
    maxTurns: 2,
    mcpServers: { silent: { command: "/bin/false", env: { TOKEN: "a-secret" } } },
    model: "haiku",
    onWarning: (warning) => warnings.push(warning),
    outputFormat: undefined,
    permissionMode: "acceptEdits",
    permissionPromptToolName: "stdio",
    permissionPrompts: "host",
    perTaskStopAffordance: true,
    persistSession: false,
    planModeInstructions: "Plan.",
    pluginDelivery: "initialize",
    plugins: [{ type: "local", path: sandbox.home }],
    projectConfigRoot: sandbox.cwd,
    promptSuggestions: false,
    sandbox: { enabled: false },
    sessionId: "11111111-1111-4111-8111-111111111111",
    settings: { cleanupPeriodDays: 3, env: { OTHER: "another-secret" } },
    settingSources: [],
    skills: "all",
    strictMcpConfig: true,
    supportedDialogKinds: [],
    systemPrompt: { type: "preset", preset: "claude_code", append: "Be brief.", excludeDynamicSections: true },
    taskBudget: { total: 20_000 },
    thinking: { type: "adaptive", display: "omitted" },
    title: "A title",
    toolAliases: {},
    toolConfig: { askUserQuestion: { previewFormat: "markdown" } },
    tools: ["Read", "Bash"],
  };
  const launch = buildLaunch(options);
  sandbox.assertSafe(launch.env);
  expect(launch.args.join(" ")).not.toContain("secret");
  expect(warnings.map(({ option }) => option)).toEqual(["allowedTools"]);
  await using claude = startClaude(launch);
  await claude.send(initialize(launch));
  await claude.send(prompt);

  const seen: string[] = [];
  let result: unknown;
  for await (const batch of claude.frames) {
    for (const frame of batch) {
      seen.push(`${frame.type}/${frame.subtype}`);
      if (frame.type === "result") result = frame.value;
      if (frame.type === "result") await claude.endInput();
      if (frame.type === "control_response") {
        // Everything that travels in the initialize request was taken.
        checkInitializeAnswer(
          launch.initialize,
          Object(Object(frame.value["response"])["response"]),
          options.onWarning,
        );
      }
      if (frame.subtype === "init")
        expect(frame.value).toMatchObject({ session_id: options.sessionId, permissionMode: "acceptEdits" });
    }
  }
  expect(result).toMatchObject({ is_error: false, result: "42" });
  // The variable that makes the CLI say when a run is over.
  expect(seen).toContain("system/session_state_changed");
  expect(await claude.closed).toMatchObject({ code: 0 });
  expect(warnings).toHaveLength(1);
  expect(JSON.stringify(model.requests[0]?.body)).toContain("Be brief.");
});

test("a flag that the CLI does not know is told from other exits", async () => {
  await using _leaks = startLeakCheck();
  await using sandbox = await createSandbox();
  const launch = buildLaunch({
    pathToClaudeCodeExecutable: findTestBinary(),
    env: sandbox.env,
    cwd: sandbox.cwd,
    extraArgs: { "no-such-flag": null },
  });
  sandbox.assertSafe(launch.env);
  await using claude = startClaude(launch);
  expect(await allFrames(claude)).toEqual([]);
  const { error } = await claude.closed;
  expect(error).toMatchObject({ name: "LaunchError", reason: "unknown-flag", cause: { exitCode: 1 } });
  expect(error?.message).toContain("does not know --no-such-flag");
});

test("closed in the middle of a command, the CLI and the command are gone", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([
    toolUse("Bash", { command: "echo $$ > pid; exec cat /dev/zero > /dev/null" }),
  ]);
  await using sandbox = await createSandbox({ model });
  const launch = buildLaunch({
    pathToClaudeCodeExecutable: findTestBinary(),
    env: sandbox.env,
    cwd: sandbox.cwd,
    allowedTools: ["Bash"],
    settingSources: [],
  });
  sandbox.assertSafe(launch.env);
  const claude = startClaude(launch, { endGraceMs: 500 });
  await claude.send(initialize(launch));
  await claude.send(prompt);
  const pid = (): number => Number(attempt(() => readFileSync(join(sandbox.cwd, "pid"), "utf8")));
  await until("the command runs", () => pid() > 0);
  const command = pid();
  await claude.close();
  // It waits for its command after the end of its input, and ends on SIGTERM with a code of its own.
  expect(await claude.closed).toMatchObject({ code: 143, signal: null });
  expect((await claude.closed).error).toBeUndefined();
  expect(isAlive(claude.pid ?? 0)).toBe(false);
  await until("the command is gone", () => !isAlive(command));
});

import { createSandbox, findTestBinary, type Sandbox, startLeakCheck, startScriptedModel, text } from "@reins/testkit";
import { expect, test } from "vitest";
import {
  buildLaunch,
  inheritEnv,
  type Launch,
  type LaunchOptions,
  type ProcessTransport,
  startClaude,
} from "../src/index.ts";
import { allFrames } from "./setup.ts";

// What hurts users of other SDKs most, tried with the real CLI. The other tests of this folder have the details, and what needs another system.

function launchIn(sandbox: Sandbox, options: LaunchOptions = {}): Launch {
  const launch = buildLaunch({
    pathToClaudeCodeExecutable: findTestBinary(),
    env: sandbox.env,
    cwd: sandbox.cwd,
    onWarning: () => {},
    ...options,
  });
  sandbox.assertSafe(launch.env);
  return launch;
}

async function ask(claude: ProcessTransport, { initialize }: Launch): Promise<void> {
  await claude.send({ type: "control_request", request_id: "i", request: { subtype: "initialize", ...initialize } });
  await claude.send({ type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null });
}

/** One turn, to the end of the process. What the model said. */
async function answer(launch: Launch): Promise<unknown> {
  await using claude = startClaude(launch);
  await ask(claude, launch);
  await claude.endInput();
  const result = (await allFrames(claude)).find(({ type }) => type === "result");
  expect((await claude.closed).error).toBeUndefined();
  return result?.value["result"];
}

test("a host inside of a CLI session starts another one", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([text("42")]);
  await using sandbox = await createSandbox({ model });
  const outer = { ...sandbox.env, CLAUDECODE: "1", CLAUDE_CODE_SESSION_ID: "x", CLAUDE_CODE_CHILD_SESSION: "1" };
  const launch = launchIn(sandbox, { env: inheritEnv({}, outer) });
  expect(Object.keys(launch.env).filter((name) => /^CLAUDECODE|SESSION_ID|CHILD/.test(name))).toEqual([]);
  expect(await answer(launch)).toBe("42");
});

test("no option is too long for a command line that can be had everywhere", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([text("42")]);
  await using sandbox = await createSandbox({ model });
  const long = "x".repeat(150_000);
  const names = Array.from({ length: 1000 }, (_, i) => `mcp__server__${String(i).padStart(30, "0")}`);
  const launch = launchIn(sandbox, {
    systemPrompt: long,
    agents: { helper: { description: "d", prompt: long } },
    allowedTools: names,
    disallowedTools: names.map((name) => name.replace("server", "other")),
    additionalDirectories: names.map((name) => `${sandbox.home}/${name}`),
    plugins: names.map((name) => ({ type: "local", path: `${sandbox.home}/${name}` })),
    mcpServers: { s: { command: "/bin/false", args: [long] } },
    settings: { companyAnnouncements: [long] },
    managedSettings: { companyAnnouncements: [long] },
  });
  expect([launch.command, ...launch.args].join(" ").length).toBeLessThan(30_000);
  expect(await answer(launch)).toBe("42");
  expect(JSON.stringify(model.requests[0]?.body)).toContain(long);
});

test("an abort ends the process with one error, and leaves nothing on the signal", async () => {
  const controller = new AbortController();
  await using _leaks = startLeakCheck({ watch: [controller.signal] });
  await using model = await startScriptedModel([{ ...text("late"), delayMs: 60_000 }]);
  await using sandbox = await createSandbox({ model });
  const launch = launchIn(sandbox);
  const claude = startClaude(launch, { signal: controller.signal, endGraceMs: 100 });
  await ask(claude, launch);
  for await (const batch of claude.frames) {
    if (batch.some(({ subtype }) => subtype === "init")) controller.abort(new Error("enough"));
  }
  expect((await claude.closed).error).toMatchObject({ name: "AbortError", cause: { message: "enough" } });
});

test("an exit with code 1 says why, and how far it came", async () => {
  await using _leaks = startLeakCheck();
  await using sandbox = await createSandbox();
  await using claude = startClaude(launchIn(sandbox, { settings: "/nowhere/settings.json" }));
  const { error, stderrTail } = await claude.closed;
  expect(error).toMatchObject({ name: "ProcessError", exitCode: 1, step: "start", stderrTail });
  expect(error?.message).toContain("Settings file not found: /nowhere/settings.json");
});

import { type ScriptedCliExecutable, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { type Launch, startClaude } from "../src/index.ts";
import { allFrames, isAlive, launchOf, scratchFolder, scriptOf, timed } from "./setup.ts";

// Inputs that broke a published SDK, each as the process layer meets it. What they say about sessions is tested in the sdk.

const prompt = { type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null };

/** One session as the layers above drive it: initialize, a prompt, reading until the result. */
async function session(
  cli: ScriptedCliExecutable,
  launch: Launch = launchOf(cli.path),
  signal?: AbortSignal,
): Promise<string[]> {
  await using claude = startClaude(launch, { signal });
  await claude.send({
    type: "control_request",
    request_id: "i",
    request: { subtype: "initialize", ...launch.initialize },
  });
  await claude.send(prompt);
  const types: string[] = [];
  for await (const batch of claude.frames) {
    types.push(...batch.map(({ type, subtype }) => [type, subtype].filter(Boolean).join("/")));
    if (types.includes("result/success")) await claude.endInput();
  }
  expect((await claude.closed).error).toBeUndefined();
  return types;
}

test("process-abort-listeners: sessions that share a signal", async () => {
  const { signal } = new AbortController();
  await using _leaks = startLeakCheck({ watch: [signal] });
  await using cli = await scriptedCliExecutable(scriptOf("process-abort-listeners"));
  const sessions = Array.from({ length: 10 }, () => session(cli, launchOf(cli.path), signal));
  for (const types of await Promise.all(sessions)) expect(types.at(-1)).toBe("result/success");
});

test("process-aborted-before-start: no process, and an error at once", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: [{ do: "exit", code: 0 }] });
  const claude = startClaude(launchOf(cli.path), { signal: AbortSignal.abort() });
  expect(await allFrames(claude)).toEqual([]);
  expect((await claude.closed).error).toMatchObject({ name: "AbortError" });
  expect(await cli.logs()).toEqual([]);
});

test("process-missing-directory: the error names the directory, and not the executable", async () => {
  await using _leaks = startLeakCheck();
  const claude = startClaude(launchOf(process.execPath, { cwd: "/home/user/no-such-dir" }));
  expect(await timed(allFrames(claude))).toBeLessThan(5000);
  const { error } = await claude.closed;
  expect(error).toMatchObject({ name: "LaunchError", reason: "cwd-missing", path: "/home/user/no-such-dir" });
  expect(error?.message).not.toMatch(/executable|not found/);
});

test("process-missing-executable: the error names the path tried, and of a script the interpreter", async () => {
  await using _leaks = startLeakCheck();
  using folder = scratchFolder();
  const claude = startClaude(launchOf("/home/user/no-such-claude"));
  expect(await timed(allFrames(claude))).toBeLessThan(5000);
  expect((await claude.closed).error).toMatchObject({
    name: "CliNotFoundError",
    tried: [{ place: "/home/user/no-such-claude" }],
    cause: { code: "ENOENT" },
  });
  const script = startClaude(launchOf(folder.write("cli.js", ""), { env: {}, executable: "no-such-node" }));
  expect(await timed(allFrames(script))).toBeLessThan(5000);
  expect((await script.closed).error).toMatchObject({
    name: "LaunchError",
    reason: "interpreter-missing",
    path: "no-such-node",
    cause: { code: "ENOENT" },
  });
});

test("process-break-stubborn-child: left on the first message", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable(scriptOf("process-break-stubborn-child"));
  const claude = startClaude(launchOf(cli.path), { endGraceMs: 200, killGraceMs: 200 });
  await claude.send({ type: "control_request", request_id: "i", request: { subtype: "initialize" } });
  await claude.send(prompt);
  const leave = async (): Promise<void> => {
    for await (const batch of claude.frames) if (batch.some(({ type }) => type === "assistant")) break;
  };
  expect(await timed(leave())).toBeLessThan(5000);
  expect(isAlive(claude.pid ?? 0)).toBe(false);
});

test("process-exit-before-input: 5 MB for a CLI that ends before it reads", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable(scriptOf("process-exit-before-input"));
  await using claude = startClaude(launchOf(cli.path));
  const failure = await claude
    .send({ ...prompt, message: { role: "user", content: "x".repeat(5_000_000) } })
    .catch((error: unknown) => error);
  const { error } = await claude.closed;
  expect(error).toMatchObject({ name: "ProcessError", exitCode: 2, stderrTail: "bad flag\n" });
  expect(failure).toMatchObject({ name: "FrameWriteError", cause: error });
  expect(await allFrames(claude)).toEqual([]);
});

test("process-long-options: long texts travel in the initialize request", async () => {
  await using cli = await scriptedCliExecutable(scriptOf("process-long-options"));
  const launch = launchOf(cli.path, {
    systemPrompt: "s".repeat(200_000),
    agents: { helper: { description: "d", prompt: "p".repeat(150_000) } },
    allowedTools: Array.from({ length: 2000 }, (_, i) => `mcp__${String(i).padStart(35, "x")}`),
  });
  expect((await session(cli, launch)).at(-1)).toBe("result/success");
  const { argv, frames } = await cli.log();
  expect(argv.join(" ").length).toBeLessThan(32_767);
  expect(frames[0]).toMatchObject({ request: { systemPrompt: [expect.any(String)], agents: { helper: {} } } });
  // The rules are more than a line of Windows has room for.
  expect(frames[0]).toHaveProperty("request.settings.permissions.allow.length", 2000);
});

test("process-nested-environment: a host that runs inside of a session", async () => {
  await using cli = await scriptedCliExecutable(scriptOf("process-nested-environment"));
  const outer = { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SSE_PORT: "1234" };
  const before = { ...process.env };
  Object.assign(process.env, outer);
  try {
    await session(cli, launchOf(cli.path, { env: undefined }));
  } finally {
    for (const name of Object.keys(outer)) delete process.env[name];
    Object.assign(process.env, before);
  }
  const { env } = await cli.log();
  expect(env).toMatchObject({ PATH: process.env["PATH"], CLAUDE_CODE_ENTRYPOINT: "sdk-ts" });
  expect(env).not.toHaveProperty("CLAUDECODE");
  expect(env).not.toHaveProperty("CLAUDE_CODE_SSE_PORT");
});

test("process-stderr-flood: megabytes of noise before the first frame", async () => {
  await using cli = await scriptedCliExecutable(scriptOf("process-stderr-flood"));
  const took = await timed(
    session(cli).then((types) => expect(types).toEqual(["control_response", "system/init", "result/success"])),
  );
  expect(took).toBeLessThan(5000);
});

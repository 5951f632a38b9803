import { createSandbox, findTestBinary, startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { buildLaunch, type LaunchOptions, OptionError, startClaude } from "../src/index.ts";

// What the CLI does not take. Where we know it before the start, nothing is started; that the real CLI refuses it too is shown by giving it
// the same past our checks, in extraArgs.

const uuid = "11111111-1111-4111-8111-111111111111";

/** A session with the real CLI that has to fail. The error of its end. */
async function failure(options: LaunchOptions): Promise<Error | undefined> {
  await using _leaks = startLeakCheck();
  await using sandbox = await createSandbox();
  const launch = buildLaunch({
    pathToClaudeCodeExecutable: findTestBinary(),
    env: sandbox.env,
    cwd: sandbox.cwd,
    onWarning: () => {},
    ...options,
  });
  sandbox.assertSafe(launch.env);
  await using claude = startClaude(launch);
  const prompt = { type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null };
  const initialize = {
    type: "control_request",
    request_id: "i",
    request: { subtype: "initialize", ...launch.initialize },
  };
  // It may have ended before it reads.
  await claude.send(initialize).catch(() => {});
  await claude.send(prompt).catch(() => {});
  for await (const batch of claude.frames) for (const { type } of batch) if (type === "result") await claude.endInput();
  return (await claude.closed).error;
}

describe("what is refused before the start, and would be by the CLI", () => {
  test.each<[option: string, options: object, past: LaunchOptions["extraArgs"], says: string]>([
    ["permissionMode", { permissionMode: "bogus" }, { "permission-mode": "bogus" }, "Allowed choices"],
    ["sessionId", { sessionId: "bad" }, { "session-id": "bad" }, "Must be a valid UUID"],
    [
      "sessionId",
      { sessionId: uuid, continue: true },
      { "session-id": uuid, continue: null },
      "also needs --fork-session",
    ],
    ["resumeSessionAt", { resumeSessionAt: uuid }, { "resume-session-at": uuid }, "requires --resume"],
    ["resumeDropsTurn", { resumeDropsTurn: "" }, { "resume-drops-turn": "" }, "requires --resume-session-at"],
    ["maxBudgetUsd", { maxBudgetUsd: 0 }, { "max-budget-usd": "0" }, "must be a number greater than 0"],
    ["thinking", { thinking: { type: "zzz" } }, { thinking: "zzz" }, "Allowed choices"],
    ["settingSources", { settingSources: ["foo"] }, { "setting-sources": "foo" }, "Invalid setting source: foo"],
    ["mcpServers", { mcpServers: "{bad" }, { "mcp-config": "{bad" }, "Invalid MCP configuration"],
    ["outputFormat", { outputFormat: { type: "json_schema", schema: "{bad" } }, { "json-schema": "{bad" }, "not valid"],
  ])("%s: %j", async (option, options, past, says) => {
    // Wrong on purpose, as callers without types can be.
    expect(() => buildLaunch(options as LaunchOptions, { locate: () => "/claude" })).toThrow(
      expect.objectContaining({ name: "OptionError", option }),
    );
    const error = await failure({ extraArgs: past });
    expect(error).toMatchObject({ name: "ProcessError", exitCode: 1 });
    expect(error?.message).toContain(says);
  });

  test.runIf(process.getuid?.() === 0)("to skip permissions as root", async () => {
    const options: LaunchOptions = { permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true };
    expect(() => buildLaunch(options, { locate: () => "/claude" })).toThrow(OptionError);
    const error = await failure({ extraArgs: { "dangerously-skip-permissions": null } });
    expect(error?.message).toContain("cannot be used with root");
  });

  test("an effort that there is not, which the CLI only warns of", async () => {
    const options = { effort: "zzz" } as unknown as LaunchOptions;
    expect(() => buildLaunch(options, { locate: () => "/claude" })).toThrow(
      expect.objectContaining({ option: "effort" }),
    );
  });
});

describe("what only the CLI can know ends at once, with its words", () => {
  test.each<[what: string, options: LaunchOptions, says: string]>([
    ["a session that there is not", { resume: uuid }, "No conversation found with session ID"],
    ["a title that there is not", { resume: "zzz" }, "zzz"],
    ["a settings file that is not there", { settings: "/nowhere/settings.json" }, "Settings file not found"],
    [
      "a file of MCP servers that is not there",
      { extraArgs: { "mcp-config": "/nowhere/mcp.json" } },
      "Invalid MCP configuration",
    ],
    [
      "a prompt file that is not there",
      { systemPrompt: { type: "file", path: "/nowhere/p.md" } },
      "System prompt file not found",
    ],
    ["a channel without a tag", { extraArgs: { channels: "foo" } }, "foo"],
  ])("%s", async (_, options, says) => {
    const error = await failure(options);
    expect(error).toMatchObject({ name: "ProcessError", exitCode: 1 });
    expect(error?.message).toContain(says);
  });
});

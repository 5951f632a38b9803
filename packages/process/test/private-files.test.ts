import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  createSandbox,
  findTestBinary,
  scriptedCliExecutable,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { buildLaunch, type LaunchOptions, OptionTooLongError, startClaude } from "../src/index.ts";
import { allFrames, launchOf, scratchFolder } from "./setup.ts";

const long: LaunchOptions = {
  settings: { env: { A: "x".repeat(200_000) } },
  settingsDelivery: "argv",
};

/** The path in an argument that ends with one. */
function pathIn(args: readonly string[]): string {
  return args.find((arg) => arg.startsWith("--settings="))?.slice("--settings=".length) ?? "";
}

test("a long value is in a file that only this user can read, and that is gone with the process", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "readEnd", ms: 10_000 },
      { do: "exit", code: 0 },
    ],
  });
  const claude = startClaude(launchOf(cli.path, long));
  await claude.send({ type: "user" });
  while ((await cli.logs()).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const path = pathIn((await cli.log()).argv);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(long.settings);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  await claude.close();
  expect(existsSync(dirname(path))).toBe(false);
});

describe("nothing is left", () => {
  test("of a process that was killed", async () => {
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "exit", signal: "SIGKILL" }] });
    const claude = startClaude(launchOf(cli.path, long));
    expect((await claude.closed).signal).toBe("SIGKILL");
    expect(existsSync(pathIn((await cli.log()).argv))).toBe(false);
  });

  test("of a start that failed", async () => {
    await using _leaks = startLeakCheck();
    for (const path of ["/nowhere/claude", "/nowhere/cli.js"]) {
      expect((await startClaude(launchOf(path, long)).closed).error).toMatchObject({ name: "CliNotFoundError" });
    }
  });

  test("of a host that exits while the process lives", async () => {
    await using _leaks = startLeakCheck();
    using folder = scratchFolder();
    const cli = folder.write(
      "cli.mjs",
      "process.stdout.write(JSON.stringify({ argv: process.argv }) + '\\n'); setInterval(() => {}, 1000);",
    );
    const host = folder.write(
      "host.mts",
      `import { buildLaunch, startClaude } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
       const launch = buildLaunch({ ...${JSON.stringify(long)}, pathToClaudeCodeExecutable: ${JSON.stringify(cli)} });
       for await (const [frame] of startClaude(launch).frames) {
         process.stdout.write(frame.text);
         process.exit();
       }`,
    );
    const output = execFileSync(process.execPath, ["--import", "tsx", "-C", "@reins/source", host], {
      encoding: "utf8",
    });
    const path = pathIn(JSON.parse(output).argv);
    expect(path).not.toBe("");
    expect(existsSync(dirname(path))).toBe(false);
  });
});

test("a folder that cannot be written is an error of the start", async () => {
  await using _leaks = startLeakCheck();
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = "/nowhere";
  try {
    const { error } = await startClaude(launchOf(process.execPath, long)).closed;
    expect(error).toMatchObject({ name: "LaunchError", reason: "other", cause: { code: "ENOENT" } });
    expect(error?.message).toContain("settings");
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

test("a custom spawner, whose process may be elsewhere, is not asked to run with a file of here", async () => {
  const claude = startClaude(launchOf("/opt/claude", long), {
    spawnClaudeCodeProcess: () => {
      throw new Error("must not be called");
    },
  });
  const { error } = await claude.closed;
  expect(error).toBeInstanceOf(OptionTooLongError);
  expect(error).toMatchObject({ option: "settings" });
});

test("the real CLI obeys what it gets by a file, and rules that had to move", async () => {
  await using _leaks = startLeakCheck();
  const rules = Array.from({ length: 2000 }, (_, i) => `mcp__none__${String(i).padStart(30, "0")}`);
  const ways: LaunchOptions[] = [
    { settings: { permissions: { allow: [...rules, "Bash"] } }, settingsDelivery: "argv" },
    { allowedTools: [...rules, "Bash"] },
    { allowedTools: [...rules, "Bash"], settingsDelivery: "argv" },
  ];
  for (const options of ways) {
    await using model = await startScriptedModel([toolUse("Bash", { command: "touch made && ls" }), text("done")]);
    await using sandbox = await createSandbox({ model });
    const launch = buildLaunch({
      ...options,
      pathToClaudeCodeExecutable: findTestBinary(),
      env: sandbox.env,
      cwd: sandbox.cwd,
      permissionMode: "default",
      settingSources: [],
      onWarning: () => {},
    });
    sandbox.assertSafe(launch.env);
    expect([launch.command, ...launch.args].join(" ").length).toBeLessThan(32_767);
    await using claude = startClaude(launch);
    await claude.send({
      type: "control_request",
      request_id: "i",
      request: { subtype: "initialize", ...launch.initialize },
    });
    await claude.send({ type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null });
    await claude.endInput();
    const results = (await allFrames(claude)).filter(({ type }) => type === "user").map(({ text }) => text);
    expect(results.join()).toContain('"content":"made"');
  }
});

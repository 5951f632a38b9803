import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, startLeakCheck, UnsafeEnvironmentError } from "../src/index.ts";

describe("createSandbox", () => {
  test("gives a child an environment of its own and nothing of the host's but PATH", async () => {
    await using _leaks = startLeakCheck();
    await using sandbox = await createSandbox({ model: { url: "http://127.0.0.1:1234" }, env: { EXTRA: "1" } });

    const child = spawn(
      process.execPath,
      ["-p", "JSON.stringify([process.env, process.cwd()])"],
      sandbox.spawnOptions(),
    );
    const [[stdout]] = await Promise.all([once(child.stdout, "data"), once(child, "close")]);
    const [env, cwd] = JSON.parse(String(stdout));
    expect(env).toEqual(sandbox.env);
    expect(cwd).toBe(sandbox.cwd);
    expect(env).toMatchObject({
      PATH: process.env["PATH"],
      HOME: join(sandbox.root, "home"),
      CLAUDE_CONFIG_DIR: join(sandbox.root, "config"),
      TMPDIR: join(sandbox.root, "tmp"),
      ANTHROPIC_BASE_URL: "http://127.0.0.1:1234",
      HTTPS_PROXY: "http://127.0.0.1:1234",
      EXTRA: "1",
    });
    expect(await readdir(sandbox.cwd)).toEqual([]);
  });

  test("leads nowhere without a model", async () => {
    await using sandbox = await createSandbox();

    expect(sandbox.env["ANTHROPIC_BASE_URL"]).toBe("http://127.0.0.1:9");
  });

  test.each([
    ["HOME", undefined],
    ["HOME", ""],
    ["HOME", "/root"],
    ["HOME", "relative/home"],
    ["CLAUDE_CONFIG_DIR", undefined],
    ["CLAUDE_CONFIG_DIR", "/home/user/.claude"],
    ["TMPDIR", "/tmp"],
    ["ANTHROPIC_BASE_URL", undefined],
    ["ANTHROPIC_BASE_URL", "https://api.anthropic.com"],
    ["ANTHROPIC_BASE_URL", "http://127.0.0.1.example.com"],
    ["ANTHROPIC_BASE_URL", "no url"],
    ["CLAUDE_CODE_USE_BEDROCK", "1"],
  ])("refuses to start a binary with %s = %j", async (name, value) => {
    await using sandbox = await createSandbox();
    const refusal = expect.objectContaining({ code: "REINS_UNSAFE_ENVIRONMENT", variable: name });

    expect(() => sandbox.spawnOptions({ [name]: value })).toThrow(refusal);
    expect(() => sandbox.assertSafe({ ...sandbox.env, [name]: value })).toThrow(refusal);
    await expect(createSandbox({ env: { [name]: value } })).rejects.toThrow(refusal);
  });

  test("refuses the folders of another sandbox, and its own root with a way out", async () => {
    await using sandbox = await createSandbox();
    await using other = await createSandbox();

    expect(() => sandbox.assertSafe(other.env)).toThrow(UnsafeEnvironmentError);
    expect(() => sandbox.assertSafe({ ...sandbox.env, HOME: `${sandbox.root}/home/../../..` })).toThrow(/^HOME is/);
    expect(() => sandbox.assertSafe(sandbox.env)).not.toThrow();
  });

  test("leaves no folder when it refuses", async () => {
    await using _leaks = startLeakCheck();

    await expect(createSandbox({ env: { HOME: "/root" } })).rejects.toThrow(UnsafeEnvironmentError);
  });
});

describe("closing a sandbox", () => {
  test("removes read-only folders and files, and keeps what links lead to", async () => {
    await using _leaks = startLeakCheck();
    const outside = await mkdtemp(join(tmpdir(), `reins-outside-${process.pid}-`));
    await writeFile(join(outside, "kept"), "");
    await chmod(outside, 0o755);
    await asNormalUser(async () => {
      await using sandbox = await createSandbox();
      const folder = join(sandbox.home, "a", "b");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "file"), "", { mode: 0o400 });
      await symlink(outside, join(folder, "link"));
      await chmod(folder, 0o500);
      await chmod(join(sandbox.home, "a"), 0o000);
      await expect(sandbox.close()).resolves.toBeUndefined();
      expect(existsSync(sandbox.root)).toBe(false);
    });

    expect(await readdir(outside)).toEqual(["kept"]);
    await rm(outside, { recursive: true });
  });

  test("removes what a process writes while it is being removed", async () => {
    await using _leaks = startLeakCheck();
    const sandbox = await createSandbox();
    // Writes as fast as it can, for 200 ms or until its folder is gone, as a CLI does that flushes its files on the way out.
    const program = `
      const { writeFileSync } = require("node:fs");
      process.stdout.write("writing");
      try {
        for (let count = 0, end = Date.now() + 200; Date.now() < end; count++) writeFileSync(process.argv[1] + "/" + count, "");
      } catch {}`;
    const writer = spawn(process.execPath, ["-e", program, sandbox.cwd]);
    const exit = once(writer, "exit");
    await once(writer.stdout, "data");

    await sandbox.close();
    await exit;
    expect(existsSync(sandbox.root)).toBe(false);
  });

  test("happens once", async () => {
    const sandbox = await createSandbox();

    expect(sandbox.close()).toBe(sandbox.close());
    await sandbox.close();
  });
});

/** Runs as a user for whom permissions count: root may write everywhere. */
async function asNormalUser(run: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

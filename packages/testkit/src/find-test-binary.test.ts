import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type BinaryHost, locateBinary, TestBinaryNotFoundError } from "./find-test-binary.ts";

const glibc: BinaryHost = { platform: "linux", arch: "x64", isMusl: () => false };
const musl: BinaryHost = { ...glibc, isMusl: () => true };

/** A project as pnpm lays it out: the main package is a link, and only it can see the platform packages beside it. */
function createProject(...platformPackages: readonly string[]): { readonly folder: string; readonly store: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `reins-project-${process.pid}-`)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = join(folder, "node_modules", ".pnpm", "claude-code@1", "node_modules", "@anthropic-ai");
  const link = join(folder, "node_modules", "@anthropic-ai", "claude-code");
  write(join(store, "claude-code", "package.json"), "{}");
  write(join(store, "claude-code", "bin", "claude.exe"), "echo 'claude native binary not installed'; exit 1");
  for (const name of platformPackages) {
    write(join(store, name, "package.json"), "{}");
    write(join(store, name, name.includes("win32") ? "claude.exe" : "claude"), "binary");
  }
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(store, "claude-code"), link);
  return { folder, store };
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: 0o755 });
}

function errorOf(run: () => unknown): TestBinaryNotFoundError {
  try {
    run();
  } catch (error) {
    if (error instanceof TestBinaryNotFoundError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

test("finds the platform package beside the real main package", () => {
  const { folder, store } = createProject("claude-code-linux-x64");

  expect(locateBinary([folder], glibc)).toBe(join(store, "claude-code-linux-x64", "claude"));
  expect(locateBinary([join(folder, "packages", "deeper")], glibc)).toBe(
    join(store, "claude-code-linux-x64", "claude"),
  );
});

test.each([
  [{ platform: "darwin", arch: "arm64", isMusl: () => false }, "claude-code-darwin-arm64/claude"],
  [{ platform: "win32", arch: "x64", isMusl: () => false }, "claude-code-win32-x64/claude.exe"],
  [{ platform: "android", arch: "arm64", isMusl: () => false }, "claude-code-linux-arm64-android/claude"],
])("knows the name of the package for $platform", (host, path) => {
  const { folder, store } = createProject(dirname(path));

  expect(locateBinary([folder], host)).toBe(join(store, path));
});

test("takes the package of the C library when both are there, and the one that is there otherwise", () => {
  const both = createProject("claude-code-linux-x64", "claude-code-linux-x64-musl");
  const one = createProject("claude-code-linux-x64-musl");

  expect(locateBinary([both.folder], glibc)).toBe(join(both.store, "claude-code-linux-x64", "claude"));
  expect(locateBinary([both.folder], musl)).toBe(join(both.store, "claude-code-linux-x64-musl", "claude"));
  expect(locateBinary([one.folder], glibc)).toBe(join(one.store, "claude-code-linux-x64-musl", "claude"));
});

test("goes on to the next folder when the first has none", () => {
  const empty = createProject();
  const { folder, store } = createProject("claude-code-linux-x64");

  expect(locateBinary([empty.folder, folder], glibc)).toBe(join(store, "claude-code-linux-x64", "claude"));
});

test("says what was tried and what to install", () => {
  const { folder, store } = createProject();
  const error = errorOf(() => locateBinary([tmpdir(), folder], glibc));

  expect(error).toMatchObject({ code: "REINS_TEST_BINARY_NOT_FOUND", name: "TestBinaryNotFoundError" });
  expect(error.message).toContain("Add @anthropic-ai/claude-code to the devDependencies");
  expect(error.tried).toEqual([
    `@anthropic-ai/claude-code from ${tmpdir()}: not installed`,
    `@anthropic-ai/claude-code-linux-x64 from ${join(store, "claude-code")}: not installed`,
    `@anthropic-ai/claude-code-linux-x64-musl from ${join(store, "claude-code")}: not installed`,
  ]);
});

test("does not take a folder, or a file that cannot be executed", () => {
  const { folder, store } = createProject("claude-code-linux-x64", "claude-code-linux-x64-musl");
  chmodSync(join(store, "claude-code-linux-x64", "claude"), 0o644);
  rmSync(join(store, "claude-code-linux-x64-musl", "claude"));
  mkdirSync(join(store, "claude-code-linux-x64-musl", "claude"));
  const { tried } = errorOf(() => locateBinary([folder], glibc));

  expect(tried).toHaveLength(2);
  expect(tried[0]).toMatch(/claude-code-linux-x64\/claude: EACCES/);
  expect(tried[1]).toMatch(/claude-code-linux-x64-musl\/claude: not a file/);
});

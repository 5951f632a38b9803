import { describe, expect, test } from "vitest";
import { type Argument, checkArguments } from "./argument-limits.ts";
import { OptionTooLongError } from "./errors.ts";

function check(platform: string, args: readonly Argument[], env: Record<string, string> = {}): () => void {
  return () => checkArguments(platform, { program: "claude", cliPath: "claude", before: [] }, args, env);
}

describe("on Linux", () => {
  test("one argument may have 131,071 bytes, and not one more", () => {
    expect(check("linux", [{ option: "model", text: "x".repeat(131_071) }])).not.toThrow();
    expect(check("linux", [{ option: "mcpServers", text: "x".repeat(131_072) }])).toThrow(
      expect.objectContaining({ code: "REINS_OPTION_TOO_LONG", option: "mcpServers", size: 131_072, limit: 131_071 }),
    );
  });

  test("bytes count, not characters", () => {
    expect(check("linux", [{ option: "model", text: "é".repeat(65_535) }])).not.toThrow();
    expect(check("linux", [{ option: "model", text: "é".repeat(65_536) }])).toThrow(OptionTooLongError);
  });

  test("a variable has the same limit, with its name", () => {
    expect(check("linux", [], { A: "x".repeat(131_069) })).not.toThrow();
    expect(check("linux", [], { A: "x".repeat(131_070) })).toThrow(expect.objectContaining({ option: "env.A" }));
  });
});

test("on Windows the whole line has 32,767 units, and the longest option is named", () => {
  const args = [
    { option: "model", text: "--model=m" },
    { option: "allowedTools", text: "a".repeat(32_000) },
  ];
  expect(check("win32", args)).not.toThrow();
  const more = [
    ...args,
    { option: "additionalDirectories", text: "b".repeat(500) },
    { option: "additionalDirectories", text: "b".repeat(500) },
  ];
  expect(check("win32", more)).toThrow(expect.objectContaining({ option: "allowedTools", limit: 32_767 }));
});

test("on macOS arguments and environment have 1 MiB together", () => {
  const args = Array.from({ length: 8 }, () => ({ option: "plugins", text: "p".repeat(120_000) }));
  expect(check("darwin", args)).not.toThrow();
  expect(check("darwin", args, { A: "x".repeat(100_000) })).toThrow(expect.objectContaining({ option: "plugins" }));
});

test("the message says what to do", () => {
  const tooLong = (option: string): (() => void) => check("linux", [{ option, text: "x".repeat(200_000) }]);
  expect(tooLong("plugins")).toThrow('Set pluginDelivery to "initialize"');
  expect(tooLong("allowedTools")).toThrow("Put the rules into the settings file");
  expect(tooLong("extraArgs")).toThrow("Shorten it");
});

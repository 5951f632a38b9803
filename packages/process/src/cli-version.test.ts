import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findTestBinary } from "@reins/testkit";
import { expect, test } from "vitest";
import { checkCliVersion } from "./cli-version.ts";
import { matchedSdkVersion, SUPPORTED_CLI_VERSION } from "./supported-cli.ts";

test.each([
  [SUPPORTED_CLI_VERSION, "supported"],
  [`${SUPPORTED_CLI_VERSION} (Claude Code)\n`, "supported"],
  ["v2.1.328", "supported"],
  ["2.1.329", "newer"],
  ["2.10.0", "newer"],
  ["10.0.0", "newer"],
  ["2.1.99", "older"],
  ["2.0.0", "older"],
  ["1.0.128", "too-old"],
  ["1.99.999", "too-old"],
  ["0.2.9 (Claude Code)", "too-old"],
  ["claude", "unknown"],
  ["", "unknown"],
  [undefined, "unknown"],
])("%j is %s", (version, verdict) => {
  expect(checkCliVersion(version)).toEqual({ version, supported: SUPPORTED_CLI_VERSION, verdict });
});

/** The manifest of an installed package, by the path of one of its files. */
function manifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

test("the supported version is the one that the tests run", () => {
  expect(manifest(dirname(findTestBinary()))["version"]).toBe(SUPPORTED_CLI_VERSION);
});

test("the official SDK that is compared with belongs to it", () => {
  const sdk = manifest(join(import.meta.dirname, "../node_modules/@anthropic-ai/claude-agent-sdk"));
  expect(sdk["version"]).toBe(matchedSdkVersion);
  expect(sdk["claudeCodeVersion"]).toBe(SUPPORTED_CLI_VERSION);
});

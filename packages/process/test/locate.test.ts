import { findTestBinary, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { checkCliVersion, locateClaude, SUPPORTED_CLI_VERSION } from "../src/index.ts";
import { scratchFolder } from "./setup.ts";

test("the pinned CLI says its version without a session", async () => {
  await using _leaks = startLeakCheck();
  const claude = locateClaude({ path: findTestBinary(), env: {} });
  expect(await claude.version()).toBe(SUPPORTED_CLI_VERSION);
  expect(checkCliVersion(await claude.version()).verdict).toBe("supported");
});

test("the version is asked for once, until the file changes", async () => {
  await using _leaks = startLeakCheck();
  using folder = scratchFolder();
  const script = (version: string): string =>
    `#!/bin/sh\necho x >> ${folder.path}/runs\necho "${version} (Claude Code)"\n`;
  const path = folder.write("claude", script("2.1.300"));
  const version = (): Promise<string | undefined> => locateClaude({ path }).version();
  expect(await Promise.all([version(), version()])).toEqual(["2.1.300", "2.1.300"]);
  folder.write("claude", script("2.1.3000"));
  expect(await version()).toBe("2.1.3000");
});

test("a CLI that is a script is run by an interpreter", async () => {
  using folder = scratchFolder();
  const path = folder.write("cli.mjs", 'console.log("1.0.5 (Claude Code)")', 0o644);
  expect(await locateClaude({ path }).version()).toBe("1.0.5");
});

test("what does not say its version has none", async () => {
  await using _leaks = startLeakCheck();
  using folder = scratchFolder();
  const silent = folder.write("silent", "#!/bin/sh\nexit 1\n");
  const chatty = folder.write("chatty", "#!/bin/sh\nyes | head -c 1000000\n");
  const holding = folder.write("holding", "#!/bin/sh\nsleep 1 &\necho 2.2.2\n");
  expect(await locateClaude({ path: "/nowhere/claude" }).version()).toBeUndefined();
  expect(await locateClaude({ path: folder.path }).version()).toBeUndefined();
  expect(await locateClaude({ path: silent }).version()).toBeUndefined();
  expect(await locateClaude({ path: chatty }).version()).toBeUndefined();
  expect(await locateClaude({ path: holding }).version()).toBe("2.2.2");
});

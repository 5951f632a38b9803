import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";

test("holds two turns whose answers come from the tools of this program, which are all that was granted", async () => {
  await using _leaks = startLeakCheck();
  // As `npm run demo` starts it: on the built packages.
  const argv = ["--import=tsx", join(import.meta.dirname, "../src/main.ts")];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { timeout: 50_000 });
  expect(stderr).toBe("");
  expect(stdout.split("\n").slice(1)).toEqual([
    "",
    "> How many apples are in stock?",
    "tools granted: mcp__shop__sell, mcp__shop__stock",
    "turn 1: The shop says: 12 apples in stock.",
    "",
    "> Sell three of them.",
    "turn 2: The shop says: sold 3 apples, 9 left.",
    "",
  ]);
});

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");

test("the suite runs in vitest, where each skip shows its reason", async () => {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [vitest, "run", "--root", folder, "--config", "test/fixtures/vitest.config.mjs", "--reporter=verbose"],
    { env: { ...process.env, NO_COLOR: "1" } },
  );
  expect(stdout).toMatch(/✓ .*retry-stores-once: /);
  expect(stdout).toMatch(/↓ .*crash: .*\[the factory cannot crash a store\]/);
  expect(stdout).not.toContain("FAIL");
});

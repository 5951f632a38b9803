// Mutation tests: changes one operator, condition or literal at a time and runs the tests that reach it. A change that no test notices
// survives, and is listed: either it makes no difference, or the tests have a hole.
//
//   pnpm mutate streamjson
//   pnpm mutate control --mutate pending-requests.ts,client.ts:40-90
//
// Everything happens in a copy in the temporary folder, so the tree may be edited meanwhile. The score and the survivors are printed, and
// are in temp/mutation/NAME as a page and as JSON. CONTRIBUTING.md says which survivors stay.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { root } from "../pnpm.mjs";

/**
 * What is mutated by default, and the tests that judge it. Each survivor costs one run of all tests that reach it: tests that start
 * programs or servers, and those of size and speed, are not among them.
 */
const packages = {
  streamjson: {
    mutate: ["**/*.ts", "!index.ts"],
    tests: ["src/**/*.test.ts", "test/cases.test.ts", "test/node-streams.test.ts"],
  },
  control: {
    mutate: ["**/*.ts", "!index.ts"],
    tests: ["src/**/*.test.ts", "test/!(readme).test.ts"],
  },
  sessions: {
    mutate: [
      "transcript/{chain-entry,entry-graph}.ts",
      "store/{entry-line,lease-record,memory-session-store,session-key,verify-chain}.ts",
      "store/filesystem/*.ts",
    ],
    tests: [
      "src/**/*.test.ts",
      "test/{conformance,lease-tokens,parity-chain,parity-fork,parity-messages,store-clock,store-files,store-transfer,transcript-cases}.test.ts",
    ],
  },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Files below `src`, with lines if you like; several with commas, or the option several times. */
    mutate: { type: "string", multiple: true },
    concurrency: { type: "string", default: "1" },
  },
});
const [name = ""] = positionals;
const chosen = packages[name];
if (chosen === undefined || positionals.length > 1) {
  console.error(`pnpm mutate ${Object.keys(packages).join("|")} [--mutate FILE,FILE:FROM-TO] [--concurrency N]`);
  process.exit(2);
}

process.chdir(root);
const folder = `packages/${name}`;
const files = values.mutate?.flatMap((list) => list.split(",")) ?? chosen.mutate;
const inPackage = (path, below) =>
  path.startsWith("!") ? `!${folder}/${below}${path.slice(1)}` : `${folder}/${below}${path}`;
const reports = `temp/mutation/${name}`;
const tempDirName = mkdtempSync(join(tmpdir(), "reins-mutation-"));
// Stryker turns signals into an exit. The worker may live, and write, a little longer.
process.on("exit", () => rmSync(tempDirName, { recursive: true, force: true, maxRetries: 10 }));

// Read by the configuration of vitest. Stryker's own option for this never switches on a mutant in code that runs while a module is loaded.
process.env.MUTATION_TESTS = chosen.tests.map((path) => inPackage(path, "")).join("\n");

const stryker = new Stryker({
  // Relative to the package of Stryker it would not be found in pnpm's layout.
  plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))],
  testRunner: "vitest",
  // Tests import their code through the package's entry, so "related to the file" means all of them: coverage per test chooses better.
  vitest: { configFile: "vitest.mutation.config.ts", related: false },
  coverageAnalysis: "perTest",
  mutate: [...files.map((path) => inPackage(path, "src/")), `!${folder}/src/**/*.test.ts`],
  ignorePatterns: ["/apps", "/bench", "/docs", "/test-results", "temp", "dist", ".turbo", "coverage"],
  concurrency: Number(values.concurrency),
  // Beyond one and a half times what the tests took before. A loop that no longer ends is the usual reason.
  timeoutMS: 3_000,
  tempDirName,
  cleanTempDir: "always",
  allowEmpty: false,
  reporters: ["progress-append-only", "clear-text", "json", "html"],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: `${reports}/report.json` },
  htmlReporter: { fileName: `${reports}/report.html` },
  // It advises not to mutate what runs while a module is loaded; that is little here.
  warnings: { slow: false },
});
await stryker.runMutationTest().catch(() => {
  // It has said why.
  process.exitCode = 1;
});

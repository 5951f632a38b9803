// Checks the types of everything. One program for all that runs on Node costs a fraction of one for each package, since a package
// reads the sources of those below it. What must not see the types of Node has a program of its own: a package whose tests,
// which may see them, have a tsconfig.json beside that of its sources.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { needsShell } from "./pnpm.mjs";

const browserSafe = readdirSync("packages")
  .filter((name) => existsSync(`packages/${name}/test/tsconfig.json`))
  .map((name) => `packages/${name}`);

const programs = [".", "tsconfig.packages.json", ...browserSafe, "tsconfig.apps.json", "apps/session-viewer"];
const failed = programs.filter(
  (program) => spawnSync("tsc", ["-p", program], { stdio: "inherit", shell: needsShell }).status !== 0,
);
if (failed.length > 0) {
  console.error(`types are wrong in ${failed.join(", ")}`);
  process.exitCode = 1;
}

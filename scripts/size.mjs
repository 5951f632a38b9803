// Prints the size of each package beside its budget, from .size-limit.js. Exits non-zero when one is over. Needs a build.
import { spawnSync } from "node:child_process";
import { needsShell, root } from "./pnpm.mjs";

const { stdout, stderr } = spawnSync("size-limit", ["--json"], { cwd: root, encoding: "utf8", shell: needsShell });
let packages;
try {
  packages = JSON.parse(stdout);
} catch {
  console.error(`${stdout}${stderr}`);
  process.exit(1);
}
for (const { name, passed, size, sizeLimit } of packages) {
  const [is, budget] = [size, sizeLimit].map((bytes) => `${(bytes / 1024).toFixed(2)} KiB`.padStart(10));
  console.log(`${name.padEnd(20)}${is} of ${budget}${passed ? "" : "   OVER BUDGET"}`);
  if (!passed) process.exitCode = 1;
}

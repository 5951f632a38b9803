// Installs and builds: `npm run build`, or `npm run build -- --filter=chat^...` for what one app imports.
import { spawnSync } from "node:child_process";
import { install, needsShell, prepare } from "./pnpm.mjs";

prepare();
install();
const { status } = spawnSync("turbo", ["run", "build", ...process.argv.slice(2)], {
  shell: needsShell,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

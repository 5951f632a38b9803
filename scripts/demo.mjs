// Installs, builds what the demo imports, and runs it with the arguments given: `npm run demo -- --live "prompt"`.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { install, needsShell, prepare, root } from "./pnpm.mjs";

prepare();
install();

const build = spawnSync("turbo", ["run", "build", "--filter=quickstart^...", "--output-logs=errors-only"], {
  encoding: "utf8",
  shell: needsShell,
  stdio: ["ignore", "pipe", "pipe"],
});
if (build.status !== 0) {
  console.error(build.stdout, build.stderr);
  process.exit(1);
}

// Not through `pnpm run`: a shell in between would read the prompt again.
const demo = spawn(process.execPath, ["--import", "tsx", "src/main.ts", ...process.argv.slice(2)], {
  cwd: join(root, "apps", "quickstart"),
  stdio: "inherit",
});
// Ctrl-C reaches both processes; the demo decides how it ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => demo.kill("SIGTERM"));
demo.on("exit", (code) => {
  process.exitCode = code ?? 1;
});

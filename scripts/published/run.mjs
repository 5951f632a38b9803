// Checks the packages in their published form: packed, installed with npm into an empty folder outside of the workspace, and used as a
// stranger would.
//
//   node scripts/published/run.mjs               all of it
//   node scripts/published/run.mjs node20 types  these steps only, and the install that they need
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { runExamples } from "./examples.mjs";
import { app, bun, entries, folder, fromRegistry, install, node, pack, run } from "./place.mjs";
import { tryPublish, tryVersions } from "./release.mjs";
import { checkTypes } from "./types.mjs";

/** Each may give lines to be printed. */
const steps = {
  publish: tryPublish,
  versions: tryVersions,
  install: () => install("app", "npm"),
  types: checkTypes,
  node20: () => runPrograms(process.execPath),
  node22: () => runPrograms(node("22")),
  node24: () => runPrograms(node("24")),
  // Without the leak check, which needs hooks of Node.
  bun: () => runPrograms(bun(), ["run"], ["in-memory.mjs", "child.mjs"]),
  // Without a child: the stand-in for the CLI would be one of Deno, which starts children without any permission.
  deno: () => run(fromRegistry("deno", "2", "deno"), ["run", "--allow-all", "--no-lock"], "in-memory.mjs"),
  examples: runExamples,
  require: requireAll,
  bundle: bundleAll,
  zod: checkZod,
  pnpm: () => install("pnpm", "pnpm"),
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in steps));
if (unknown.length > 0) throw new Error(`unknown steps: ${unknown.join(" ")}. Known: ${Object.keys(steps).join(" ")}`);
const needsInstall = chosen.some((name) => !["publish", "versions"].includes(name));
const names = Object.keys(steps).filter(
  (name) => chosen.length === 0 || chosen.includes(name) || (name === "install" && needsInstall),
);
try {
  pack();
  for (const name of names) {
    const startedAt = performance.now();
    let lines = [];
    try {
      lines = [(await steps[name]()) ?? []].flat();
    } catch (error) {
      process.exitCode = 1;
      lines = [`FAILED: ${error.stderr || error.stdout || error.message || error}`];
    }
    console.log(
      `${name.padEnd(10)} ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${lines.join("\n    ")}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runPrograms(binary, args = [], programs = ["in-memory.mjs", "child.mjs", "leaks.mjs"]) {
  for (const program of programs) run(binary, args, program);
}

/** All works with the oldest versions of zod that docs/versions.md names. The schemas say what they need. */
function checkZod() {
  const oldest = "3.25.76";
  // All installed with it, since npm warns of peers that do not fit.
  install("zod", "npm", { zod: oldest });
  const where = join(folder, "zod");
  for (const [version, schemas] of [
    [oldest, /needs zod 4\.3/],
    ["4.2.0", /needs zod 4\.3/],
    ["4.3.0", /^loaded$/],
  ]) {
    if (version !== oldest) {
      rmSync(join(where, "node_modules/zod"), { recursive: true });
      cpSync(fromRegistry("zod", version, "."), join(where, "node_modules/zod"), { recursive: true });
    }
    run(process.execPath, [], "in-memory.mjs", where);
    const program = `await import("@reins/messages/schemas").then(() => console.log("loaded"), (error) => console.log(error.message));`;
    const args = ["--input-type=module", "--eval", program];
    const env = { PATH: process.env.PATH };
    const said = execFileSync(process.execPath, args, { cwd: where, encoding: "utf8", env }).trim();
    if (!schemas.test(said)) throw new Error(`with zod ${version} the schemas said ${said}`);
  }
}

function requireAll() {
  const program = `for (const entry of ${JSON.stringify(entries())}) if (Object.keys(require(entry)).length === 0) throw new Error(entry);`;
  const env = { PATH: process.env.PATH, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };
  for (const binary of [process.execPath, node("22"), node("24")])
    execFileSync(binary, ["--eval", program], { cwd: app, encoding: "utf8", stdio: "pipe", env });
}

/** A program in one file, of esbuild and of bun, says the same as the program itself. */
function bundleAll() {
  copyFileSync(join(import.meta.dirname, "in-memory.mjs"), join(app, "in-memory.mjs"));
  const esbuild = join(app, "node_modules/esbuild/bin/esbuild");
  execFileSync(
    esbuild,
    ["in-memory.mjs", "--bundle", "--minify", "--platform=node", "--format=esm", "--outfile=esbuild/bundle.mjs"],
    { cwd: app, stdio: "pipe" },
  );
  execFileSync(bun(), ["build", "in-memory.mjs", "--target=node", "--minify", "--outfile=bun/bundle.mjs"], {
    cwd: app,
    stdio: "pipe",
  });
  for (const bundle of ["esbuild/bundle.mjs", "bun/bundle.mjs"]) {
    // Alone, so that nothing can be missing in it.
    const alone = join(folder, basename(bundle));
    copyFileSync(join(app, bundle), alone);
    const said = execFileSync(process.execPath, [alone], { cwd: folder, encoding: "utf8", env: {}, timeout: 60_000 });
    if (said.trim() !== "ok") throw new Error(`${bundle} printed ${said}`);
  }
}

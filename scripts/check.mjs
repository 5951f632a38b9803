// Runs every gate and prints each with its time. A failed gate does not stop the rest; the exit code tells at the end.
//
//   npm run check                      everything
//   pnpm check --changed               tests only of what differs from main, and of what depends on it; the rest is cached
//   pnpm check --changed=REF           the same, compared with REF
//   pnpm check lint types              these gates only
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { stripVTControlCharacters } from "node:util";
import { install, needsShell, prepare } from "./pnpm.mjs";
import { installSystemPackages } from "./system-packages.mjs";
import { formatTotals, readTotals } from "./test-totals.mjs";

// Far above what a gate takes, so that a hanging one ends a CI run with its name.
const gateTimeoutMs = 20 * 60_000;

const turbo = [
  "turbo",
  "run",
  "--output-logs=errors-only",
  "--log-order=grouped",
  "--continue=dependencies-successful",
];

/**
 * The gates, in the order in which they run: cheap ones first, and `build` before what reads `dist`.
 * `show` prints the output of a gate that passed as well.
 */
const gates = [
  { name: "lint", run: ["biome", "check", "--error-on-warnings", "."] },
  {
    name: "layering",
    run: ["depcruise", "--output-type", "err-long", "packages", "apps", "bench", "contracts", "test-servers"],
  },
  { name: "build", run: [...turbo, "build"] },
  { name: "types", run: ["node", "scripts/check-types.mjs"] },
  { name: "browser-safe", run: ["node", "scripts/browser-safe.mjs"] },
  { name: "knip", run: ["knip", "--no-config-hints"] },
  { name: "unit tests", run: vitest("unit"), totals: "unit" },
  { name: "e2e tests", run: vitest("e2e"), totals: "e2e" },
  { name: "api reports", run: [...turbo, "api"] },
  { name: "packaging", run: [...turbo, "package"] },
  { name: "docs", run: [...turbo, "//#docs"] },
  { name: "guides", run: ["node", "scripts/check-docs.mjs"] },
  { name: "published", run: ["node", "scripts/published/run.mjs"], show: true },
  { name: "size", run: ["node", "scripts/size.mjs"], show: true },
];

function vitest(project) {
  const file = `test-results/${project}.json`;
  const reporters = ["default", "json", "./scripts/retried-reporter.mjs"].map((name) => `--reporter=${name}`);
  return ["vitest", "run", "--project", project, ...reporters, `--outputFile.json=${file}`];
}

prepare();
const { names, changedSince } = readArguments(process.argv.slice(2));
rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");

const startedAt = performance.now();
installSystemPackages();
process.stdout.write("install".padEnd(16));
install();
process.stdout.write(`ok      ${seconds(startedAt)}\n`);

const testFilter = changedSince === undefined ? [] : affectedFolders(changedSince);
const failed = [];
for (const gate of gates) {
  if (names.length > 0 && !names.includes(gate.name.replace(" ", "-"))) continue;
  if (!(await pass(gate))) failed.push(gate.name);
}

const total = `in ${seconds(startedAt).trim()}`;
if (failed.length > 0) {
  console.log(`\n${failed.length} failed: ${failed.join(", ")} (${total})`);
  process.exitCode = 1;
} else {
  console.log(`\nall passed (${total})`);
}

async function pass(gate) {
  process.stdout.write(gate.name.padEnd(16));
  const gateStartedAt = performance.now();
  if (gate.totals !== undefined && changedSince !== undefined && testFilter.length === 0) {
    process.stdout.write("ok      nothing changed\n");
    return true;
  }
  const args = gate.totals === undefined ? gate.run : [...gate.run, "--passWithNoTests", ...testFilter];
  const { ok, output } = await run(args);
  const totals = gate.totals === undefined ? undefined : readTotals(gate.totals);
  const detail = totals === undefined ? "" : `   ${formatTotals(totals)}`;
  process.stdout.write(`${ok ? "ok    " : "FAILED"}  ${seconds(gateStartedAt)}${detail}\n`);
  if (!ok || gate.show) console.log(indent(output));
  else if (gate.totals !== undefined)
    for (const line of output.match(/^retried: .*$/gm) ?? []) console.log(indent(line));
  return ok;
}

async function run([command, ...args]) {
  const child = spawn(command, args, {
    shell: needsShell,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: gateTimeoutMs,
  });
  const chunks = [];
  child.stdout.on("data", (chunk) => chunks.push(chunk));
  child.stderr.on("data", (chunk) => chunks.push(chunk));
  const { promise, resolve } = deferred();
  child.on("error", (error) => resolve(`could not start ${command}: ${error.message}`));
  child.on("close", (code, signal) => resolve(code === 0 ? "" : `${command} ended with ${signal ?? `code ${code}`}`));
  const problem = await promise;
  // Some tools colour even what goes to a pipe.
  const said = stripVTControlCharacters(Buffer.concat(chunks).toString()).trimEnd();
  return { ok: problem === "", output: [said, problem].filter(Boolean).join("\n") };
}

function affectedFolders(since) {
  const result = spawnSync("turbo", ["ls", "--affected", "--output=json"], {
    encoding: "utf8",
    env: { ...process.env, TURBO_SCM_BASE: since },
    shell: needsShell,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (result.status !== 0) throw new Error(`turbo cannot tell what changed since ${since}`);
  const folders = JSON.parse(result.stdout).packages.items.map((item) => `${item.path.replaceAll("\\", "/")}/`);
  console.log(`changed since ${since}: ${folders.join(" ") || "nothing"}`);
  return folders;
}

function readArguments(args) {
  const known = gates.map((gate) => gate.name.replace(" ", "-"));
  const gateNames = [];
  let since;
  for (const arg of args) {
    if (arg === "--changed") since = "main";
    else if (arg.startsWith("--changed=")) since = arg.slice("--changed=".length);
    else if (known.includes(arg)) gateNames.push(arg);
    else {
      console.error(`check: unknown argument ${arg}. Known: --changed, --changed=REF, ${known.join(", ")}`);
      process.exit(2);
    }
  }
  return { names: gateNames, changedSince: since };
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function seconds(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`.padStart(8);
}

function indent(text) {
  return text.replaceAll(/^/gm, "    ");
}

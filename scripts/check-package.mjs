// Checks the package in the current folder as npm would get it: what is packed, whether `exports` and the built files
// agree, publint and attw. Needs a build.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import ts from "typescript";
import { needsShell } from "./pnpm.mjs";

const folder = process.cwd();
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
// Its own name too: a subpath may import the root entry by it.
const delivered = new Set([manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })]);
const problems = [];
const scratch = mkdtempSync(join(tmpdir(), "reins-pack-"));
try {
  const packed = JSON.parse(tool("pnpm", "pack", "--json", "--pack-destination", scratch));
  const tarball = join(
    scratch,
    readdirSync(scratch).find((name) => name.endsWith(".tgz")),
  );
  checkContent(new Set(packed.files.map((file) => file.path)));
  checkPackedManifest(
    JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" })),
  );
  checkTool("publint", "--strict", tarball);
  checkTool("attw", tarball, "--profile", "esm-only", "--no-color", "--no-emoji");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function checkContent(files) {
  for (const name of ["package.json", "README.md", "LICENSE"]) {
    if (!files.has(name)) problems.push(`${name} is not packed`);
  }
  for (const file of files) {
    const isDelivered = /^(dist|src)\//.test(file) && !/\.test\.ts$/.test(file);
    if (!isDelivered && !/^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/.test(file)) {
      problems.push(`${file} should not be packed`);
    }
  }
  // A source map that points at nothing is worse than none.
  for (const map of [...files].filter((file) => file.endsWith(".map"))) {
    for (const source of JSON.parse(readFileSync(join(folder, map), "utf8")).sources) {
      const path = posix.join(posix.dirname(map), source);
      if (!files.has(path)) problems.push(`${map} points at ${path}, which is not packed`);
    }
  }
  const reached = new Set();
  for (const entry of entries()) {
    if (files.has(entry)) reach(entry, reached, files);
    else problems.push(`package.json names ${entry}, which is not packed`);
  }
  for (const file of files) {
    const isModule = /^dist\/.*\.(js|d\.ts)$/.test(file);
    if (isModule && !reached.has(file))
      problems.push(`${file} is reached from no entry. If an older build left it, delete dist.`);
  }
}

/** Every file that package.json offers by `exports` or `bin`. */
function entries() {
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.bin ?? {})];
  return targets
    .flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)))
    .map(posix.normalize);
}

/** Adds a built file and all that it imports. Other packages that it imports must be declared for users. */
function reach(file, reached, files) {
  if (reached.has(file)) return;
  reached.add(file);
  if (!file.startsWith("dist/")) return;
  const text = readFileSync(join(folder, file), "utf8");
  const specifiers = ts.preProcessFile(text).importedFiles.map((imported) => imported.fileName);
  // A program that a child runs is not imported but named, by a path that need not be a literal.
  for (const [, name] of text.matchAll(/["'`/]([\w-]+\.js)["'`]/g)) {
    if (files.has(`dist/${name}`)) reach(`dist/${name}`, reached, files);
  }
  for (const specifier of specifiers) {
    if (specifier.startsWith(".")) {
      const path = posix.join(posix.dirname(file), specifier);
      reach(file.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path, reached, files);
    } else if (!isBuiltin(specifier)) {
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];
      if (!delivered.has(name)) problems.push(`${file} imports ${name}, which is neither a dependency nor a peer`);
    }
  }
}

function checkPackedManifest(packed) {
  const expected = { license: "MIT", type: "module", sideEffects: false };
  for (const [field, value] of Object.entries(expected)) {
    if (packed[field] !== value) problems.push(`package.json: "${field}" must be ${JSON.stringify(value)}`);
  }
  if (!packed.description?.endsWith(".")) problems.push(`package.json: "description" must be one sentence`);
  if (packed.engines?.node !== ">=20.19") problems.push(`package.json: "engines.node" must be ">=20.19"`);
  if (/"(workspace|catalog):/.test(JSON.stringify(packed))) {
    problems.push("package.json: pnpm left a workspace: or catalog: range in what it packed");
  }
  for (const [subpath, target] of Object.entries(packed.exports)) {
    if (typeof target === "string") continue;
    const order = Object.keys(target).join(", ");
    if (order !== "@reins/source, types, default") {
      problems.push(`package.json: exports["${subpath}"] has "${order}", not "@reins/source, types, default"`);
    }
  }
}

function checkTool(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", shell: needsShell });
  if (status !== 0) problems.push(`${command} failed:\n${stdout}${stderr}`);
}

function tool(command, ...args) {
  return execFileSync(command, args, { encoding: "utf8", shell: needsShell, stdio: ["ignore", "pipe", "inherit"] });
}

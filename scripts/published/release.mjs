// A release, tried without one: what would be published, and who is released with whom.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "../pnpm.mjs";
import { folder, packages } from "./place.mjs";

/** Gives a line on what would be published. */
export function tryPublish() {
  // --force, as versions that the registry has already would be left out.
  const args = ["--recursive", "publish", "--dry-run", "--no-git-checks", "--force", "--json"];
  const said = execFileSync("pnpm", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, stdio: "pipe" });
  const published = JSON.parse(said.slice(said.indexOf("[\n")));
  same(
    "would be published",
    published.map(({ name }) => name),
    packages.map(({ manifest }) => manifest.name),
  );
  for (const { name, files } of published) {
    const paths = files.map(({ path }) => path);
    const isMissing = ["README.md", "LICENSE"].some((path) => !paths.includes(path));
    const odd = paths.filter((path) => !/^(dist|src)\/|^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$/.test(path));
    const tests = paths.filter((path) => /\.test\./.test(path));
    if (isMissing || odd.length + tests.length > 0) throw new Error(`${name} would publish ${paths.join(" ")}`);
  }
  for (const { manifest } of packages) {
    // A scoped package is private by default.
    if (manifest.publishConfig?.access !== "public") throw new Error(`${manifest.name} needs publishConfig.access`);
  }
  const bytes = published.reduce((sum, { size }) => sum + size, 0);
  return `${published.length} packages, ${Math.round(bytes / 1000)} kB`;
}

/** Runs changesets in a copy of the manifests, where nothing can be damaged. */
export function tryVersions() {
  const copy = join(folder, "versions");
  const manifests = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "*package.json").split("\n");
  for (const file of [...manifests, "pnpm-workspace.yaml"].filter(Boolean)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  cpSync(join(root, ".changeset"), join(copy, ".changeset"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  writeFileSync(join(copy, ".gitignore"), "node_modules\n");
  git(copy, "init", "--quiet", "--initial-branch=main");
  commit(copy);

  // What is pending. A package that nobody has a version of must not begin with one that only follows from another.
  version(copy);
  const forgotten = packages.filter(({ folder: each }) => versionOf(copy, each).startsWith("0.0."));
  if (forgotten.length > 0) throw new Error(`no changeset for ${forgotten.map(({ manifest }) => manifest.name)}`);
  commit(copy);

  same("a patch of the lowest package releases", release(copy, "@reins/streamjson", "patch"), ["@reins/streamjson"]);
  same("a patch of the sdk releases", release(copy, "@reins/sdk", "patch"), ["@reins/sdk"]);
  // Before 1.0 a minor version may break, so that who takes the package has to say that it takes this one.
  same("a minor version of the lowest package releases", release(copy, "@reins/streamjson", "minor"), [
    "@reins/streamjson",
    ...packages
      .filter(({ manifest }) => "@reins/streamjson" in (manifest.dependencies ?? {}))
      .map(({ manifest }) => manifest.name),
  ]);
  same("a minor version of the testkit releases", release(copy, "@reins/testkit", "minor"), ["@reins/testkit"]);
}

/** The packages whose version changes with a changeset for one of them. */
function release(copy, name, bump) {
  const before = packages.map((each) => versionOf(copy, each.folder));
  writeFileSync(join(copy, ".changeset/tried.md"), `---\n"${name}": ${bump}\n---\n\nTried.\n`);
  version(copy);
  const released = packages.filter((each, index) => versionOf(copy, each.folder) !== before[index]);
  git(copy, "reset", "--quiet", "--hard");
  git(copy, "clean", "--quiet", "--force", "-d");
  return released.map(({ manifest }) => manifest.name);
}

function version(copy) {
  execFileSync("changeset", ["version"], { cwd: copy, encoding: "utf8", stdio: "pipe" });
  const left = readdirSync(join(copy, ".changeset")).filter((name) => name.endsWith(".md") && name !== "README.md");
  if (left.length > 0) throw new Error(`changesets left ${left}`);
}

function versionOf(copy, packageFolder) {
  return JSON.parse(readFileSync(join(copy, relative(root, packageFolder), "package.json"), "utf8")).version;
}

function commit(copy) {
  git(copy, "add", "--all");
  git(copy, "-c", "user.name=nobody", "-c", "user.email=nobody@localhost", "commit", "--quiet", "--message=.");
}

function git(cwd, ...args) {
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" });
}

function same(what, found, wanted) {
  const [left, right] = [found, wanted].map((names) => [...names].sort().join(" "));
  if (left !== right) throw new Error(`${what}: ${left || "nothing"}\nexpected: ${right}`);
}

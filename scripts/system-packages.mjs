// What the gates need beside Node.js, and the Debian package that has it. As root, and in CI by sudo, what is missing is installed;
// else it is named, and the tests that need it fail.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Debian package -> why, and whether it is there. */
const needs = {
  git: { why: "turbo asks it what changed", isThere: () => isOnPath("git") },
  procps: { why: "ps finds processes that were left behind", isThere: () => isOnPath("ps") },
  python3: { why: "hosts in another language", isThere: () => isOnPath("python3") },
  jq: { why: "a host that is a shell script", isThere: () => isOnPath("jq") },
  openssl: { why: "certificates of servers in tests", isThere: () => isOnPath("openssl") },
  zsh: { why: "its completions of reins", isThere: () => isOnPath("zsh") },
  fish: { why: "its completions of reins", isThere: () => isOnPath("fish") },
  tmux: { why: "the chat in a real terminal", isThere: () => isOnPath("tmux") },
  "redis-server": { why: "the store on Redis", isThere: () => isOnPath("redis-server") },
  postgresql: { why: "the store on Postgres", isThere: hasPostgres },
  chromium: { why: "the viewer in a browser", isThere: () => isOnPath("chromium") },
};

/** Sees to it that all is there, as far as that can be done without asking. */
export function installSystemPackages() {
  const missing = Object.keys(needs).filter((name) => !needs[name].isThere());
  if (process.platform === "win32" || missing.length === 0) return;
  const list = missing.map((name) => `${name} (${needs[name].why})`).join(", ");
  const asRoot = process.getuid?.() === 0 ? [] : process.env.CI === "true" ? ["sudo", "-n"] : undefined;
  if (asRoot === undefined || !isOnPath("apt-get")) {
    console.log(`Missing, and so their tests will fail: ${list}`);
    return;
  }
  console.log(`installing ${list}`);
  apt(asRoot, "update", "-qq");
  apt(asRoot, "install", "-y", "-qq", "--no-install-recommends", ...missing);
}

function apt(asRoot, ...args) {
  const [command, ...rest] = [...asRoot, "apt-get", ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stderr } = spawnSync(command, rest, { env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) console.log(`apt-get ${args[0]} failed: ${stderr.trim().split("\n").at(-1) ?? ""}`);
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/** Debian keeps the server beside the path, in a folder for each version. */
function hasPostgres() {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root) : [];
  return versions.some((version) => existsSync(join(root, version, "bin", "postgres")));
}

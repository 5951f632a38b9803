import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative, sep } from "node:path";
import { ReinsError } from "@reins/streamjson";
import { leakMark } from "./leak-mark.ts";
import { removeTree } from "./remove-tree.ts";

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** The API that the CLI in the sandbox talks to. Default: an address on loopback that nobody answers. */
  readonly model?: { readonly url: string };
  /** Added to the environment; `undefined` takes a variable out. What would let the CLI out of the sandbox is refused. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder in which the sandbox is created. Default: the system's folder for temporary files. */
  readonly parent?: string;
}

/** Folders and environment in which the CLI can run without touching the account, and without leaving this machine. */
export interface Sandbox extends AsyncDisposable {
  /** The folder that holds all others. Its name has the id of this process in it. */
  readonly root: string;
  /** `HOME`. */
  readonly home: string;
  /** `CLAUDE_CONFIG_DIR`: settings, transcripts. */
  readonly configDir: string;
  /** `TMPDIR`. */
  readonly tmpDir: string;
  /** An empty folder to work in. */
  readonly cwd: string;
  /** The whole environment of a child. Nothing of the host's environment is in it but `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * `cwd` and `env` for `spawn`, with more variables; `undefined` takes one out.
   *
   * @throws {@link UnsafeEnvironmentError} when the result is not safe.
   */
  spawnOptions(more?: Readonly<Record<string, string | undefined>>): { cwd: string; env: Record<string, string> };
  /**
   * Refuses an environment that is not of this sandbox: call it before a binary is started with an environment that something
   * else has put together. `HOME`, `CLAUDE_CONFIG_DIR` and `TMPDIR` must lie in the sandbox, `ANTHROPIC_BASE_URL` on loopback, and
   * no other provider may be chosen.
   *
   * @throws {@link UnsafeEnvironmentError} with the first variable that is wrong.
   */
  assertSafe(env: Readonly<Record<string, string | undefined>>): void;
  /**
   * Removes all folders, read-only ones too. End the processes first: what still writes after the end cannot be caught. Idempotent.
   *
   * @throws {@link SandboxRemovalError} when something is left after 5 s.
   */
  close(): Promise<void>;
}

/**
 * Creates folders and an environment of their own for a run of the CLI.
 *
 * Without its own `HOME` the CLI writes into the account's home. Without `CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC` it asks other
 * hosts at its start. Both are set, and all proxies lead to the scripted model, which reports what is meant for other hosts.
 * Verified with system call traces of CLI 2.1.328 on Linux: it writes inside the sandbox only, and connects to the model only.
 * Settings that an administrator gave the machine (`/etc/claude-code`) still count: no variable turns them off.
 *
 * @example
 * await using sandbox = await createSandbox({ model });
 * const child = spawn(findTestBinary(), argv, sandbox.spawnOptions());
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  // Sockets lie in TMPDIR, and their paths may have 103 bytes at most (macOS): all names are short. The process id tells the leak
  // check whose folder it is. Real, because the CLI reports real paths.
  const parent = await realpath(options.parent ?? tmpdir());
  const root = await mkdtemp(join(parent, `reins-sandbox-${process.pid}-`));
  const folder = (name: string): string => join(root, name);
  const folders = { home: folder("home"), configDir: folder("config"), tmpDir: folder("tmp"), cwd: folder("cwd") };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= remove(root);
    return closed;
  };
  try {
    await Promise.all(Object.values(folders).map((path) => mkdir(path)));
    const env = withoutUndefined({ ...baseEnv(folders, options.model?.url ?? NOWHERE), ...options.env });
    assertSafe(env, root);
    return {
      root,
      ...folders,
      env: Object.freeze(env),
      spawnOptions: (more = {}) => {
        const merged = withoutUndefined({ ...env, ...more });
        assertSafe(merged, root);
        return { cwd: folders.cwd, env: merged };
      },
      assertSafe: (other) => assertSafe(other, root),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A binary was about to be started with an environment that leads out of its sandbox. */
export class UnsafeEnvironmentError extends ReinsError {
  readonly code = "REINS_UNSAFE_ENVIRONMENT" as const;
  /** The name of the variable. */
  readonly variable: string;

  constructor(variable: string, value: string | undefined, rule: string) {
    super(
      `${variable} ${value === undefined ? "is not set" : `is ${JSON.stringify(value)}`}, but ${rule}. ` +
        "Start the binary with the environment of its sandbox.",
    );
    this.variable = variable;
  }

  override get name(): string {
    return "UnsafeEnvironmentError";
  }
}

/** A sandbox could not be removed. `cause` is the last error. */
export class SandboxRemovalError extends ReinsError {
  readonly code = "REINS_SANDBOX_REMOVAL" as const;
  /** The folder that is left. */
  readonly root: string;

  constructor(root: string, cause: unknown) {
    super(`The sandbox ${root} could not be removed. Look for a process that still writes into it.`, { cause });
    this.root = root;
  }

  override get name(): string {
    return "SandboxRemovalError";
  }
}

/** The port of the discard service: on loopback, and nobody is there. */
const NOWHERE = "http://127.0.0.1:9";

function baseEnv(
  folders: Pick<Sandbox, "home" | "configDir" | "tmpDir">,
  modelUrl: string,
): Record<string, string | undefined> {
  const noProxy = "127.0.0.1,localhost,::1";
  return {
    PATH: process.env["PATH"],
    HOME: folders.home,
    TMPDIR: folders.tmpDir,
    CLAUDE_CONFIG_DIR: folders.configDir,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: "sk-ant-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // In both cases, because programs disagree about which one they read.
    HTTP_PROXY: modelUrl,
    http_proxy: modelUrl,
    HTTPS_PROXY: modelUrl,
    https_proxy: modelUrl,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    ...leakMark(),
    ...(process.platform === "win32" && windowsEnv(folders)),
  };
}

/** What programs cannot start without on Windows, and the names that it has for the folders. */
function windowsEnv({ home, tmpDir }: Pick<Sandbox, "home" | "tmpDir">): Record<string, string | undefined> {
  const kept = ["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT"].map((name) => [name, process.env[name]]);
  return {
    ...Object.fromEntries(kept),
    USERPROFILE: home,
    APPDATA: join(home, "AppData", "Roaming"),
    LOCALAPPDATA: join(home, "AppData", "Local"),
    TEMP: tmpDir,
    TMP: tmpDir,
  };
}

function assertSafe(env: Readonly<Record<string, string | undefined>>, root: string): void {
  const folders = ["HOME", "CLAUDE_CONFIG_DIR", "TMPDIR", ...(process.platform === "win32" ? ["USERPROFILE"] : [])];
  for (const name of folders) {
    const value = env[name];
    if (value === undefined || !isInside(value, root)) {
      throw new UnsafeEnvironmentError(name, value, `it must be a folder in ${root}`);
    }
  }
  const baseUrl = env["ANTHROPIC_BASE_URL"];
  if (baseUrl === undefined || !isLoopback(baseUrl)) {
    throw new UnsafeEnvironmentError("ANTHROPIC_BASE_URL", baseUrl, "it must be an address on loopback");
  }
  for (const name of OTHER_PROVIDERS) {
    const value = env[name];
    if (value !== undefined && value !== "") {
      throw new UnsafeEnvironmentError(name, value, "another provider does not use ANTHROPIC_BASE_URL");
    }
  }
}

// The names in CLI 2.1.328.
const OTHER_PROVIDERS = [
  "CLAUDE_CODE_USE_ANTHROPIC_AWS",
  "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_USE_GATEWAY",
  "CLAUDE_CODE_USE_MANTLE",
  "CLAUDE_CODE_USE_VERTEX",
];

function isInside(path: string, root: string): boolean {
  if (!isAbsolute(path)) return false;
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function withoutUndefined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

async function remove(root: string): Promise<void> {
  const failure = await removeTree(root, 5_000);
  if (failure !== undefined) throw new SandboxRemovalError(root, failure);
}

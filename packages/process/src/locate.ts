import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import { isInArchive, take } from "./candidate.ts";
import { readCliVersion } from "./cli-version.ts";
import { elfHeadBytes, readElf } from "./elf.ts";
import { CliNotFoundError, type PlaceTried } from "./errors.ts";
import { type FileProbe, localFiles } from "./file-probe.ts";
import { type Libc, packageCandidates, platformPackages } from "./platform-package.ts";
import { type Environment, variable } from "./variables.ts";
import { isWindowsShim } from "./windows-shim.ts";

/** Where to look for the CLI. Everything that depends on the machine is a parameter. */
export interface LocateOptions {
  /**
   * The option `pathToClaudeCodeExecutable`. A relative path counts from `cwd`; a bare name is looked up on PATH. On Windows the `claude.cmd`
   * of a package manager stands for what it starts; a path into an `.asar` archive stands for the unpacked file.
   */
  readonly path?: string | undefined;
  /** Folders whose packages are searched, as a module in them would see them. Default: where the main script lies. */
  readonly searchFrom?: readonly string[];
  /** Default `process.platform`. */
  readonly platform?: string;
  /** Default `process.arch`. */
  readonly arch?: string;
  /** Which builds run here. Default: what Node itself was built for. Only for Linux. */
  readonly libc?: Libc;
  /** Default `process.env`. */
  readonly env?: Environment;
  /** Default `os.homedir()`. */
  readonly home?: string;
  /** Default `process.cwd()`. Never the folder of the session, whose content is not to be trusted. */
  readonly cwd?: string;
  /** Default: the files of this machine. */
  readonly files?: FileProbe;
}

/** A CLI that was found, and how. */
export interface ClaudeLocation {
  /** Absolute path; or the bare name that was asked for, if it is not on the PATH of this machine. */
  readonly path: string;
  /**
   * - `"option"`: given by `pathToClaudeCodeExecutable`. `"environment"`: given by `CLAUDE_CODE_EXECUTABLE`. That something is there is not
   *   checked, so that one can name what lies on another machine.
   * - `"agent-sdk-package"`, `"cli-package"`: the binary of `@anthropic-ai/claude-agent-sdk` or `@anthropic-ai/claude-code`.
   * - `"path"`: on PATH. `"known-place"`: where an installer puts it.
   */
  readonly foundBy: "option" | "environment" | "agent-sdk-package" | "cli-package" | "path" | "known-place";
  /** What was looked at before. */
  readonly tried: readonly PlaceTried[];
  /**
   * The version that it has, such as `"2.1.328"`, without a session: runs it with `--version`, 5 s at most, once for a file that does not
   * change. `undefined` where it does not say; never rejects.
   */
  version(): Promise<string | undefined>;
}

/**
 * Finds the CLI, without starting it.
 *
 * In this order, the first that is there and can be run: the path given, the variable `CLAUDE_CODE_EXECUTABLE`, the binary package
 * of `@anthropic-ai/claude-agent-sdk`, that of `@anthropic-ai/claude-code`, `claude` on PATH (absolute entries), and the places
 * of the known installers. Reads the disk, synchronously.
 *
 * @throws {@link CliNotFoundError} with the places in order.
 * @example
 * const { path, foundBy } = locateClaude();
 */
export function locateClaude(options: LocateOptions = {}): ClaudeLocation {
  const place = machine(options);
  const tried: PlaceTried[] = [];
  const found = (foundBy: ClaudeLocation["foundBy"], path: string): ClaudeLocation => {
    return { path, foundBy, tried, version: () => readCliVersion(path, place.env) };
  };
  const given = givenPath(place, options.path);
  if (given !== undefined) return found("option", given);
  const fromVariable = givenPath(place, place.env["CLAUDE_CODE_EXECUTABLE"]);
  if (fromVariable !== undefined) return found("environment", fromVariable);
  for (const [foundBy, find] of searches) {
    const path = find(place, tried);
    if (path !== undefined) return found(foundBy, path);
  }
  throw new CliNotFoundError(tried);
}

type Machine = Required<Omit<LocateOptions, "path" | "libc">> & {
  readonly libc: Libc | undefined;
  readonly join: (...parts: string[]) => string;
  readonly isAbsolute: (path: string) => boolean;
};

type Search = (place: Machine, tried: PlaceTried[]) => string | undefined;

const searches: readonly (readonly [ClaudeLocation["foundBy"], Search])[] = [
  ["agent-sdk-package", (place, tried) => inPackages(place, "@anthropic-ai/claude-agent-sdk", tried)],
  ["cli-package", (place, tried) => inPackages(place, "@anthropic-ai/claude-code", tried)],
  ["path", onPath],
  ["known-place", inKnownPlaces],
];

function machine(options: LocateOptions): Machine {
  const platform = options.platform ?? process.platform;
  const files = options.files ?? localFiles;
  const { join, isAbsolute } = platform === "win32" ? win32 : posix;
  return {
    platform,
    files,
    join,
    isAbsolute,
    arch: options.arch ?? process.arch,
    env: options.env ?? process.env,
    home: options.home ?? homeFolder(),
    cwd: options.cwd ?? process.cwd(),
    searchFrom: options.searchFrom ?? mainScriptFolders(files),
    libc: platform === "linux" ? (options.libc ?? hostLibc(files)) : undefined,
  };
}

/** Empty where there is none: a container that runs under a user id without an entry in passwd. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/** The main script's folder as written and without links: an installed command is a link into its package. */
function mainScriptFolders(files: FileProbe): string[] {
  const script = process.argv[1];
  if (script === undefined) return [];
  const { dirname } = process.platform === "win32" ? win32 : posix;
  return [...new Set([dirname(script), dirname(files.realPath(script) ?? script)])];
}

/**
 * Which C library Node was built for, by the loader that its own binary names. `process.report` tells it too, but it looks up the
 * host name of each open socket on the way, which blocks.
 */
function hostLibc(files: FileProbe): Libc {
  const elf = readElf(files.head(process.execPath, elfHeadBytes));
  return elf?.interpreter?.includes("musl") ? "musl" : "glibc";
}

function givenPath(place: Machine, path: string | undefined): string | undefined {
  if (path === undefined || path === "") return undefined;
  if (place.isAbsolute(path)) return startable(place, path);
  const isBareName = !path.includes("/") && !(place.platform === "win32" && path.includes("\\"));
  if (!isBareName) return startable(place, place.join(place.cwd, path));
  // Left as it is when it is not here: a spawner may run it elsewhere.
  return onPathAs(place, [...windowsNames(place, path), path], []) ?? path;
}

/** What the system can start in the place of a path that was given. @throws {@link CliNotFoundError} where there is nothing. */
function startable(place: Machine, path: string): string {
  for (const name of windowsNames(place, path)) {
    const taken = take(place, name);
    if (typeof taken === "string") return taken;
  }
  if (!isInArchive(path) && !(place.platform === "win32" && isWindowsShim(path))) return path;
  const taken = take(place, path);
  if (typeof taken === "string") return taken;
  const outcome = taken.outcome === "missing" && isInArchive(path) ? "in-archive" : taken.outcome;
  throw new CliNotFoundError([{ place: path, outcome }]);
}

/**
 * What a name without an ending means on Windows. Package managers put a script for Unix shells beside their shims, and `where` shows it
 * first.
 */
function windowsNames({ platform }: Machine, path: string): readonly string[] {
  if (platform !== "win32" || win32.extname(path) !== "") return [];
  return [".exe", ".cmd", ".ps1"].map((ending) => path + ending);
}

function inPackages(place: Machine, family: string, tried: PlaceTried[]): string | undefined {
  const packages = platformPackages(family, place);
  for (const name of packages.suited) {
    let outcome: PlaceTried["outcome"] = "missing";
    for (const candidate of packageCandidates(family, name, place)) {
      const taken = take(place, candidate);
      if (typeof taken === "string") return taken;
      if (taken.outcome !== "missing") outcome = taken.outcome;
    }
    tried.push({ place: `package ${name}`, outcome });
  }
  for (const name of packages.unsuited) {
    const isThere = [...packageCandidates(family, name, place)].some((path) => place.files.status(path) !== undefined);
    if (isThere) tried.push({ place: `package ${name}`, outcome: "other-libc" });
  }
  return undefined;
}

function onPath(place: Machine, tried: PlaceTried[]): string | undefined {
  // What npm puts on PATH of Windows are the two scripts.
  const names = place.platform === "win32" ? windowsNames(place, "claude") : ["claude"];
  const path = onPathAs(place, names, tried);
  if (path === undefined) tried.push({ place: `${names[0]} on PATH`, outcome: "missing" });
  return path;
}

function onPathAs(place: Machine, names: readonly string[], tried: PlaceTried[]): string | undefined {
  for (const folder of pathFolders(place)) {
    for (const name of names) {
      const candidate = place.join(folder, name);
      const taken = take(place, candidate);
      if (typeof taken === "string") return taken;
      if (taken.outcome !== "missing") tried.push({ place: candidate, ...taken });
    }
  }
  return undefined;
}

/** Relative and empty entries mean the working folder, where anybody may have put a `claude`. */
function pathFolders(place: Machine): string[] {
  const separator = place.platform === "win32" ? ";" : ":";
  return (variable(place.env, "PATH", place.platform) ?? "").split(separator).filter(place.isAbsolute);
}

function inKnownPlaces(place: Machine, tried: PlaceTried[]): string | undefined {
  for (const candidate of knownPlaces(place)) {
    const taken = take(place, candidate);
    if (typeof taken === "string") return taken;
    tried.push({ place: candidate, ...taken });
  }
  return undefined;
}

function knownPlaces({ platform, home, join, isAbsolute }: Machine): string[] {
  const inHome = (path: string): string[] => (isAbsolute(home) ? [join(home, path)] : []);
  // A rooted path without a drive letter would mean the current drive there, where another user may plant a file.
  if (platform === "win32") return inHome(".local/bin/claude.exe");
  return [
    ...inHome(".local/bin/claude"),
    ...inHome(".claude/local/claude"),
    ...inHome(".npm-global/bin/claude"),
    "/usr/local/bin/claude",
    "/opt/homebrew/bin/claude",
    ...inHome(".yarn/bin/claude"),
    ...inHome("node_modules/.bin/claude"),
  ];
}

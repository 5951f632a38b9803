import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import { elfHeadBytes, readElf } from "./elf.ts";
import { CliNotFoundError, type PlaceTried } from "./errors.ts";
import { type FileProbe, localFiles } from "./file-probe.ts";
import { type Libc, packageCandidates, platformPackages } from "./platform-package.ts";
import { type Environment, variable } from "./variables.ts";

/** Where to look for the CLI. Everything that depends on the machine is a parameter. */
export interface LocateOptions {
  /** The option `pathToClaudeCodeExecutable`. A relative path counts from `cwd`; a bare name is looked up on PATH. */
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
   * - `"option"`: given by `pathToClaudeCodeExecutable`. `"environment"`: given by `CLAUDE_CODE_EXECUTABLE`. Neither is checked, so that
   *   one can name what lies on another machine.
   * - `"agent-sdk-package"`, `"cli-package"`: the binary of `@anthropic-ai/claude-agent-sdk` or `@anthropic-ai/claude-code`.
   * - `"path"`: on PATH. `"known-place"`: where an installer puts it.
   */
  readonly foundBy: "option" | "environment" | "agent-sdk-package" | "cli-package" | "path" | "known-place";
  /** What was looked at before. */
  readonly tried: readonly PlaceTried[];
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
  const given = givenPath(place, options.path);
  if (given !== undefined) return { path: given, foundBy: "option", tried: [] };
  const fromVariable = givenPath(place, place.env["CLAUDE_CODE_EXECUTABLE"]);
  if (fromVariable !== undefined) return { path: fromVariable, foundBy: "environment", tried: [] };

  const tried: PlaceTried[] = [];
  for (const [foundBy, find] of searches) {
    const path = find(place, tried);
    if (path !== undefined) return { path, foundBy, tried };
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
  if (place.isAbsolute(path)) return path;
  const isBareName = !path.includes("/") && !(place.platform === "win32" && path.includes("\\"));
  if (!isBareName) return place.join(place.cwd, path);
  // Left as it is when it is not here: a spawner may run it elsewhere.
  const candidates = pathFolders(place).map((folder) => place.join(folder, path));
  return candidates.find((candidate) => rejection(place, candidate) === undefined) ?? path;
}

function inPackages(place: Machine, family: string, tried: PlaceTried[]): string | undefined {
  const packages = platformPackages(family, place);
  for (const name of packages.suited) {
    let outcome: PlaceTried["outcome"] = "missing";
    for (const candidate of packageCandidates(family, name, place)) {
      const rejected = rejection(place, candidate);
      if (rejected === undefined) return candidate;
      if (rejected !== "missing") outcome = rejected;
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
  const name = executableName(place.platform);
  for (const folder of pathFolders(place)) {
    const candidate = place.join(folder, name);
    const rejected = rejection(place, candidate);
    if (rejected === undefined) return candidate;
    if (rejected !== "missing") tried.push({ place: candidate, outcome: rejected });
  }
  tried.push({ place: `${name} on PATH`, outcome: "missing" });
  return undefined;
}

/** Relative and empty entries mean the working folder, where anybody may have put a `claude`. */
function pathFolders(place: Machine): string[] {
  const separator = place.platform === "win32" ? ";" : ":";
  return (variable(place.env, "PATH", place.platform) ?? "").split(separator).filter(place.isAbsolute);
}

function inKnownPlaces(place: Machine, tried: PlaceTried[]): string | undefined {
  for (const candidate of knownPlaces(place)) {
    const rejected = rejection(place, candidate);
    if (rejected === undefined) return candidate;
    tried.push({ place: candidate, outcome: rejected });
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

function executableName(platform: string): string {
  return platform === "win32" ? "claude.exe" : "claude";
}

/** Why a candidate is not taken, `undefined` when it is. */
function rejection({ platform, files }: Machine, path: string): PlaceTried["outcome"] | undefined {
  const status = files.status(path);
  if (status === undefined) return "missing";
  if (status.kind !== "file") return "not-a-file";
  if (platform !== "win32" && !status.executable) return "not-executable";
  return isNpmStub(files, path, status.size) ? "npm-stub" : undefined;
}

/** The npm package comes with a shell script of about 500 bytes in the place of the binary, which its install script replaces. */
function isNpmStub(files: FileProbe, path: string, size: number): boolean {
  if (size > 4096) return false;
  return new TextDecoder().decode(files.head(path, size)).includes("claude native binary not installed");
}

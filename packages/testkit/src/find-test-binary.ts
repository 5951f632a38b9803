import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ReinsError } from "@reins/streamjson";

/** Where {@link findTestBinary} looks. */
export interface FindTestBinaryOptions {
  /** Folder whose dependencies are searched. Default: the working directory of the process, then this package's own folder. */
  readonly from?: string;
}

/**
 * Finds the native `claude` that the project under test pins as a dev dependency, and returns its path.
 *
 * The binary lies in a platform package (`@anthropic-ai/claude-code-linux-x64`), an optional dependency of
 * `@anthropic-ai/claude-code` which only that package can see under pnpm; so it is resolved from there. The file that
 * `node_modules/.bin/claude` leads to is not used: it is a stub where install scripts are off. No PATH is searched, so a test
 * never meets the `claude` of the machine.
 *
 * @throws {@link TestBinaryNotFoundError} with the places that were tried.
 */
export function findTestBinary(options: FindTestBinaryOptions = {}): string {
  const folders = options.from === undefined ? [process.cwd(), import.meta.dirname] : [resolve(options.from)];
  return locateBinary(folders, { platform: process.platform, arch: process.arch, isMusl });
}

/** No binary of the CLI is installed where {@link findTestBinary} looks. */
export class TestBinaryNotFoundError extends ReinsError {
  readonly code = "REINS_TEST_BINARY_NOT_FOUND" as const;
  /** What was tried, in order, with the reason why it did not do. */
  readonly tried: readonly string[];

  constructor(tried: readonly string[]) {
    super(
      "The claude binary for tests is not installed. Add @anthropic-ai/claude-code to the devDependencies, and install " +
        `without leaving out optional dependencies. Tried:\n${tried.map((place) => `- ${place}`).join("\n")}`,
    );
    this.tried = tried;
  }

  override get name(): string {
    return "TestBinaryNotFoundError";
  }
}

/** The machine that a binary has to run on. */
export interface BinaryHost {
  readonly platform: string;
  readonly arch: string;
  /** Asked only when a package for each C library is installed. */
  readonly isMusl: () => boolean;
}

/** {@link findTestBinary} for any machine. */
export function locateBinary(folders: readonly string[], host: BinaryHost): string {
  const tried: string[] = [];
  for (const folder of folders) {
    const main = packageFolder("@anthropic-ai/claude-code", folder, tried);
    if (main === undefined) continue;
    const usable = platformPackages(host)
      .map((name) => packageFolder(name, main, tried))
      .filter((found) => found !== undefined)
      .map((found) => join(found, host.platform === "win32" ? "claude.exe" : "claude"))
      .filter((file) => isUsable(file, tried));
    // Package managers that know the C library install one of the two, the others both.
    const wantsLast = usable.length > 1 && host.isMusl();
    const binary = wantsLast ? usable.at(-1) : usable[0];
    if (binary !== undefined) return binary;
  }
  throw new TestBinaryNotFoundError(tried);
}

/** Names of the packages that may hold the binary, the likely one first and the one for musl last. */
function platformPackages({ platform, arch }: BinaryHost): string[] {
  const name = `@anthropic-ai/claude-code-${platform}-${arch}`;
  if (platform === "android") return [`@anthropic-ai/claude-code-linux-${arch}-android`];
  return platform === "linux" ? [name, `${name}-musl`] : [name];
}

/** Walks up as Node does. Not `require.resolve`, which also searches NODE_PATH: that is where pnpm's scripts see all packages. */
function packageFolder(name: string, from: string, tried: string[]): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    // Under pnpm the siblings of a package lie beside its real folder, not beside the link that leads to it.
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
    if (folder === dirname(folder)) break;
  }
  tried.push(`${name} from ${from}: not installed`);
  return undefined;
}

function isUsable(file: string, tried: string[]): boolean {
  try {
    if (!statSync(file).isFile()) throw new Error("not a file");
    accessSync(file, constants.X_OK);
    return true;
  } catch (error) {
    tried.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

function isMusl(): boolean {
  // Node leaves the version of glibc out of its report where it runs on another C library.
  const report: unknown = process.report?.getReport();
  const header = typeof report === "object" && report !== null && "header" in report ? report.header : undefined;
  return typeof header === "object" && header !== null && !("glibcVersionRuntime" in header);
}

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type UserConfig } from "tsdown";

const packageFolder = join(import.meta.dirname, "..");

/** The command, built into a temporary folder. */
export interface BuiltCli extends AsyncDisposable {
  readonly main: string;
  /** Runs it to its end, which comes within 60 s. */
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Starts it. */
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
}

/** How the command is run. */
interface RunOptions {
  readonly cwd?: string;
  /** The whole environment but for PATH. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** What came of it. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Builds the command. The siblings are bundled from their source, so that nothing else must have been built, and no test waits for tsx;
 * the clients of the stores stay packages.
 */
export async function buildCli(): Promise<BuiltCli> {
  return await buildInto(
    async (folder) => await symlink(join(packageFolder, "node_modules"), join(folder, "node_modules")),
    {
      noExternal: [/^@reins\//, "commander", /^zod/],
      inputOptions: { resolve: { conditionNames: ["@reins/source", "import", "node", "default"] } },
    },
  );
}

/** Builds the command as it is published, where no other packages are installed than these. */
export async function buildBareCli(packages: readonly string[]): Promise<BuiltCli> {
  return await buildInto(async (folder) => {
    const modules = join(folder, "node_modules");
    await mkdir(modules);
    for (const name of packages) await symlink(join(packageFolder, "node_modules", name), join(modules, name));
  }, {});
}

async function buildInto(addModules: (folder: string) => Promise<void>, config: UserConfig): Promise<BuiltCli> {
  const folder = await mkdtemp(join(tmpdir(), `reins-cli-${process.pid}-`));
  await copyFile(join(packageFolder, "package.json"), join(folder, "package.json"));
  await addModules(folder);
  const outDir = join(folder, "dist");
  await build({ cwd: packageFolder, outDir, dts: false, sourcemap: false, logLevel: "silent", ...config });
  const main = join(outDir, "main.js");
  const start = (args: readonly string[], { cwd, env }: RunOptions = {}): ChildProcessWithoutNullStreams =>
    spawn(process.execPath, [main, ...args], { cwd: cwd ?? folder, env: { PATH: process.env["PATH"], ...env } });
  return {
    main,
    start,
    run: async (args, options) => await finish(start(args, options), options?.input),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Waits for the end of a command, and gives what it wrote. */
export async function finish(child: ChildProcessWithoutNullStreams, input: string | undefined): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // The command may end before it has read everything.
  child.stdin.on("error", () => {});
  if (input !== undefined) child.stdin.write(input);
  child.stdin.end();
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`The command did not end within 60 s. It wrote:\n${stdout}\n${stderr}`));
    }, 60_000);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
  });
}

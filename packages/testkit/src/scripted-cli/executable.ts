import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { toLauncher } from "./launcher.ts";
import { type CliEvent, type CliLog, type CliStart, toCliLog } from "./log.ts";
import { parseCliScript } from "./parse-script.ts";
import type { CliScript } from "./script.ts";

/** Options of {@link scriptedCliExecutable}. */
export interface ScriptedCliExecutableOptions {
  /** What the `file` steps write, by their `path`. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A scripted CLI as a program in a temporary folder. */
export interface ScriptedCliExecutable extends AsyncDisposable {
  /**
   * The program, to be started as a native one is. Needs nothing of the environment, not even `PATH`: it names the Node.js that runs
   * the test. (Where that lies under a long path, or one with a space, a shell starts it, which adds `PWD` to its environment.)
   */
  readonly path: string;

  /** The same program with the suffix `.mjs`, for hosts that start scripts through an interpreter (option `executable`), and for Windows. */
  readonly scriptPath: string;

  /** What the process that was started last saw and did up to now. Rejects when none was started, and after `close()`. */
  log(): Promise<CliLog>;

  /** The same for every process, in the order in which they were started. */
  logs(): Promise<readonly CliLog[]>;

  /** Removes the folder, on which processes that still run end themselves, and waits for their end, 5 s at most. Idempotent. */
  close(): Promise<void>;
}

/**
 * Writes a stand-in for the CLI that follows a script and can be spawned. It does exactly what {@link scriptedCli} does in memory,
 * and what needs a process: it has signals, arguments, an environment, grandchildren. It may be spawned any number of times, also at once.
 *
 * Its log holds the whole environment that it got, in a folder that only this user can read.
 *
 * @throws CliScriptError when the script is none.
 * @example
 * await using cli = await scriptedCliExecutable({ steps: [{ do: "stderr", text: "bad flag\n" }, { do: "exit", code: 2 }] });
 * spawn(cli.path, ["--output-format", "stream-json"]);
 */
export async function scriptedCliExecutable(
  script: CliScript,
  options: ScriptedCliExecutableOptions = {},
): Promise<ScriptedCliExecutable> {
  const { steps } = parseCliScript(script);
  // Real, so that what a process reports of itself compares equal also where the temporary folder is a link.
  const folder = await realpath(await mkdtemp(join(tmpdir(), "reins-scripted-cli-")));
  const path = join(folder, "claude");
  const scriptPath = join(folder, "claude.mjs");
  try {
    await mkdir(join(folder, "runs"));
    const files = await writeFiles(folder, options.files ?? {});
    await writeFile(join(folder, "script.json"), JSON.stringify({ steps, files }));
    const main = new URL("./executable-main.js", import.meta.url).href;
    const launcher = toLauncher(process.execPath, main, folder);
    await writeFile(path, launcher, { mode: 0o755 });
    await writeFile(scriptPath, launcher, { mode: 0o755 });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= remove(folder);
    return closing;
  };
  return {
    path,
    scriptPath,
    logs: () => readLogs(folder),
    log: async () => {
      const last = (await readLogs(folder)).at(-1);
      if (last === undefined) throw new Error("The scripted CLI was not started yet, or did not live to open its log.");
      return last;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the name under which each file lies in the folder: a path of a script may be anything. */
async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const [index, [path, content]] of Object.entries(files).entries()) {
    names[path] = `file-${index}`;
    await writeFile(join(folder, `file-${index}`), content);
  }
  return names;
}

async function readLogs(folder: string): Promise<CliLog[]> {
  const names = await readdir(join(folder, "runs"));
  const logs: (CliLog & { readonly startedAt: number })[] = [];
  for (const name of names) {
    const text = await readFile(join(folder, "runs", name), "utf8");
    // A line that is still being written has no newline.
    const [first, ...rest] = text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .slice(0, -1);
    if (first === undefined) continue;
    // Written by executable-main.js.
    const { startedAt, ...start } = JSON.parse(first) as CliStart & { startedAt: number };
    const events = rest.map((line) => JSON.parse(line) as CliEvent);
    logs.push({ startedAt, ...toCliLog(start, events) });
  }
  return logs.sort((left, right) => left.startedAt - right.startedAt).map(({ startedAt: _, ...log }) => log);
}

async function remove(folder: string): Promise<void> {
  const logs = await readLogs(folder);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const pids = logs.flatMap((log) => [
    log.pid,
    ...log.events.flatMap((event) => (event.kind === "orphan" ? [event.pid] : [])),
  ]);
  const deadline = performance.now() + 5000;
  for (const pid of pids) {
    while ((await isAlive(pid)) && performance.now() < deadline) await delay(20);
  }
}

/** A zombie counts as gone: whoever should reap it may never do so, as process 1 of many containers. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Only Linux has it; the state stands behind the name, which is in brackets.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) Z /.test(stat);
}

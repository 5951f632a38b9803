import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "@reins/streamjson";
import { type CliScript, parseCliScript } from "@reins/testkit";
import { buildLaunch, type Launch, type LaunchOptions, type ProcessTransport } from "../src/index.ts";

/** A launch of a program that stands in for the CLI. It finds the `node` that runs this test, and nothing else of this machine. */
export function launchOf(path: string, options: LaunchOptions = {}): Launch {
  return buildLaunch({ pathToClaudeCodeExecutable: path, env: { PATH: process.env["PATH"] }, ...options });
}

/** A folder for one test. */
export function scratchFolder(): Disposable & {
  readonly path: string;
  /** Writes a file, executable by default, and returns its path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
} {
  const path = mkdtempSync(join(tmpdir(), `reins-process-${process.pid}-`));
  return {
    path,
    write: (name, content, mode = 0o755) => {
      const file = join(path, name);
      writeFileSync(file, content);
      chmodSync(file, mode);
      return file;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Reads all frames to their end. */
export async function allFrames(transport: ProcessTransport): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const batch of transport.frames) frames.push(...batch);
  return frames;
}

/** Answers whether a process lives. A zombie does not: nobody may be there to reap an orphan. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Waits until something is true, 10 s at most. */
export async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within 10 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A script of the hostile inputs. */
export function scriptOf(name: string): CliScript {
  return parseCliScript(JSON.parse(readFileSync(join(import.meta.dirname, "fixtures", `${name}.script.json`), "utf8")));
}

/** How long a promise takes, in ms. */
export async function timed(promise: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await promise;
  return performance.now() - begin;
}

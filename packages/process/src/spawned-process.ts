import { type ChildProcess, spawn } from "node:child_process";
import type { NodeWritable } from "@reins/streamjson";
import type { Launch } from "./launch.ts";

/** The part of a Node.js readable stream that is used of the output of a process. */
export interface ReadablePipe {
  readonly destroyed: boolean;
  readonly readableEnded: boolean;
  /** Calls back with each chunk. */
  on(event: "data", listener: (chunk: Uint8Array | string) => void): unknown;
  /** Calls back when there is no more to come. */
  on(event: "end" | "close", listener: () => void): unknown;
  /** Calls back when reading failed. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Stops the chunks. */
  pause(): unknown;
  /** Lets the chunks come. */
  resume(): unknown;
  /** Closes it. */
  destroy(): unknown;
}

/**
 * A process that runs the CLI: the shape that the official SDK wants of a custom spawner. A `ChildProcess` of Node.js fits.
 *
 * It emits `exit` once, with `exitCode` and `signalCode` already set; or `error` when it could not be started. It has `pid` when
 * it is a process of this machine that has started. Its `stderr`, where it has one, is read.
 */
export interface SpawnedProcess {
  readonly stdin: NodeWritable & {
    /** Closes it. */
    destroy?(): unknown;
  };
  readonly stdout: ReadablePipe;
  readonly stderr?: ReadablePipe | null | undefined;
  readonly pid?: number | undefined;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode?: string | null | undefined;
  /** Sends `SIGTERM` or `SIGKILL`. */
  kill(signal: "SIGTERM" | "SIGKILL"): boolean;
  /** Calls back with the exit. */
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  /** Calls back when it could not be started. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What a custom spawner is asked to run: the shape that the official SDK passes. */
export interface SpawnOptions {
  readonly command: string;
  readonly args: string[];
  readonly cwd?: string;
  /** The whole environment. */
  readonly env: Record<string, string | undefined>;
  /** Fires when a graceful end has failed after an abort, together with `SIGTERM`. Not at once: a spawner would kill on it. */
  readonly signal: AbortSignal;
}

/** Runs the CLI in a way of one's own: in a container, over ssh, as another user. Called once, synchronously. */
export type SpawnClaudeCodeProcess = (options: SpawnOptions) => SpawnedProcess;

/** Starts a child of this process. Throws, or emits `error`, as Node.js does. Never through a shell, never detached. */
export function spawnLocally({ command, args, cwd, env }: Launch): SpawnedProcess {
  return withPipes(spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], windowsHide: true }));
}

/** A child that has its pipes. Throws where there were none to be had. */
export function withPipes<T extends ChildProcess>(child: T): T {
  // Its type does not say so, but out of descriptors there are no pipes, and the error comes as an event, too late for its listeners.
  const pipes: unknown = child.stdin;
  if (pipes != null) return child;
  child.on("error", () => {});
  throw Object.assign(new Error("spawn EMFILE, no descriptors left"), { code: "EMFILE" });
}

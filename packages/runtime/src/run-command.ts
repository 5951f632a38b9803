import { type ChildProcess, spawn } from "node:child_process";

/** How a command of a shell hook has ended. */
export interface CommandEnd {
  /** `undefined` when it did not end by itself. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it did not end by itself, or could not be started. */
  readonly failure: string | undefined;
}

/** What a command may do. */
export interface CommandLimits {
  readonly cwd: string;
  /** Goes to its standard input, which is closed behind it. */
  readonly input: string;
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/**
 * Runs a command through the shell, in a process group of its own. Never rejects.
 *
 * When it settles nothing of the group runs any more: what the command left in the background is killed with SIGKILL, at its end as
 * at its timeout. Output beyond 1 MiB is a failure, error output beyond 64 KiB is dropped.
 */
export function runCommand(command: string, { cwd, input, timeoutMs, signal }: CommandLimits): Promise<CommandEnd> {
  if (signal.aborted) return Promise.resolve(failed("it was cancelled before it began"));
  const isWindows = process.platform === "win32";
  const [program, args] = isWindows ? ["cmd", ["/d", "/s", "/c", `"${command}"`]] : ["/bin/sh", ["-c", command]];
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      stdio: ["pipe", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: isWindows,
    });
  } catch (error) {
    return Promise.resolve(failed(`it could not be started: ${textOf(error)}`));
  }
  return new Promise((resolve) => {
    const stdout = collect(child.stdout, maxOutput, () => stop(`it wrote more than ${maxOutput} bytes`));
    const stderr = collect(child.stderr, maxErrorOutput);
    let failure: string | undefined;
    let pipesTimer: NodeJS.Timeout | undefined;
    // Longer than a timer can be is for ever.
    const timer =
      timeoutMs > 0x7fff_ffff ? undefined : setTimeout(() => stop(`it did not end within ${timeoutMs} ms`), timeoutMs);
    const abort = (): void => stop("it was cancelled");
    const kill = (): void => killGroup(child, isWindows);
    signal.addEventListener("abort", abort, { once: true });
    killAtExit(kill);
    child.once("error", (error) => {
      failure ??= `it could not be started: ${textOf(error)}`;
      if (child.pid === undefined) settle(undefined);
    });
    child.once("exit", (code, name) => {
      clearTimeout(timer);
      if (code === null) failure ??= `it was ended by ${name}`;
      // Whoever is left of the group may hold the pipes.
      kill();
      // 1 s: a process that left the group can hold the pipes for as long as it likes.
      pipesTimer = setTimeout(() => settle(code ?? undefined), 1000);
      child.once("close", () => settle(code ?? undefined));
    });
    // A command that does not read its input is no fault.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);

    function stop(why: string): void {
      failure ??= why;
      kill();
    }

    function settle(exitCode: number | undefined): void {
      clearTimeout(timer);
      clearTimeout(pipesTimer);
      signal.removeEventListener("abort", abort);
      forget(kill);
      child.stdin?.destroy();
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({
        exitCode: failure === undefined ? exitCode : undefined,
        stdout: stdout(),
        stderr: stderr(),
        failure,
      });
    }
  });
}

/** What is to be killed when this process exits: one listener for all, however many run. */
const running = /* @__PURE__ */ new Set<() => void>();

function killAtExit(kill: () => void): void {
  if (running.size === 0) process.on("exit", killAll);
  running.add(kill);
}

function forget(kill: () => void): void {
  running.delete(kill);
  if (running.size === 0) process.removeListener("exit", killAll);
}

function killAll(): void {
  for (const kill of running) kill();
}

/** Collects up to a number of bytes; the rest is read and dropped, so that the writer does not block. */
function collect(stream: NodeJS.ReadableStream | null, limit: number, onLimit?: () => void): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream?.on("data", (chunk: Buffer) => {
    const room = limit - length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (length <= limit && length + chunk.length > limit) onLimit?.();
    length += chunk.length;
  });
  stream?.on("error", () => {});
  return () => Buffer.concat(chunks).toString("utf8");
}

function killGroup(child: ChildProcess, isWindows: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (isWindows) {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).on("error", () => {});
    return;
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}

function failed(failure: string): CommandEnd {
  return { exitCode: undefined, stdout: "", stderr: "", failure };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const maxOutput = 1024 * 1024;
const maxErrorOutput = 64 * 1024;

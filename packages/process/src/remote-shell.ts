import { type ChildProcessByStdio, spawn } from "node:child_process";
import { pipeline, type Readable, Transform, type Writable } from "node:stream";
import { type SpawnedProcess, type SpawnOptions, withPipes } from "./spawned-process.ts";

/** A program of this machine that runs a command on another one, such as `ssh` or `docker exec`. */
export interface RemoteShell {
  /** The whole command that runs a POSIX shell there, with its input and output, and with a script of one line. */
  command(script: string): readonly [program: string, ...args: string[]];
  /** Variables that the other side gets although this host has them with the same value. */
  readonly forwardEnv: readonly string[];
}

/**
 * Runs the CLI through a shell on another machine.
 *
 * What it is told goes over its input, as one line that comes before the frames: the variables, the folder, the command line. So nothing of
 * it can be read on a command line of this machine, and no login shell there parses it. The shell says its process id and becomes the
 * CLI; signals are sent by a second connection, since neither `docker exec` nor `ssh` passes them on.
 */
export function spawnByShell(shell: RemoteShell, options: SpawnOptions): SpawnedProcess {
  const [program, ...args] = shell.command(bootScript);
  const client = withPipes(spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], windowsHide: true }));
  client.stdin.write(`${bootLine(options, shell.forwardEnv)}\n`);
  const pid = new RemotePid();
  // With the one the other is closed, too.
  pipeline(client.stderr, pid, () => {});
  const kill = (signal: "SIGTERM" | "SIGKILL"): boolean => {
    if (client.exitCode !== null || client.signalCode !== null) return false;
    if (pid.value === undefined) return client.kill(signal);
    // What is gone there ends the client by itself. A connection that is lost does not.
    const afterwards = (): void => void (signal === "SIGKILL" && client.kill("SIGKILL"));
    runBriefly(shell.command(killScript(signal, pid.value)), afterwards);
    return true;
  };
  return remoteProcess(client, pid, kill);
}

/** Reads one line, byte by byte as a shell has to, and does what it says. */
const bootScript = 'IFS= read -r line && eval "$line"';

function bootLine({ command, args, cwd, env }: SpawnOptions, forwardEnv: readonly string[]): string {
  const variables = Object.entries(env).flatMap(([name, value]) => {
    // What is the same here belongs to this machine: PATH, HOME, and hundreds more.
    const isOfHost = process.env[name] === value && !forwardEnv.includes(name) && !ofSession.test(name);
    const isName = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
    return value === undefined || isOfHost || !isName ? [] : [`export ${name}=${quoted(value)}`];
  });
  return [
    `echo "${pidMark}$$" >&2`,
    // A newline, which no line can have.
    `eval "$(printf 'n="\\n"')"`,
    ...variables,
    ...(cwd === undefined ? [] : [`CDPATH= cd -- ${quoted(cwd)} || exit 1`]),
    `exec ${[command, ...args].map(quoted).join(" ")}`,
  ].join("; ");
}

/** Variables that are about the session and not about a machine. */
const ofSession = /^(?:CLAUDE_AGENT_SDK_|CLAUDE_CODE_SDK_|CLAUDE_CODE_ENTRYPOINT$|TRACEPARENT$|TRACESTATE$)/;

/** One word for a POSIX shell, on one line. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll("\n", `'"$n"'`)}'`;
}

const pidMark = "reins-remote-pid:";

/** The whole group where the CLI leads one, as under `docker exec` and `sshd`. */
function killScript(signal: "SIGTERM" | "SIGKILL", pid: number): string {
  const alone = `kill -s ${signal.slice(3)} ${pid}`;
  return signal === "SIGKILL" ? `kill -s KILL -- -${pid} 2>/dev/null || ${alone}` : alone;
}

/** Runs a command of which nothing but its end is of interest. 5 s at most. */
function runBriefly([program, ...args]: readonly [string, ...string[]], afterwards: () => void): void {
  const helper = spawn(program, args, { stdio: "ignore", windowsHide: true });
  const timer = setTimeout(() => helper.kill("SIGKILL"), 5000);
  const end = (): void => {
    clearTimeout(timer);
    afterwards();
  };
  helper.once("error", end);
  helper.once("exit", end);
}

/** Takes the line with the process id out of the standard error, wherever the client's own words put it. */
class RemotePid extends Transform {
  value: number | undefined;
  #line = "";

  override _transform(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.value === undefined) this.#search(chunk.toString("latin1"));
    else this.push(chunk);
    done();
  }

  override _flush(done: () => void): void {
    this.push(Buffer.from(this.#line, "latin1"));
    done();
  }

  /** Bytes as characters, since what is cut here may be half of one. */
  #search(text: string): void {
    const [, before = "", pid = "", after = ""] = markLine.exec(this.#line + text) ?? [];
    if (pid !== "") {
      this.value = Number(pid);
      this.#line = "";
      this.push(Buffer.from(before + after, "latin1"));
      return;
    }
    const all = this.#line + text;
    const kept = Math.max(all.lastIndexOf("\n") + 1, all.length - longestMarkLine);
    this.push(Buffer.from(all.slice(0, kept), "latin1"));
    this.#line = all.slice(kept);
  }
}

const markLine = /^((?:.*\n)*?)reins-remote-pid:(\d+)\r?\n([\s\S]*)$/;
const longestMarkLine = 64;

function remoteProcess(
  client: ChildProcessByStdio<Writable, Readable, Readable>,
  stderr: Readable,
  kill: SpawnedProcess["kill"],
): SpawnedProcess {
  let killed = false;
  return {
    stdin: client.stdin,
    stdout: client.stdout,
    stderr,
    get killed() {
      return killed;
    },
    get exitCode() {
      return client.exitCode;
    },
    get signalCode() {
      return client.signalCode;
    },
    kill: (signal) => {
      killed = kill(signal) || killed;
      return killed;
    },
    // The two overloads of the contract are two events of the same emitter.
    on: (event: string, listener: (...args: never[]) => void) => client.on(event, listener as () => void),
  };
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { access, chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

/** How a server is started. */
export interface PostgresServerOptions {
  /** Settings of `postgresql.conf`. Default `fsync = off`: a process that is killed loses nothing by it, only a machine does. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A real server on a loopback port, with a superuser `postgres` who needs no password, and an empty database `postgres` in UTF-8. */
export interface PostgresServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** `postgresql://postgres@127.0.0.1:<port>/postgres` */
  readonly url: string;
  /** Kills the server and all of its processes with SIGKILL, as a power failure would, and waits until they are gone. */
  kill(): Promise<void>;
  /** Starts it again behind {@link PostgresServer.kill}, on the same port and data. */
  restart(): Promise<void>;
}

/** 30 s: it takes 40 ms, but recovers its log first when it was killed, perhaps on a machine that is busy. */
const readyMs = 30_000;

/**
 * Starts Postgres on a free port, with its data in a temporary folder that is removed at the end.
 *
 * @throws Error when Postgres is not installed, or is not ready within 30 s; with what it said.
 */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const bin = await findPrograms();
  const user = await findUser();
  const folder = await mkdtemp(join(tmpdir(), `reins-postgres-${process.pid}-`));
  const data = join(folder, "data");
  let server: ChildProcess | undefined;
  // Where a test runner ends its worker without waiting.
  const atExit = () => {
    server?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.on("exit", atExit);
  const close = async () => {
    process.off("exit", atExit);
    if (server !== undefined) await shutDown(server);
    await removeSharedMemory(data);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid);
    const flags = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    await promisify(execFile)(join(bin, "initdb"), flags, { ...user, env: environment(), timeout: readyMs });
    let port = await freePort();
    const settings = { fsync: "off", ...options.settings };
    try {
      server = await launch(bin, data, port, settings, user);
    } catch {
      // Somebody else took the port in between.
      port = await freePort();
      server = await launch(bin, data, port, settings, user);
    }
    const host = "127.0.0.1";
    return {
      host,
      port,
      url: `postgresql://postgres@${host}:${port}/postgres`,
      async kill() {
        if (server === undefined) return;
        await killAll(server);
        server = undefined;
      },
      async restart() {
        if (server !== undefined) throw new Error("Kill the server before you restart it.");
        server = await launch(bin, data, port, settings, user);
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Debian keeps the programs of each version in a folder of their own, outside of PATH. */
async function findPrograms(): Promise<string> {
  const root = "/usr/lib/postgresql";
  const versions = (await readdir(root).catch(() => [])).sort((left, right) => Number(right) - Number(left));
  for (const version of versions) {
    const bin = join(root, version, "bin");
    const found = await Promise.all(
      ["initdb", "postgres"].map((name) =>
        access(join(bin, name)).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (found.every(Boolean)) return bin;
  }
  throw new Error(`Postgres is not installed: no ${root}/*/bin/postgres. On Debian: apt-get install postgresql`);
}

interface User {
  readonly uid?: number;
  readonly gid?: number;
}

/** Postgres refuses to run as root, so there it runs as the user that Debian made for it. */
async function findUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {};
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((text) => text.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error(
      "There is no user postgres, and Postgres does not run as root. On Debian: apt-get install postgresql",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}

async function launch(
  bin: string,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  user: User,
): Promise<ChildProcess> {
  const all = {
    ...settings,
    listen_addresses: "127.0.0.1",
    port: String(port),
    unix_socket_directories: "",
    // In files of the data folder, so that nothing of it is left elsewhere when the server is killed.
    dynamic_shared_memory_type: "mmap",
    lc_messages: "C",
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(bin, "postgres"), ["-D", data, ...flags], {
    ...user,
    cwd: data,
    env: environment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const { stderr } = server;
  let said = "";
  stderr.setEncoding("utf8");
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Postgres was not ready within ${readyMs} ms.`)), readyMs);
      const settle = (error?: Error) => {
        clearTimeout(timer);
        if (error === undefined) resolve();
        else reject(error);
      };
      stderr.on("data", (text: string) => {
        said = (said + text).slice(-10_000);
        if (said.includes("ready to accept connections")) settle();
      });
      server.once("error", settle);
      server.once("exit", (code, signal) => settle(new Error(`Postgres ended at once (${code ?? signal}).`)));
    });
  } catch (cause) {
    await killAll(server);
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)} It said:\n${said}`, { cause });
  }
  // Read on, so that the pipe does not fill up.
  said = "";
  stderr.removeAllListeners("data");
  stderr.resume();
  return server;
}

/** Ends it at once but in good order, which removes what it has outside of its folder. */
async function shutDown(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, "exit");
  server.kill("SIGQUIT");
  const timeout = new AbortController();
  const isGone = await Promise.race([
    exited.then(() => true),
    pause(10_000, false, { signal: timeout.signal }).catch(() => false),
  ]);
  timeout.abort();
  if (!isGone) await killAll(server);
}

async function killAll(server: ChildProcess): Promise<void> {
  const { pid } = server;
  if (pid === undefined) return;
  const isRunning = server.exitCode === null && server.signalCode === null;
  const exited = isRunning ? once(server, "exit") : undefined;
  // Stopped, it starts no further children while they are counted.
  if (isRunning) server.kill("SIGSTOP");
  const children = await childrenOf(pid);
  if (isRunning) server.kill("SIGKILL");
  for (const child of children) killQuietly(child);
  await exited;
  // Their parent is gone, so nobody tells when they are.
  const until = Date.now() + 10_000;
  for (const child of children) {
    while (await isRunningProcess(child)) {
      if (Date.now() > until) throw new Error(`Processes of the Postgres server ${pid} do not end.`);
      await pause(5);
    }
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (name) => {
      const { parent } = await readState(name);
      return parent === pid ? [Number(name)] : [];
    }),
  );
  return found.flat();
}

async function isRunningProcess(pid: number): Promise<boolean> {
  const { state } = await readState(String(pid));
  // A zombie waits for whoever adopted it, and holds nothing any more.
  return state !== undefined && state !== "Z";
}

async function readState(pid: string): Promise<{ readonly state: string | undefined; readonly parent: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // The name in brackets may hold anything; behind it come the state and the parent.
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: state === "" ? undefined : state, parent: Number(parent) };
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** A server that was killed leaves a small block of System V memory, by which the next would notice that it runs; its id is in the lock file. */
async function removeSharedMemory(data: string): Promise<void> {
  const lines = (await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const id = lines[6]?.trim().split(/\s+/)[1];
  if (id !== undefined && /^\d+$/.test(id)) await promisify(execFile)("ipcrm", ["-m", id]).catch(() => {});
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no free port")),
      );
    });
  });
}

/** Nothing of the caller's: variables such as PGPORT or LC_ALL would change what the programs do. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"] ?? "", TZ: "UTC" };
}

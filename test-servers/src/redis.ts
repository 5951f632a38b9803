import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How a server is started. */
export interface RedisServerOptions {
  /** True: each write is on the disk before it is acknowledged (`appendonly yes`, `appendfsync always`). Default false: memory only. */
  readonly durable?: boolean;
}

/** A real `redis-server` on a free port of 127.0.0.1, in a temporary folder of its own. */
export interface RedisServer extends AsyncDisposable {
  readonly host: "127.0.0.1";
  readonly port: number;
  /** `redis://127.0.0.1:PORT`. */
  readonly url: string;
  /** Ends the server with SIGKILL, and waits until it is gone. Its folder stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder, killed before if it runs, and waits until it has read its data. */
  restart(): Promise<void>;
}

/** Three masters that share the slots of a cluster. */
export interface RedisCluster extends AsyncDisposable {
  readonly nodes: readonly RedisServer[];
}

/** 10 s: it is ready within 20 ms, and under load within a second. */
const readyTimeoutMs = 10_000;
const slots = 16_384;
/** Of Debian's package of the same name. */
const program = "redis-server";

/** Starts a server. Dispose it to end it and to remove its folder. */
export async function startRedis(options: RedisServerOptions = {}): Promise<RedisServer> {
  return start(
    options.durable === true ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"],
    false,
  );
}

/** Starts three masters, and waits until each knows who has which slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const started = await Promise.allSettled([0, 1, 2].map(() => start(["--appendonly", "no"], true)));
  const nodes = started.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const dispose = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  };
  try {
    for (const each of started) if (each.status === "rejected") throw each.reason;
    for (const [index, { port }] of nodes.entries()) {
      const first = Math.ceil((slots * index) / nodes.length);
      await ask(port, `CLUSTER ADDSLOTSRANGE ${first} ${Math.ceil((slots * (index + 1)) / nodes.length) - 1}`);
      await ask(port, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`);
    }
    for (const node of nodes) {
      if (node !== nodes[0]) await ask(node.port, `CLUSTER MEET 127.0.0.1 ${nodes[0]?.port} ${nodes[0]?.busPort}`);
    }
    await until("the cluster knows all of its slots", async () => {
      const states = await Promise.all(nodes.map(({ port }) => ask(port, "CLUSTER INFO")));
      return states.every((info) => info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:3"));
    });
  } catch (error) {
    await dispose();
    throw error;
  }
  return { nodes, [Symbol.asyncDispose]: dispose };
}

async function start(args: readonly string[], inCluster: boolean): Promise<RedisServer & { readonly busPort: number }> {
  const folder = await mkdtemp(join(tmpdir(), `reins-redis-${process.pid}-`));
  // A test process that dies without disposing takes its servers along.
  const children = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of children) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const kill = async (): Promise<void> => {
    await Promise.all([...children].map((child) => endChild(child)));
    children.clear();
  };
  const dispose = async (): Promise<void> => {
    await kill();
    process.off("exit", killAll);
    await rm(folder, { recursive: true, force: true });
  };
  const launch = async (port: number, busPort: number): Promise<void> => {
    const cluster = inCluster ? ["--cluster-enabled", "yes", "--cluster-port", String(busPort)] : [];
    const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
    const child = spawn(program, [...own, ...cluster, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    await untilReady(child);
  };
  try {
    for (let attempt = 1; ; attempt++) {
      const [port, busPort] = await findFreePorts();
      try {
        await launch(port, busPort);
        const url = `redis://127.0.0.1:${port}`;
        const restart = async (): Promise<void> => {
          await kill();
          await launch(port, busPort);
        };
        return { host: "127.0.0.1", port, busPort, url, kill, restart, [Symbol.asyncDispose]: dispose };
      } catch (error) {
        // Somebody else may have taken the port in between.
        await kill();
        if (attempt === 3 || !String(error).includes("in use")) throw error;
      }
    }
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** Waits for the line that says so; a server that ends before it says why on the same stream. */
function untilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const timer = setTimeout(() => fail(`was not ready after ${readyTimeoutMs} ms`), readyTimeoutMs);
    const fail = (what: string, cause?: unknown): void => {
      clearTimeout(timer);
      reject(new Error(`redis-server ${what}. Is Debian's package redis-server installed?\n${said}`, { cause }));
    };
    child.once("error", (error) => fail(`cannot be started: ${error.message}`, error));
    child.once("exit", (code) => fail(`ended with code ${code}`));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        // What comes later is read too, so that the server never waits for a full pipe, and forgotten.
        if (said.length < 100_000) said += text;
        if (!/ready to accept/i.test(said)) return;
        clearTimeout(timer);
        resolve();
      });
    }
  });
}

async function findFreePorts(): Promise<[port: number, busPort: number]> {
  const servers = [createServer(), createServer()];
  const ports = servers.map(async (server) => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("A listening server has no port.");
    return address.port;
  });
  const [port = 0, busPort = 0] = await Promise.all(ports);
  for (const server of servers) {
    server.close();
    await once(server, "close");
  }
  return [port, busPort];
}

/** Sends one command on a connection of its own; gives the answer as it stands on the wire. */
async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let answer = "";
  socket.on("data", (text: string) => {
    answer += text;
  });
  socket.setTimeout(readyTimeoutMs, () => socket.destroy(new Error(`redis-server did not answer "${command}".`)));
  const closed = once(socket, "close");
  // The server closes behind its answer, which is the end to read to.
  socket.write(`${command}\r\nQUIT\r\n`);
  await closed;
  if (answer.startsWith("-")) throw new Error(`redis-server refused "${command}": ${answer.trim()}`);
  return answer;
}

async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + readyTimeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`After ${readyTimeoutMs} ms it is not so that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

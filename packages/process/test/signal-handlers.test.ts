import { type ChildProcess, spawn } from "node:child_process";
import { scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { closeOnSignals } from "../src/index.ts";
import { isAlive, scratchFolder, until } from "./setup.ts";

interface Host extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Process ids of its CLIs. */
  readonly pids: readonly number[];
  /** What it printed behind those. */
  readonly printed: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/** A host of its own with two CLIs that answer the end of their input, or with stubborn ones. */
async function startHost(code: string, options: { readonly stubborn?: boolean } = {}): Promise<Host> {
  const stack = new AsyncDisposableStackLike();
  const folder = stack.use(scratchFolder());
  const cli = await scriptedCliExecutable({
    steps: [
      ...(options.stubborn ? [{ do: "trap" as const, signals: ["SIGTERM"] }] : []),
      { do: "write", frame: { type: "system" } },
      ...(options.stubborn ? [{ do: "hang" as const }] : [{ do: "readEnd" as const }]),
    ],
  });
  stack.use(cli);
  const source = folder.write(
    "host.mts",
    `import { buildLaunch, closeOnSignals, startClaude } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)};
     const launch = buildLaunch({ pathToClaudeCodeExecutable: ${JSON.stringify(cli.path)}, env: {} });
     const all = [startClaude(launch), startClaude(launch)];
     for (const claude of all) await claude.frames[Symbol.asyncIterator]().next();
     ${code}
     setInterval(() => {}, 1000);
     process.stdout.write(all.map((claude) => claude.pid).join(" ") + "\\n");`,
  );
  const child = spawn(process.execPath, ["--import", "tsx", "-C", "@reins/source", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  stack.use({ [Symbol.dispose]: () => void child.kill("SIGKILL") });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  const ended: Host["ended"] = new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  await until("the host runs", () => output.includes("\n") || child.exitCode !== null);
  const pids = (output.split("\n")[0] ?? "").split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  return {
    child,
    pids,
    ended,
    printed: () => output.slice(output.indexOf("\n") + 1),
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

/** Disposes in reverse order. */
class AsyncDisposableStackLike implements AsyncDisposable {
  readonly #all: (Disposable | AsyncDisposable)[] = [];

  use<T extends Disposable | AsyncDisposable>(value: T): T {
    this.#all.push(value);
    return value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const value of this.#all.reverse()) {
      if (Symbol.asyncDispose in value) await value[Symbol.asyncDispose]();
      else value[Symbol.dispose]();
    }
  }
}

describe("closeOnSignals", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "closes everything at %s, and raises it again",
    async (signal) => {
      await using host = await startHost("closeOnSignals();");
      host.child.kill(signal);
      expect(await host.ended).toEqual({ code: null, signal });
      expect(host.pids.map(isAlive)).toEqual([false, false]);
    },
  );

  test("kills at the second signal what did not end", async () => {
    await using host = await startHost("closeOnSignals();", { stubborn: true });
    const before = performance.now();
    host.child.kill("SIGTERM");
    host.child.kill("SIGINT");
    expect((await host.ended).code).toBeNull();
    // Without the second one it would take both graces, 7 s.
    expect(performance.now() - before).toBeLessThan(6_000);
    await until("the CLIs are gone", () => !host.pids.some(isAlive));
  });

  test("leaves the end to other listeners, which are called once", async () => {
    await using host = await startHost(
      `closeOnSignals();
       process.once("SIGTERM", () => {
         process.stdout.write("own ");
         setTimeout(() => process.exit(7), 500);
       });`,
    );
    host.child.kill("SIGTERM");
    expect(await host.ended).toEqual({ code: 7, signal: null });
    expect(host.printed()).toBe("own ");
    expect(host.pids.map(isAlive)).toEqual([false, false]);
  });

  test("taken back, it leaves the host as it was", async () => {
    await using host = await startHost("closeOnSignals()();");
    host.child.kill("SIGTERM");
    expect(await host.ended).toEqual({ code: null, signal: "SIGTERM" });
    // Nobody closed them; they saw the end of their input.
    await until("the CLIs are gone", () => !host.pids.some(isAlive));
  });
});

test("its listeners are gone when it is taken back", async () => {
  await using _leaks = startLeakCheck();
  const user = (): void => {};
  process.on("SIGHUP", user);
  const release = closeOnSignals(["SIGHUP", "SIGUSR2", "SIGHUP"]);
  expect(process.listenerCount("SIGHUP")).toBe(2);
  expect(process.listenerCount("SIGUSR2")).toBe(1);
  release();
  release();
  expect(process.listeners("SIGHUP")).toContain(user);
  process.off("SIGHUP", user);
});

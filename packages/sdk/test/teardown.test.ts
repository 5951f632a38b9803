import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import { type CliStep, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { AbortError, Client, type Options, query, startup } from "../src/index.ts";

// Sessions leave nothing in this process, however many there were and however they ended.

const session_id = "11111111-1111-4111-8111-111111111111";
const steps: readonly CliStep[] = [
  { do: "init" },
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
  { do: "write", frame: { type: "result", subtype: "success", is_error: false, session_id, result: "done" } },
  { do: "readEnd" },
];

/** Every way in which a host uses a session and leaves it. */
const ways: readonly ((options: Options) => Promise<void>)[] = [
  async (options) => {
    for await (const _ of query({ prompt: "go", options }));
  },
  async (options) => {
    for await (const _ of query({ prompt: "go", options })) break;
  },
  async (options) => {
    await query({ prompt: "go", options }).close();
  },
  async (options) => {
    await using client = new Client(options);
    await client.ask("go");
  },
  async (options) => {
    await using warm = await startup({ options });
    warm.query("go");
  },
  async (options) => {
    const abortController = new AbortController();
    const session = query({ prompt: "go", options: { ...options, abortController } });
    await session.next();
    abortController.abort();
    await expect(session.next()).rejects.toBeInstanceOf(AbortError);
    await session.close();
  },
  async (options) => {
    const session = query({ prompt: "go", options: { ...options, pathToClaudeCodeExecutable: "/no/such/claude" } });
    await expect(session.next()).rejects.toMatchObject({ name: "CliNotFoundError" });
  },
];

test("200 sessions in a loop leave no descriptor, listener, timer or child", { timeout: 240_000 }, async () => {
  await using leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps });
  const shared = new AbortController();
  const options: Options = {
    pathToClaudeCodeExecutable: cli.path,
    abortController: shared,
    idleTimeoutMs: 60_000,
    hooks: { Stop: [{ hooks: [async () => ({})] }] },
    endGraceMs: 5_000,
  };
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const descriptors: number[] = [];
  // Some at once, as in a server; the machine has few cores.
  for (let count = 0; count < 200; count += 8) {
    const batch = Array.from({ length: 8 }, (_, i) => ways[(count + i) % ways.length]?.(options));
    await Promise.all(batch);
    descriptors.push(readdirSync("/proc/self/fd").length);
  }
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
  expect(getEventListeners(shared.signal, "abort")).toEqual([]);
  // They do not grow on the way, either.
  expect(Math.max(...descriptors) - Math.min(...descriptors)).toBeLessThan(10);
  await cli.close();
  await leaks.assertClean();
});

test("listeners on a signal of the user go with the session, also when it never started", async () => {
  const controller = new AbortController();
  await using _leaks = startLeakCheck({ watch: [controller.signal] });
  await using cli = await scriptedCliExecutable({ steps });
  const user = (): void => {};
  controller.signal.addEventListener("abort", user);
  const options: Options = { pathToClaudeCodeExecutable: cli.path, abortController: controller };
  for await (const _ of query({ prompt: "go", options }));
  for (const wrong of [{ pathToClaudeCodeExecutable: "/no/such/claude" }, { cwd: "/no/such/folder" }])
    await expect(query({ prompt: "go", options: { ...options, ...wrong } }).next()).rejects.toThrow();
  // Hooks of the wrong shape, on purpose.
  const hooks = { Stop: "none" } as never;
  expect(() => query({ prompt: "go", options: { ...options, hooks } })).toThrow(TypeError);
  expect(getEventListeners(controller.signal, "abort")).toEqual([user]);
  controller.signal.removeEventListener("abort", user);
});

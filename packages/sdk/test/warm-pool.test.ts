import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type CliStep, type ScriptedCliExecutable, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import {
  Client,
  createWarmPool,
  OptionError,
  type Options,
  SessionClosedError,
  type WarmPool,
  type WarmPoolOptions,
} from "../src/index.ts";

const session_id = "11111111-1111-4111-8111-111111111111";
const answering: readonly CliStep[] = [
  { do: "init" },
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
  { do: "write", frame: { type: "result", subtype: "success", is_error: false, session_id, result: "done" } },
  { do: "readEnd" },
];

function poolOf(cli: ScriptedCliExecutable, size: number, more: Partial<WarmPoolOptions> = {}): WarmPool {
  return createWarmPool({
    size,
    ...more,
    options: { pathToClaudeCodeExecutable: cli.path, endGraceMs: 300, killGraceMs: 300, ...more.options },
  });
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within 20 s: ${what}`);
    await delay(10);
  }
}

async function typesOf(messages: AsyncIterable<{ readonly type: string }>): Promise<string[]> {
  const types: string[] = [];
  for await (const message of messages) types.push(message.type);
  return types;
}

/** Processes that were started, and those of them that have ended. */
async function counts(cli: ScriptedCliExecutable): Promise<{ started: number; ended: number }> {
  const logs = await cli.logs();
  return { started: logs.length, ended: logs.filter((log) => log.exit !== undefined).length };
}

test("has as many sessions ready as it is big, and starts another for each that is taken", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  await using cli = await scriptedCliExecutable({ steps: answering });
  await using pool = poolOf(cli, 2);
  await until("two are ready", () => pool.ready === 2);
  const warm = await pool.take();
  expect(pool.ready).toBe(1);
  expect(await typesOf(warm.query("go"))).toEqual(["system", "result"]);
  await until("there are two again", () => pool.ready === 2);
  await using client = new Client(await pool.take());
  await client.query("go");
  expect(await typesOf(client.receiveResponse())).toEqual(["system", "result"]);
  await until("there are two again", () => pool.ready === 2);
  expect(await counts(cli)).toEqual({ started: 4, ended: 1 });
});

test("those who wait are served in turn, and no more are started than there may be", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  await using cli = await scriptedCliExecutable({ steps: answering });
  await using pool = poolOf(cli, 1);
  const order: number[] = [];
  const takers = [1, 2, 3].map(async (number) => {
    const warm = await pool.take();
    order.push(number);
    expect(pool.ready).toBe(0);
    await warm.close();
  });
  await Promise.all(takers);
  expect(order).toEqual([1, 2, 3]);
  await until("one is ready", () => pool.ready === 1);
  expect((await counts(cli)).started).toBe(4);
});

test("close stops what nobody has taken, also what is being started, and refuses those who wait", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  await using cli = await scriptedCliExecutable({ steps: answering });
  const pool = poolOf(cli, 2);
  await using taken = await pool.take();
  await until("two are ready", () => pool.ready === 2);
  await pool.close();
  await pool.close();
  expect(pool.ready).toBe(0);
  expect(await counts(cli)).toEqual({ started: 3, ended: 2 });
  expect(await typesOf(taken.query("go"))).toEqual(["system", "result"]);
  await expect(pool.take()).rejects.toBeInstanceOf(SessionClosedError);

  await using slow = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
  const starting = poolOf(slow, 2);
  const waiting = starting.take();
  const refused = expect(waiting).rejects.toBeInstanceOf(SessionClosedError);
  await until("both run", async () => (await counts(slow)).started === 2);
  await starting.close();
  await refused;
  expect(await counts(slow)).toEqual({ started: 2, ended: 2 });
});

test("one that dies while it waits is replaced, and its reason is told", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  await using cli = await scriptedCliExecutable({ steps: answering });
  const errors: unknown[] = [];
  await using pool = poolOf(cli, 1, {
    onError: (error) => {
      errors.push(error);
      throw new Error("of a log");
    },
  });
  await until("one is ready", () => pool.ready === 1);
  process.kill((await cli.log()).pid, "SIGKILL");
  await until("its end was seen", () => errors.length === 1);
  expect(errors).toMatchObject([{ name: "ProcessError", signal: "SIGKILL" }]);
  await until("another is ready", () => pool.ready === 1);
  expect(await typesOf((await pool.take()).query("go"))).toEqual(["system", "result"]);
});

test("a start that fails is told to the one who waits, is tried again more and more seldom, and at once for who asks", async () => {
  await using _leaks = startLeakCheck({ timeoutMs: 5_000 });
  await using cli = await scriptedCliExecutable({ steps: answering });
  // Fails for as long as the file says so.
  const path = join(cli.path, "..", "failing");
  const state = join(cli.path, "..", "state");
  await writeFile(state, "bad");
  await writeFile(
    path,
    `#!/bin/sh\n[ "$(cat ${state})" = good ] && exec ${cli.path} "$@"\necho no >> ${state}.count\nexit 3\n`,
    {
      mode: 0o755,
    },
  );
  const tries = async (): Promise<number> =>
    (await readFile(`${state}.count`, "utf8").catch(() => "")).split("\n").length - 1;
  await using pool = poolOf(cli, 1, { options: { pathToClaudeCodeExecutable: path } });
  await expect(pool.take()).rejects.toMatchObject({ name: "ProcessError", exitCode: 3 });
  // One more at once, the next ones a second and two seconds later.
  const begin = performance.now();
  await until("the fourth try", async () => (await tries()) === 4);
  expect(performance.now() - begin).toBeGreaterThan(2_800);
  await writeFile(state, "good");
  const before = performance.now();
  expect(await typesOf((await pool.take()).query("go"))).toEqual(["system", "result"]);
  // The pool's own next try would be four seconds later.
  expect(performance.now() - before).toBeLessThan(4_000);
  await until("it is filled again", () => pool.ready === 1);
});

test("what cannot be shared, or cannot work, is refused at the call", () => {
  const wrong: Options[] = [
    { sessionId: session_id },
    { resume: session_id },
    { continue: true },
    { abortController: new AbortController() },
    { maxBudgetUsd: 0 },
  ];
  for (const options of wrong) expect(() => createWarmPool({ size: 1, options })).toThrow(OptionError);
  for (const size of [0, 1.5, Number.NaN]) expect(() => createWarmPool({ size })).toThrow("size");
});

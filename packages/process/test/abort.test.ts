import { getEventListeners } from "node:events";
import { AbortError } from "@reins/streamjson";
import { scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { startClaude } from "../src/index.ts";
import { allFrames, isAlive, launchOf } from "./setup.ts";

test("an abort ends the process like close, and is the error of its end", async () => {
  const controller = new AbortController();
  await using _leaks = startLeakCheck({ watch: [controller.signal] });
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "write", frame: { type: "system" } }, { do: "readEnd" }, { do: "exit", code: 0 }],
  });
  const claude = startClaude(launchOf(cli.path), { signal: controller.signal });
  const iterator = claude.frames[Symbol.asyncIterator]();
  await iterator.next();
  const reason = new Error("enough");
  const next = iterator.next();
  controller.abort(reason);
  expect(await next).toEqual({ done: true, value: undefined });
  const { code, error } = await claude.closed;
  expect(code).toBe(0);
  expect(error).toBeInstanceOf(AbortError);
  expect(error).toMatchObject({ name: "AbortError", cause: reason });
  // Closed as well, it stays aborted.
  await claude.close();
  expect((await claude.closed).error).toBe(error);
});

test("an abort of a CLI that ignores everything ends it by force", async () => {
  const controller = new AbortController();
  await using _leaks = startLeakCheck({ watch: [controller.signal] });
  await using cli = await scriptedCliExecutable({
    steps: [{ do: "trap", signals: ["SIGTERM"] }, { do: "write", frame: { type: "system" } }, { do: "hang" }],
  });
  const claude = startClaude(launchOf(cli.path), { signal: controller.signal, endGraceMs: 50, killGraceMs: 50 });
  for await (const _ of claude.frames) controller.abort();
  const exit = await claude.closed;
  expect(exit).toMatchObject({ signal: "SIGKILL", error: { name: "AbortError" } });
  expect(isAlive(claude.pid ?? 0)).toBe(false);
});

test("an abort after close changes nothing", async () => {
  const controller = new AbortController();
  await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
  const claude = startClaude(launchOf(cli.path), { signal: controller.signal });
  const closed = claude.close();
  controller.abort();
  await closed;
  expect((await claude.closed).error).toBeUndefined();
});

test("a signal that many starts share has one listener, and none when they have ended or failed to start", async () => {
  const { signal } = new AbortController();
  await using _leaks = startLeakCheck({ watch: [signal] });
  await using cli = await scriptedCliExecutable({ steps: [{ do: "exit", code: 0 }] });
  const exitListeners = process.listenerCount("exit");
  const running = Array.from({ length: 30 }, () => startClaude(launchOf(cli.path), { signal }));
  const failing = Array.from({ length: 5 }, () => startClaude(launchOf("/nowhere/claude"), { signal }));
  // One for all: with more than ten, Node.js would print a warning.
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await Promise.all([...running, ...failing].map(allFrames));
  await Promise.all([...running, ...failing].map(({ closed }) => closed));
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(process.listenerCount("exit")).toBe(exitListeners);
});

test("an abort reaches every start that shares the signal", async () => {
  const controller = new AbortController();
  await using _leaks = startLeakCheck({ watch: [controller.signal] });
  await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }, { do: "exit", code: 0 }] });
  const all = [1, 2, 3].map(() => startClaude(launchOf(cli.path), { signal: controller.signal }));
  await all[0]?.close();
  controller.abort();
  const errors = (await Promise.all(all.map(({ closed }) => closed))).map(({ error }) => error?.name);
  expect(errors).toEqual([undefined, "AbortError", "AbortError"]);
});

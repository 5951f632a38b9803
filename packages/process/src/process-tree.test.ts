import { expect, test } from "vitest";
import { killTree, type ProcessEntry } from "./process-tree.ts";

test("stops and kills all descendants, also those that are started meanwhile, and nobody else", () => {
  const processes: ProcessEntry[] = [
    { pid: 1, parent: 0 },
    { pid: 10, parent: 1 },
    { pid: 11, parent: 10 },
    { pid: 12, parent: 11 },
    { pid: 20, parent: 1 },
  ];
  const signals: string[] = [];
  const send = (pid: number, signal: string): void => {
    signals.push(`${signal} ${pid}`);
    // What the process does in the moment before it is stopped.
    if (pid === 12 && signal === "SIGSTOP") processes.push({ pid: 13, parent: 12 });
  };
  killTree(10, () => processes, send);
  expect(signals.filter((signal) => signal.startsWith("SIGSTOP"))).toEqual(
    [10, 11, 12, 13].map((pid) => `SIGSTOP ${pid}`),
  );
  expect(signals.filter((signal) => signal.startsWith("SIGKILL"))).toEqual(
    [10, 11, 12, 13].map((pid) => `SIGKILL ${pid}`),
  );
  expect(signals.findIndex((signal) => signal.startsWith("SIGKILL"))).toBe(4);
});

test("kills the process alone when the others cannot be listed", () => {
  const signals: string[] = [];
  killTree(
    10,
    () => [],
    (pid, signal) => signals.push(`${signal} ${pid}`),
  );
  expect(signals).toEqual(["SIGSTOP 10", "SIGKILL 10"]);
});

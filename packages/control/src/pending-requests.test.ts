import { afterEach, expect, test, vi } from "vitest";
import { ControlTimeoutError } from "./errors.ts";
import { PendingRequests } from "./pending-requests.ts";

afterEach(() => {
  vi.useRealTimers();
});

function pending(): { requests: PendingRequests; givenUp: string[] } {
  const givenUp: string[] = [];
  return { requests: new PendingRequests((id) => givenUp.push(id)), givenUp };
}

test("settles each request once, by its id, in any order", async () => {
  const { requests } = pending();
  const answers = ["", "0", "b"].map((id) => requests.open(id, "mcp_status", {}));
  expect(requests.settle("b", { response: { n: 3 } })).toBe(true);
  expect(requests.settle("", { response: { n: 1 } })).toBe(true);
  expect(requests.settle("0", { response: { n: 2 } })).toBe(true);
  expect(requests.settle("b", { response: { n: 4 } })).toBe(false);
  expect(requests.settle("never", { response: {} })).toBe(false);
  expect(await Promise.all(answers)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("knows what waits, by id and by subtype, until it is settled", async () => {
  const { requests } = pending();
  const answers = [requests.open("a", "mcp_status", {}), requests.open("b", "set_model", {})];
  expect([requests.subtypeOf("a"), requests.subtypeOf("b"), requests.subtypeOf("c")]).toEqual([
    "mcp_status",
    "set_model",
    undefined,
  ]);
  expect(["set_model", "initialize"].map((subtype) => requests.hasSubtype(subtype))).toEqual([true, false]);
  requests.settle("b", { response: {} });
  expect([requests.hasSubtype("set_model"), requests.subtypeOf("b"), requests.size]).toEqual([false, undefined, 1]);
  requests.settle("a", { response: {} });
  await Promise.all(answers);
});

test("gives up at the deadline, and says so", async () => {
  vi.useFakeTimers();
  const { requests, givenUp } = pending();
  const answer = requests.open("a", "set_model", { timeoutMs: 100 });
  vi.advanceTimersByTime(100);
  await expect(answer).rejects.toBeInstanceOf(ControlTimeoutError);
  expect([givenUp, requests.size, vi.getTimerCount()]).toEqual([["a"], 0, 0]);
});

test("gives up with the reason of the signal, and leaves no listener and no timer", async () => {
  vi.useFakeTimers();
  const { requests, givenUp } = pending();
  const controller = new AbortController();
  const reason = new Error("enough");
  const answer = requests.open("a", "set_model", { timeoutMs: 100, signal: controller.signal });
  controller.abort(reason);
  await expect(answer).rejects.toBe(reason);
  expect([givenUp, vi.getTimerCount()]).toEqual([["a"], 0]);
});

test("waits for ever without a deadline, and with one that is longer than a timer can count", async () => {
  vi.useFakeTimers();
  const { requests } = pending();
  const answers = [undefined, Infinity, 2 ** 31].map((timeoutMs, i) =>
    requests.open(`${i}`, "mcp_call", { timeoutMs }),
  );
  expect(vi.getTimerCount()).toBe(0);
  const last = requests.open("last", "mcp_call", { timeoutMs: 2 ** 31 - 1 });
  expect(vi.getTimerCount()).toBe(1);
  for (const id of ["0", "1", "2", "last"]) requests.settle(id, { response: {} });
  await Promise.all([...answers, last]);
});

test("an answer takes away the deadline", async () => {
  vi.useFakeTimers();
  const { requests, givenUp } = pending();
  const answer = requests.open("a", "set_model", { timeoutMs: 100 });
  requests.settle("a", { response: {} });
  vi.advanceTimersByTime(1000);
  expect([await answer, givenUp]).toEqual([{}, []]);
});

test("rejects everything with one error", async () => {
  const { requests } = pending();
  const answers = [requests.open("a", "x", {}), requests.open("b", "y", {})];
  const error = new Error("gone");
  requests.settleAll(error);
  expect(await Promise.allSettled(answers)).toEqual([
    { status: "rejected", reason: error },
    { status: "rejected", reason: error },
  ]);
});

test("many requests on one signal share one listener, which goes with the last of them", async () => {
  const { requests, givenUp } = pending();
  const controller = new AbortController();
  const { signal } = controller;
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...parameters: Parameters<AbortSignal["addEventListener"]>) => {
    if (parameters[0] === "abort") listeners++;
    addEventListener.apply(signal, parameters);
  };
  signal.removeEventListener = (...parameters: Parameters<AbortSignal["removeEventListener"]>) => {
    if (parameters[0] === "abort") listeners--;
    removeEventListener.apply(signal, parameters);
  };
  const answers = Array.from({ length: 20 }, (_, i) => requests.open(`${i}`, "x", { signal }));
  expect(listeners).toBe(1);
  for (let i = 0; i < 19; i++) requests.settle(`${i}`, { response: {} });
  expect(listeners).toBe(1);
  const last = expect(answers[19]).rejects.toBe("enough");
  controller.abort("enough");
  await last;
  expect([listeners, givenUp]).toEqual([0, ["19"]]);
});

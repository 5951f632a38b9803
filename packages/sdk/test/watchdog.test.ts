import type { FrameValue } from "@reins/streamjson";
import { type CliEnd, transportPair } from "@reins/testkit";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { OptionError, type Options, query, type StreamStalledError, type UserPrompt } from "../src/index.ts";

// The deadline for a turn that brings nothing. The clock is a fake one, the wire is in memory.

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

interface Setup {
  readonly cli: CliEnd;
  /** Lets time pass, and everything happen that is due then. */
  readonly pass: (ms: number) => Promise<void>;
  readonly send: (...frames: FrameValue[]) => Promise<void>;
  /** How reading ended so far: `undefined` while it goes on, an error, or "end". */
  readonly outcome: () => unknown;
  readonly session: ReturnType<typeof query>;
  readonly types: string[];
}

const idleTimeoutMs = 60_000;

async function setUp(options: Options = {}, read = true, prompts?: AsyncIterable<UserPrompt>): Promise<Setup> {
  const { host, cli } = transportPair();
  const session = query({ prompt: prompts ?? "go", options: { idleTimeoutMs, transport: host, ...options } });
  const types: string[] = [];
  let outcome: unknown;
  const reading = async (): Promise<void> => {
    try {
      for await (const message of session) types.push(message.type);
      outcome = "end";
    } catch (error) {
      outcome = error;
    }
  };
  if (read) void reading();
  onTestFinished(async () => {
    vi.useRealTimers();
    await session.close();
  });
  const send = async (...frames: FrameValue[]): Promise<void> => {
    for (const frame of frames) await cli.send(frame);
    await vi.advanceTimersByTimeAsync(1);
  };
  const initialize = await cli.read();
  await send({
    type: "control_response",
    response: { subtype: "success", request_id: initialize?.value["request_id"], response: {} },
  });
  return {
    cli,
    send,
    session,
    types,
    outcome: () => outcome,
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
  };
}

const init = { type: "system", subtype: "init", session_id: "s", tools: [] };
const result = { type: "result", subtype: "success", is_error: false, result: "done" };
const state = (name: string): FrameValue => ({
  type: "system",
  subtype: "session_state_changed",
  state: name,
  sdk_host_only: true,
});

test("a turn that brings nothing for so long ends the session, and says what came last and when", async () => {
  const { send, pass, outcome, types } = await setUp();
  await send(init, { type: "assistant", message: { content: [] } });
  await pass(idleTimeoutMs - 1_000);
  expect(outcome()).toBeUndefined();
  await pass(1_000);
  expect(outcome()).toMatchObject({
    name: "StreamStalledError",
    code: "REINS_STREAM_STALLED",
    idleTimeoutMs,
    lastFrameType: "assistant",
  });
  expect((outcome() as StreamStalledError).lastFrameAgeMs).toBeGreaterThanOrEqual(idleTimeoutMs - 1);
  expect((outcome() as StreamStalledError).message).toContain("the last one was assistant");
  expect(types).toEqual(["system", "assistant"]);
});

test("without the option nothing is watched", async () => {
  const { send, pass, outcome } = await setUp({ idleTimeoutMs: undefined });
  await send(init);
  await pass(86_400_000);
  expect(outcome()).toBeUndefined();
});

test("each frame is a sign of life, keep_alive and what the host does not see among them", async () => {
  const { send, pass, outcome } = await setUp();
  await send(init);
  for (const frame of [{ type: "keep_alive" }, state("running"), { type: "stream_event" }, { type: "keep_alive" }]) {
    await pass(idleTimeoutMs - 1_000);
    await send(frame);
  }
  expect(outcome()).toBeUndefined();
  await pass(idleTimeoutMs);
  expect(outcome()).toMatchObject({ lastFrameType: "keep_alive" });
});

test("a question to the host stops the clock until it is answered", async () => {
  let allow = (): void => {};
  const { send, pass, outcome } = await setUp({
    canUseTool: () =>
      new Promise((resolve) => {
        allow = () => resolve({ behavior: "allow" });
      }),
  });
  await send(init, state("running"), state("requires_action"), {
    type: "control_request",
    request_id: "q",
    request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" },
  });
  await pass(10 * idleTimeoutMs);
  expect(outcome()).toBeUndefined();
  allow();
  await pass(idleTimeoutMs - 1_000);
  expect(outcome()).toBeUndefined();
  // It did not even say that it runs again.
  await pass(2_000);
  expect(outcome()).toMatchObject({ name: "StreamStalledError", lastFrameType: "control_request" });
});

test("a question that the CLI withdraws does not stop the clock any more", async () => {
  const { send, pass, outcome } = await setUp({ canUseTool: () => new Promise(() => {}) });
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
  await send(init, state("running"), { type: "control_request", request_id: "q", request });
  await pass(idleTimeoutMs * 2);
  await send({ type: "control_cancel_request", request_id: "q" });
  await pass(idleTimeoutMs - 1_000);
  expect(outcome()).toBeUndefined();
  await pass(1_000);
  expect(outcome()).toMatchObject({ lastFrameType: "control_cancel_request" });
});

test("no turn, no deadline: before the first prompt, between two, and behind the last", async () => {
  let next = (_: IteratorResult<UserPrompt>): void => {};
  const prompts: AsyncIterable<UserPrompt> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve) => {
          next = resolve;
        }),
    }),
  };
  const prompt: UserPrompt = { type: "user", message: { role: "user", content: "go" } };
  const { cli, send, pass, outcome } = await setUp({}, true, prompts);
  await pass(2 * idleTimeoutMs);
  for (const end of [[result], [state("running"), result, state("idle")], [result]]) {
    next({ done: false, value: prompt });
    await cli.read();
    await send(init, ...end);
    await pass(2 * idleTimeoutMs);
    expect(outcome()).toBeUndefined();
  }
  next({ done: false, value: prompt });
  await pass(idleTimeoutMs + 1_000);
  expect(outcome()).toMatchObject({ lastFrameType: "result" });
});

test("a result in the middle of the run is not its end", async () => {
  const { send, pass, outcome } = await setUp();
  await send(init, state("running"), result);
  await pass(idleTimeoutMs);
  expect(outcome()).toMatchObject({ lastFrameType: "result" });
});

test("a reader that lets messages wait is not a stalled stream", async () => {
  const { cli, send, pass, session } = await setUp({}, false);
  // More than is read ahead: the rest waits in the wire.
  const big = { type: "stream_event", text: "x".repeat(9_000_000) };
  await send(init);
  for (let count = 0; count < 3; count++) void cli.send(big);
  await pass(20 * idleTimeoutMs);
  const seen: string[] = [];
  for (let count = 0; count < 4; count++) seen.push((await session.next()).value?.type ?? "none");
  expect(seen).toEqual(["system", "stream_event", "stream_event", "stream_event"]);
  const end = session.next();
  const failure = expect(end).rejects.toMatchObject({ name: "StreamStalledError", lastFrameType: "stream_event" });
  await pass(idleTimeoutMs + 1_000);
  await failure;
});

test("a session that ended leaves no timer", async () => {
  const { cli, send, pass, outcome } = await setUp();
  await send(init);
  await cli.exit();
  await pass(10);
  expect(outcome()).toMatchObject({ name: "NoResultError" });
  expect(vi.getTimerCount()).toBe(0);
});

test("the start of the CLI does not count: it has a deadline of its own", async () => {
  const { host } = transportPair();
  const session = query({
    prompt: "go",
    options: { idleTimeoutMs: 1_000, initializeTimeoutMs: 30_000, transport: host },
  });
  const failure = expect(session.next()).rejects.toMatchObject({ name: "ControlTimeoutError" });
  await vi.advanceTimersByTimeAsync(30_000);
  await failure;
  vi.useRealTimers();
  await session.close();
});

test("a deadline that is none is refused", () => {
  for (const wrong of [0, -1, Number.NaN])
    expect(() => query({ prompt: "go", options: { idleTimeoutMs: wrong } })).toThrow(OptionError);
});

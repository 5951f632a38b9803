import { apiError, createGate, type ModelScript, text, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { EventsLostError, type RuntimeEvent, TurnFailedError, TurnRefusedError } from "../src/index.ts";
import { setUp } from "./fixtures/set-up.ts";

const bash: ModelScript = ({ toolResults: [result] }) =>
  result ? text(`It said ${result.text}.`) : toolUse("Bash", { command: "echo ran", description: "Echo" });
const mayBash = { tools: ["Bash"], allowedTools: ["Bash"] };

test("a message gives its whole turn", async () => {
  await using setup = await setUp(bash, mayBash);
  const turn = await setup.agent.session().submitMessage("Run it.");
  expect(turn).toMatchObject({
    turnNumber: 1,
    text: "It said ran.",
    toolCalls: [{ name: "Bash", input: { command: "echo ran" }, result: "ran", resultText: "ran", isError: false }],
    stopReason: "end_turn",
    terminalReason: "completed",
  });
  expect(turn.costUsd).toBeGreaterThan(0);
  expect(turn.usage?.["output_tokens"]).toBeGreaterThan(0);
  expect(setup.types()).toEqual([
    "turn.started",
    "turn.stage",
    ...["tool.progress", "tool.progress", "tool.progress"],
    "turn.completed",
  ]);
  expect(setup.of("tool.progress").map(({ data }) => data.stage)).toEqual(["requested", "checking", "completed"]);
  expect(new Set(setup.events.map(({ turnId }) => turnId))).toEqual(new Set([turn.turnId]));
  expect(setup.events.every(({ time, sessionId }) => time > 0 && sessionId !== "")).toBe(true);
});

test("messages that are submitted together have a turn each, in order, and the cost of each is its own", async () => {
  await using setup = await setUp(({ userText }) => text(`About ${userText}`));
  const session = setup.agent.session();
  const turns = await Promise.all(["one", "two", "three"].map((message) => session.submitMessage(message)));
  expect(turns.map(({ text, turnNumber }) => [text, turnNumber])).toEqual([
    ["About one", 1],
    ["About two", 2],
    ["About three", 3],
  ]);
  expect(new Set(turns.map(({ costUsd }) => costUsd?.toFixed(6))).size).toBe(1);
  expect(setup.types().filter((type) => type !== "turn.stage")).toEqual(
    turns.flatMap(() => ["turn.started", "turn.completed"]),
  );
});

test("the id of a new session is known before it starts, and the CLI keeps it", async () => {
  await using setup = await setUp([text("Hello.")]);
  const session = setup.agent.session();
  const id = session.sessionId;
  const { result } = await session.submitMessage("Hello");
  expect(result?.["session_id"]).toBe(id);
  expect(session.sessionId).toBe(id);
});

test("the callbacks of a session win over those of the agent, and each can be set later", async () => {
  await using setup = await setUp(({ userText }) => text(userText));
  const said: string[] = [];
  const say =
    (who: string) =>
    ({ delta }: { readonly delta?: string }): void => {
      if (delta) said.push(`${who}: ${delta}`);
    };
  setup.agent.callbacks.onResponseChunk = say("agent");
  const own = setup.agent.session({ onResponseChunk: say("session") });
  const plain = setup.agent.session();
  await own.submitMessage("one");
  await plain.submitMessage("two");
  own.callbacks.onResponseChunk = undefined;
  await own.submitMessage("three");
  expect(said).toEqual(["session: one", "agent: two", "agent: three"]);
});

test("callbacks that throw, reject or never settle delay nothing, and what they throw is told", async () => {
  await using setup = await setUp(bash, mayBash);
  const session = setup.agent.session({
    onResponseChunk: () => Promise.reject(new Error("rejected")),
    onToolProgress: () => {
      throw new Error("thrown");
    },
    onRuntimeEvent: () => new Promise(() => {}),
  });
  expect((await session.submitMessage("Run it.")).text).toBe("It said ran.");
  expect(new Set(setup.errors.map(({ where, error }) => `${where}: ${(error as Error).message}`))).toEqual(
    new Set(["onResponseChunk: rejected", "onToolProgress: thrown"]),
  );
});

test("the iterable of a session has everything that its callbacks get, and ends with the session", async () => {
  await using setup = await setUp(bash, mayBash);
  const session = setup.agent.session();
  const events = session.events();
  const seen: RuntimeEvent[] = [];
  const reading = (async () => {
    for await (const event of events) seen.push(event);
  })();
  await session.submitMessage("Run it.");
  await session.close();
  await reading;
  expect(seen).toEqual(setup.events);
  expect(await session.events().next()).toEqual({ done: true, value: undefined });
});

test("a reader of events that stands still holds up nothing, and is told what it has lost", async () => {
  await using setup = await setUp([text("One.", "Two.", "Three.")]);
  const session = setup.agent.session({ maxQueuedEvents: 2 });
  const events = session.events();
  expect((await session.submitMessage("Count.")).text).toBe("One.Two.Three.");
  expect((await events.next()).value?.type).toBe("turn.started");
  expect((await events.next()).value?.type).toBe("turn.stage");
  await expect(events.next()).rejects.toThrow(EventsLostError);
  expect((await events.next()).done).toBe(true);
});

test("a reader who leaves gets nothing more, and the session goes on", async () => {
  await using setup = await setUp([text("One."), text("Two.")]);
  const session = setup.agent.session();
  const events = session.events();
  const first = session.submitMessage("One");
  for await (const event of events) {
    expect(event.type).toBe("turn.started");
    break;
  }
  expect(await events.next()).toEqual({ done: true, value: undefined });
  expect((await first).text).toBe("One.");
  expect((await session.submitMessage("Two")).text).toBe("Two.");
});

test("an error of the API fails the turn with what was said, and the session goes on", async () => {
  await using setup = await setUp([apiError(403, { message: "Too bad" }), text("Better.")]);
  const session = setup.agent.session();
  const failed = session.submitMessage("Try.");
  await expect(failed).rejects.toThrow(/api_error: .*Too bad/);
  await expect(failed).rejects.toBeInstanceOf(TurnFailedError);
  expect((await session.submitMessage("Again.")).text).toBe("Better.");
  expect(setup.of("response.chunk").filter(({ data }) => data.type === "error")).toHaveLength(1);
  expect(setup.of("turn.failed").map(({ data }) => [data.reason, data.interrupted])).toEqual([["api_error", false]]);
});

test("an interrupt fails the turn with what there was of it, and the session goes on", async () => {
  const gate = createGate();
  await using setup = await setUp([
    { content: text("Begun.", "More."), afterEvents: 3, hold: gate.opened },
    text("Next."),
  ]);
  const session = setup.agent.session({
    onResponseChunk: ({ delta }) => {
      if (delta === "Begun.") void session.interrupt();
    },
  });
  const error: unknown = await session.submitMessage("Talk.").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TurnFailedError);
  expect(error).toMatchObject({ reason: "aborted_streaming", interrupted: true, turn: { text: "Begun." } });
  expect((await session.submitMessage("Next.")).text).toBe("Next.");
  gate.open();
});

test("an interrupt right behind a message ends its turn, and without one it does nothing", async () => {
  const gate = createGate();
  await using setup = await setUp(({ userText }) => ({ content: text(userText), hold: gate.opened }));
  const session = setup.agent.session({
    onRuntimeEvent: ({ type }) => {
      if (type === "turn.started") void session.interrupt();
    },
  });
  await session.interrupt();
  await expect(session.submitMessage("One")).rejects.toMatchObject({ name: "TurnFailedError", interrupted: true });
  session.callbacks.onRuntimeEvent = undefined;
  await session.interrupt();
  gate.open();
  // Where the CLI had begun with the first message, it tells the model that it was interrupted.
  expect((await session.submitMessage("Two")).text).toMatch(/^(\[Request interrupted by user\]\n\n)?Two$/);
});

test("a session that was never started closes, and its events end", async () => {
  await using setup = await setUp([]);
  const session = setup.agent.session();
  const reading = session.events().next();
  await session.close();
  expect(await reading).toEqual({ done: true, value: undefined });
  expect(await session.events().next()).toEqual({ done: true, value: undefined });
  await expect(session.submitMessage("Hello")).rejects.toBeInstanceOf(TurnRefusedError);
});

test("a signal interrupts its turn, and takes back a message that waits", async () => {
  const gate = createGate();
  await using setup = await setUp([{ content: text("Never."), hold: gate.opened }, text("Next.")]);
  const session = setup.agent.session();
  const running = new AbortController();
  const waiting = new AbortController();
  const first = session.submitMessage("One", { signal: running.signal }).catch((error: unknown) => error);
  const second = session.submitMessage("Two", { signal: waiting.signal }).catch((error: unknown) => error);
  const third = session.submitMessage("Three");
  await setup.model.waitForRequest(1);
  waiting.abort(new Error("not wanted"));
  expect(await second).toMatchObject({ name: "TurnRefusedError", by: "signal", cause: { message: "not wanted" } });
  running.abort(new Error("enough"));
  expect(await first).toMatchObject({ name: "TurnFailedError", interrupted: true, cause: { message: "enough" } });
  expect((await third).text).toBe("Next.");
  gate.open();
});

test("the death of the process fails the turn that runs and refuses the ones that wait", async () => {
  const gate = createGate();
  await using setup = await setUp([{ content: text("Never."), hold: gate.opened }]);
  const session = setup.agent.session();
  const ends: unknown[] = [];
  session.registerHook("session_end", ({ data }) => void ends.push(data.reason));
  const first = session.submitMessage("One").catch((error: unknown) => error);
  const second = session.submitMessage("Two").catch((error: unknown) => error);
  await setup.model.waitForRequest(1);
  const { pid } = await session.client.initializationResult();
  process.kill(Number(pid), "SIGKILL");
  expect(await first).toMatchObject({ name: "TurnFailedError", reason: "session_ended", cause: { signal: "SIGKILL" } });
  expect(await second).toMatchObject({ name: "TurnRefusedError", by: "session" });
  expect(setup.types()).toEqual(["turn.started", "turn.stage", "turn.failed"]);
  await vi.waitFor(() => expect(ends).toEqual(["exited"]));
  gate.open();
});

test("closing in the middle of a turn fails it, and what comes later is refused", async () => {
  const gate = createGate();
  await using setup = await setUp([{ content: text("Never."), hold: gate.opened }]);
  const session = setup.agent.session();
  const first = session.submitMessage("One").catch((error: unknown) => error);
  await setup.model.waitForRequest(1);
  gate.open();
  await session.close();
  // The CLI may finish a turn whose model has answered before it exits.
  const outcome = await first;
  if (outcome instanceof Error) expect(outcome).toMatchObject({ name: "TurnFailedError" });
  expect(setup.types().filter((type) => /^turn\.(completed|failed)$/.test(type))).toHaveLength(1);
  await expect(session.submitMessage("Two")).rejects.toBeInstanceOf(TurnRefusedError);
});

test("a CLI that is not there refuses the message, and says why", async () => {
  await using setup = await setUp([], { pathToClaudeCodeExecutable: "/nowhere/claude" });
  const session = setup.agent.session();
  await expect(session.submitMessage("Hello")).rejects.toMatchObject({
    name: "TurnRefusedError",
    by: "session",
    cause: { name: "CliNotFoundError" },
  });
  expect(setup.events).toEqual([]);
});

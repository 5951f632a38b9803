import { existsSync } from "node:fs";
import { join } from "node:path";
import { apiError, createGate, text, toolUse } from "@reins/testkit";
import { describe, expect, test, vi } from "vitest";
import { type HookProgress, type HookResult, type LoopHookEvent, loopHookEvents, type Session } from "../src/index.ts";
import { agentCall, bySpeaker, makesOneFile, touch } from "./fixtures/scripts.ts";
import { type Setup, setUp } from "./fixtures/set-up.ts";

const mayBash = { tools: ["Bash"], allowedTools: ["Bash"] };

/** Registers a handler for every event, and gives what they were told. */
function record(session: Session): HookProgress[] {
  const seen: HookProgress[] = [];
  for (const event of loopHookEvents) session.registerHook(event, (progress) => void seen.push(progress));
  return seen;
}

function namesOf(seen: readonly HookProgress[]): string[] {
  return seen.map(({ event, agentToolUseId }) => (agentToolUseId === undefined ? event : `${event} of an agent`));
}

function wasMade({ sandbox }: Setup, name = "made.txt"): boolean {
  return existsSync(join(sandbox.cwd, name));
}

test("the hooks of a session with one tool call come in their order, each with its turn", async () => {
  await using setup = await setUp(makesOneFile, mayBash);
  const session = setup.agent.session();
  const seen = record(session);
  const { turnId } = await session.submitMessage("Make it.");
  await session.close();
  expect(namesOf(seen)).toEqual([
    "session_start",
    ...["turn_start", "query_start"],
    ...["iteration_start", "tool_uses_start", "pre_tool_use", "post_tool_use", "tool_uses_complete"],
    ...["iteration_continue", "iteration_complete"],
    ...["iteration_start", "iteration_stop", "iteration_complete"],
    ...["query_complete", "turn_end"],
    "session_end",
  ]);
  expect(new Set(seen.slice(1, -1).map((progress) => progress.turnId))).toEqual(new Set([turnId]));
  expect(new Set(seen.map(({ sessionId }) => sessionId))).toEqual(new Set([session.sessionId]));
  const dataOf = (event: LoopHookEvent): unknown[] =>
    seen.filter((each) => each.event === event).map(({ data }) => data);
  expect(dataOf("turn_start")).toEqual([{ origin: "user", content: "Make it." }]);
  expect(dataOf("iteration_start")).toMatchObject([
    { iteration: 1, turnNumber: 1, usage: undefined },
    { iteration: 2, turnNumber: 1, usage: { output_tokens: expect.any(Number) } },
  ]);
  expect(dataOf("tool_uses_start")).toMatchObject([{ toolUses: [{ toolName: "Bash" }] }]);
  expect(dataOf("post_tool_use")).toMatchObject([{ toolName: "Bash", success: true, durationMs: expect.any(Number) }]);
  expect(dataOf("tool_uses_complete")).toMatchObject([{ toolUses: [{ toolName: "Bash", result: expect.anything() }] }]);
  expect(dataOf("turn_end")).toMatchObject([{ outcome: "completed", turn: { turnId } }]);
  expect(dataOf("session_end")).toEqual([{ reason: "closed" }]);
  expect(setup.errors).toEqual([]);
});

test("a sub-agent is told of by its own hooks and events, with the call that started it", async () => {
  const script = bySpeaker({
    main: [agentCall(), text("Finished.")],
    subagent: [touch("made.txt"), text("The report.")],
  });
  await using setup = await setUp(script, { tools: ["Bash", "Task"], allowedTools: ["Bash"] });
  const session = setup.agent.session();
  const seen = record(session);
  const turn = await session.submitMessage("Use an agent.");
  const names = namesOf(seen);
  expect(names).toContain("subagent_start of an agent");
  expect(names).toContain("subagent_stop of an agent");
  expect(names.filter((name) => name === "iteration_start")).toHaveLength(2);
  expect(names.filter((name) => name.startsWith("tool_uses_start"))).toEqual(["tool_uses_start"]);
  const call = turn.toolCalls.find(({ name }) => name === "Agent");
  const inner = seen.filter(({ event, agentToolUseId }) => event === "pre_tool_use" && agentToolUseId !== undefined);
  expect(inner).toMatchObject([{ agentToolUseId: call?.id, data: { toolName: "Bash" } }]);
  expect(turn.toolCalls).toMatchObject([{ name: "Agent" }, { name: "Bash", agentToolUseId: call?.id }]);
  const ofAgents = setup.events.filter(({ type }) => type.startsWith("agent."));
  expect(ofAgents.map(({ type }) => type)).toEqual([
    "agent.spawn.begin",
    "agent.spawn.end",
    "agent.wait.begin",
    "agent.close.end",
    "agent.wait.end",
  ]);
  expect(new Set(setup.of("tool.progress").map(({ agentToolUseId }) => agentToolUseId))).toEqual(
    new Set([undefined, call?.id]),
  );
});

test("an error of the API is told of by on_error, and ends the loop as it ends the turn", async () => {
  await using setup = await setUp([apiError(403, { message: "No" })]);
  const session = setup.agent.session();
  const seen = record(session);
  await expect(session.submitMessage("Try.")).rejects.toThrow("api_error");
  expect(namesOf(seen).slice(-4)).toEqual(["on_error", "iteration_complete", "query_complete", "turn_end"]);
  expect(seen.find(({ event }) => event === "on_error")?.data).toMatchObject({ scope: "turn" });
  expect(seen.at(-1)?.data).toMatchObject({ outcome: "failed", reason: "api_error" });
});

describe("an automatic compaction", () => {
  const script = [
    { content: text("One."), usage: { input_tokens: 990_000 } },
    text("<summary>We talked.</summary>"),
    text("Two."),
  ];

  test("is told of by its hooks and by an event at the end of its turn", async () => {
    await using setup = await setUp(script);
    const session = setup.agent.session();
    await session.submitMessage("First");
    const seen = record(session);
    expect((await session.submitMessage("Second")).text).toBe("Two.");
    expect(namesOf(seen).filter((name) => name.includes("compact"))).toEqual(["pre_compact", "post_compact"]);
    expect(setup.types().slice(-2)).toEqual(["context.compacted", "turn.completed"]);
    expect(setup.of("context.compacted").map(({ data }) => data)).toMatchObject([
      { trigger: "auto", summary: expect.any(String) },
    ]);
  });

  test("is skipped when pre_compact denies, and the turn goes on", async () => {
    // Enough to be compacted, and not so much that the CLI refuses to go on without.
    await using setup = await setUp([{ content: text("One."), usage: { input_tokens: 970_000 } }, text("Two.")]);
    const session = setup.agent.session();
    const triggers: string[] = [];
    session.registerHook("pre_compact", ({ data }) => {
      triggers.push(data.trigger);
      return { action: "deny", message: "Not now" };
    });
    await session.submitMessage("First");
    expect((await session.submitMessage("Second")).text).toBe("Two.");
    expect(triggers).toEqual(["auto"]);
    expect(setup.of("context.compacted")).toEqual([]);
  });
});

describe("a stop", () => {
  const stop: HookResult = { action: "stop", message: "That is enough." };
  const stopped = (by: string): object => ({ stopped: { by, message: "That is enough." } });

  test("in turn_start refuses the message, and nothing is sent", async () => {
    await using setup = await setUp([text("Second.")]);
    const session = setup.agent.session();
    const id = session.registerHook("turn_start", () => stop);
    await expect(session.submitMessage("First")).rejects.toMatchObject({
      name: "TurnRefusedError",
      by: "turn_start",
      message: "That is enough.",
    });
    expect(setup.events).toEqual([]);
    session.hookRegistry.remove(id);
    expect(await session.submitMessage("Second")).toMatchObject({ text: "Second.", turnNumber: 1 });
  });

  test.each([1, 2])("in iteration_start %i ends the turn before the model is called", async (iteration) => {
    await using setup = await setUp(makesOneFile, mayBash);
    const session = setup.agent.session();
    session.registerHook("iteration_start", ({ data }) => (data.iteration === iteration ? stop : undefined));
    expect(await session.submitMessage("Make it.")).toMatchObject(stopped("iteration_start"));
    expect(setup.model.requests).toHaveLength(iteration - 1);
    expect(wasMade(setup)).toBe(iteration === 2);
    expect(setup.of("turn.completed").map(({ data }) => data)).toMatchObject([stopped("iteration_start")]);
  });

  test.each([
    ["tool_uses_start", "stop"],
    ["pre_tool_use", "stop"],
    ["pre_tool_use", "deny"],
  ] as const)("in %s (as %s) ends the turn, and no tool of the message runs", async (event, action) => {
    await using setup = await setUp([[touch("made.txt"), touch("other.txt")], text("Next.")], mayBash);
    const session = setup.agent.session();
    const seen = record(session);
    session.registerHook(event, () => ({ ...stop, action }));
    expect(await session.submitMessage("Make them.")).toMatchObject(stopped(event));
    expect([wasMade(setup), wasMade(setup, "other.txt")]).toEqual([false, false]);
    expect(setup.model.requests).toHaveLength(1);
    expect(namesOf(seen).slice(-4)).toEqual(["tool_uses_complete", "iteration_complete", "query_complete", "turn_end"]);
    session.hookRegistry.remove(`session-hook-${loopHookEvents.length + 1}`);
    expect((await session.submitMessage("Next.")).text).toBe("Next.");
    if (event === "tool_uses_start")
      expect(seen.find((each) => each.event === event)?.data).toMatchObject({
        toolUses: [{ toolInput: { command: "touch made.txt" } }, { toolInput: { command: "touch other.txt" } }],
      });
  });

  test.each(["touch made.txt", "touch made.txt; exit 3"])(
    "in post_tool_use ends the turn behind `%s`",
    async (command) => {
      await using setup = await setUp([toolUse("Bash", { command, description: "Try" }), text("Never.")], mayBash);
      const session = setup.agent.session();
      const outcomes: boolean[] = [];
      session.registerHook("post_tool_use", ({ data }) => {
        outcomes.push(data.success);
        return stop;
      });
      expect(await session.submitMessage("Make it.")).toMatchObject(stopped("post_tool_use"));
      expect(outcomes).toEqual([!command.includes("exit")]);
      expect([wasMade(setup), setup.model.requests.length]).toEqual([true, 1]);
    },
  );

  test("in pre_tool_use of a sub-agent ends the whole turn", async () => {
    const script = bySpeaker({ main: [agentCall(), text("Never.")], subagent: [touch("made.txt"), text("Never.")] });
    await using setup = await setUp(script, { tools: ["Bash", "Task"], allowedTools: ["Bash"] });
    const session = setup.agent.session();
    session.registerHook("pre_tool_use", ({ agentToolUseId }) => (agentToolUseId === undefined ? undefined : stop));
    expect(await session.submitMessage("Use an agent.")).toMatchObject(stopped("pre_tool_use"));
    expect([wasMade(setup), setup.model.requests.length]).toEqual([false, 2]);
  });

  test("in a hook that can only look changes nothing", async () => {
    await using setup = await setUp(makesOneFile, mayBash);
    const session = setup.agent.session();
    for (const event of [
      "session_start",
      "query_start",
      "tool_uses_complete",
      "iteration_stop",
      "iteration_continue",
    ] as const)
      session.registerHook(event, () => stop);
    for (const event of ["iteration_complete", "query_complete", "turn_end"] as const)
      session.registerHook(event, () => ({ action: "deny" }));
    const turn = await session.submitMessage("Make it.");
    expect([turn.stopped, wasMade(setup)]).toEqual([undefined, true]);
  });
});

describe("handlers of pre_tool_use", () => {
  test("see what those before them have made of the input, and the tool runs with the last", async () => {
    await using setup = await setUp(makesOneFile, mayBash);
    const session = setup.agent.session();
    const seen: unknown[] = [];
    const rename = (from: string, to: string): void => {
      const owner = from === "made.txt" ? setup.agent : session;
      owner.registerHook("pre_tool_use", ({ data: { toolInput } }) => {
        seen.push(toolInput["command"]);
        const command = String(toolInput["command"]).replace(from, to);
        return { action: "modify", updatedInput: { ...toolInput, command } };
      });
    };
    rename("second.txt", "third.txt");
    rename("made.txt", "second.txt");
    await session.submitMessage("Make it.");
    expect(seen).toEqual(["touch made.txt", "touch second.txt"]);
    expect(["made.txt", "second.txt", "third.txt"].map((name) => wasMade(setup, name))).toEqual([false, false, true]);
  });

  test("stop the turn when they throw, take too long, or return what is no result", async () => {
    const failing: readonly (() => unknown)[] = [
      () => Promise.reject(new Error("boom")),
      () => new Promise(() => {}),
      () => "stop",
      () => ({ action: "modify" }),
    ];
    await using setup = await setUp(() => touch("made.txt"), mayBash);
    const session = setup.agent.session();
    for (const handler of failing) {
      // What the types would not let pass is what this is about.
      const id = session.registerHook("pre_tool_use", handler as () => undefined, { timeoutMs: 50 });
      expect(await session.submitMessage("Make it.")).toMatchObject({ stopped: { by: "pre_tool_use" } });
      session.hookRegistry.remove(id);
    }
    expect([wasMade(setup), setup.model.requests.length]).toEqual([false, failing.length]);
    expect(setup.errors.map(({ where }) => where)).toEqual(failing.map(() => "pre_tool_use"));
  });
});

test("a handler that fails where nothing can be stopped is told of, and the loop goes on", async () => {
  await using setup = await setUp([text("Hello.")]);
  const session = setup.agent.session();
  session.registerHook("query_start", () => {
    throw new Error("boom");
  });
  expect((await session.submitMessage("Hello")).text).toBe("Hello.");
  expect(setup.errors).toMatchObject([{ where: "query_start", error: { message: "boom" } }]);
});

test("an event that never comes is refused with the list of those that do", async () => {
  await using setup = await setUp([]);
  // A name of another list, as a program without types has it.
  const register = (): string => setup.agent.registerHook("pre_tool" as "pre_tool_use", () => undefined);
  expect(register).toThrow(/no hook event pre_tool\b.*session_start.*session_end/);
  expect(loopHookEvents).toHaveLength(19);
  expect(setup.agent.hookRegistry.remove("hook-1")).toBe(false);
});

describe("a turn that the CLI begins by itself", () => {
  test.each([false, true])("has events and hooks of its own (refused: %s)", async (isRefused) => {
    const gate = createGate();
    const script = bySpeaker({
      main: [agentCall({ run_in_background: true }), text("Started."), text("It has ended.")],
      subagent: [{ content: text("The report."), hold: gate.opened }],
    });
    await using setup = await setUp(script, { tools: ["Task"] });
    const session = setup.agent.session();
    const seen = record(session);
    if (isRefused)
      session.registerHook("turn_start", ({ data }) => (data.origin === "wake" ? { action: "deny" } : undefined));
    expect((await session.submitMessage("Use an agent.")).text).toBe("Started.");
    const before = setup.events.length;
    gate.open();
    await vi.waitFor(() => expect(namesOf(seen).filter((name) => name === "turn_end")).toHaveLength(2), 20_000);
    const types = setup.events.slice(before).map(({ type }) => type);
    expect(types.filter((type) => /^(turn|agent)\./.test(type))).toEqual([
      "agent.close.end",
      "turn.started",
      "turn.stage",
      isRefused ? "turn.failed" : "turn.completed",
    ]);
    expect(setup.of("turn.started").map(({ data }) => data.origin)).toEqual(["user", "wake"]);
    expect(setup.model.requests.length).toBe(isRefused ? 3 : 4);
  });
});

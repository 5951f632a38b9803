import { createToolServer, tool } from "@reins/sdk";
import { createGate, type ModelScript, text, thinking, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { agentCall, bySpeaker } from "./fixtures/scripts.ts";
import { setUp } from "./fixtures/set-up.ts";

/** Uses a tool once, then ends. */
const uses =
  (name: string, input: Readonly<Record<string, unknown>> = {}): ModelScript =>
  ({ toolResults: [result] }) =>
    result ? text(result.text) : toolUse(name, input);

test("chunks are those of the stream, and the same without one but in fewer pieces", async () => {
  const answer = [thinking("Let me ", "see."), text("Hello, ", "world.")];
  await using setup = await setUp([answer, answer]);
  const streamed = setup.agent.session();
  await streamed.submitMessage("Hello");
  const chunks = setup.of("response.chunk").map(({ data }) => data);
  expect(chunks.map(({ type }) => type)).toEqual([
    ...[
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
    ],
    ...["content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"],
    ...["message_delta", "message_stop"],
  ]);
  expect(chunks.flatMap(({ deltaType, delta }) => (deltaType === undefined ? [] : [[deltaType, delta]]))).toEqual([
    ["thinking_delta", "Let me "],
    ["thinking_delta", "see."],
    ["signature_delta", ""],
    ["text_delta", "Hello, "],
    ["text_delta", "world."],
  ]);
  setup.events.length = 0;
  await setup.agent.session({ includePartialMessages: false }).submitMessage("Hello");
  const whole = setup.of("response.chunk").map(({ data }) => [data.type, data.index, data.delta]);
  expect(whole).toEqual([
    ["content_block_start", 0, undefined],
    ["content_block_delta", 0, "Let me see."],
    ["content_block_stop", 0, undefined],
    ["content_block_start", 1, undefined],
    ["content_block_delta", 1, "Hello, world."],
    ["content_block_stop", 1, undefined],
  ]);
});

test("a tool of this process tells when it runs, and of its progress", async () => {
  const count = tool("count", "Counts.", { to: z.number() }, async ({ to }, { progress }) => {
    progress(1, to);
    progress(to, to, "nearly there");
    return "counted";
  });
  await using setup = await setUp(uses("mcp__own__count", { to: 2 }), {
    allowedTools: ["mcp__own__count"],
    mcpServers: { own: createToolServer({ name: "own", tools: [count] }) },
  });
  expect((await setup.agent.session().submitMessage("Count.")).text).toBe("counted");
  expect(setup.of("tool.progress").map(({ data: { stage, message } }) => [stage, message])).toEqual([
    ["requested", undefined],
    ["checking", undefined],
    ["running", undefined],
    ["progress", "1 of 2"],
    ["progress", "nearly there"],
    ["completed", undefined],
  ]);
});

test("a change of the permission mode is told of", async () => {
  await using setup = await setUp([text("One."), text("Two.")], { permissionMode: "default" });
  const session = setup.agent.session();
  await session.submitMessage("One");
  await session.client.setPermissionMode("acceptEdits");
  await session.submitMessage("Two");
  expect(setup.of("execution_mode.changed").map(({ data }) => data)).toEqual([{ from: "default", to: "acceptEdits" }]);
});

test("tasks are told of when they are made, changed and completed", async () => {
  await using setup = await setUp(
    [
      toolUse("TaskCreate", { subject: "First", description: "Do it", activeForm: "Doing it" }),
      toolUse("TaskUpdate", { taskId: "1", status: "in_progress" }),
      toolUse("TaskUpdate", { taskId: "1", status: "completed" }),
      text("Finished."),
    ],
    { tools: ["TaskCreate", "TaskUpdate"], env: { CLAUDE_CODE_ENABLE_TASKS: "1" } },
  );
  await setup.agent.session().submitMessage("Make a task.");
  expect(setup.of("task.changed").map(({ data }) => [data.change, data.taskId, data.status ?? data.subject])).toEqual([
    ["created", "1", "First"],
    ["updated", "1", "in_progress"],
    ["completed", "1", "First"],
    ["updated", "1", "completed"],
  ]);
});

test("a list of tasks is told of as a whole", async () => {
  const todos = [{ content: "One", status: "pending", activeForm: "Doing one" }];
  await using setup = await setUp(uses("TodoWrite", { todos }), {
    tools: ["TodoWrite"],
    env: { CLAUDE_CODE_ENABLE_TASKS: "0" },
  });
  await setup.agent.session().submitMessage("Make a list.");
  expect(setup.of("task.changed").map(({ data }) => data)).toEqual([{ change: "list", tasks: todos }]);
});

test("a goal is told of when it is set and cleared", async () => {
  await using setup = await setUp(({ userText }) => text(`About ${userText}`));
  const session = setup.agent.session();
  await session.submitMessage("/goal the tests pass");
  await session.submitMessage("/goal clear");
  expect(setup.of("goal.updated").map(({ data }) => data.goal)).toMatchObject([{ condition: "the tests pass" }, null]);
});

test("an agent in the background is stopped by its id, and gets messages", async () => {
  const gate = createGate();
  const script = bySpeaker({
    main: [
      agentCall({ run_in_background: true, name: "helper" }),
      toolUse("SendMessage", { to: "helper", message: "Hurry up", summary: "Hurry" }),
      text("Told."),
      text("It was stopped."),
    ],
    subagent: [{ content: text("Never."), hold: gate.opened }],
  });
  await using setup = await setUp(script, { tools: ["Task", "SendMessage"] });
  const session = setup.agent.session();
  await session.submitMessage("Use an agent.");
  const { agentId = "" } = setup.of("agent.spawn.end")[0]?.data ?? {};
  await session.stopTask(agentId);
  await vi.waitFor(() => expect(setup.of("agent.close.end")).toHaveLength(1), 20_000);
  gate.open();
  expect(setup.events.flatMap(({ type }) => (type.startsWith("agent.") ? [type] : []))).toEqual([
    "agent.spawn.begin",
    "agent.spawn.end",
    "agent.interaction.begin",
    "agent.interaction.end",
    "agent.close.begin",
    "agent.close.end",
  ]);
  expect(setup.of("agent.close.end")[0]?.data).toMatchObject({ agentId, status: "stopped" });
});

test("calls of the browser's server are told of as such", async () => {
  const navigate = tool("navigate", "Opens a page.", { url: z.string() }, async () => "opened");
  await using setup = await setUp(uses("mcp__claude-in-chrome__navigate", { url: "https://example.com" }), {
    allowedTools: ["mcp__claude-in-chrome__navigate"],
    mcpServers: { "claude-in-chrome": createToolServer({ name: "claude-in-chrome", tools: [navigate] }) },
  });
  await setup.agent.session().submitMessage("Open it.");
  expect(setup.events.flatMap(({ type }) => (type.startsWith("browser.") ? [type] : []))).toEqual([
    "browser.tool.begin",
    "browser.tool.end",
  ]);
});

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import type { PromptRequest, PromptResponse } from "../src/index.ts";
import { agentCall, bySpeaker, makesOneFile, touch } from "./fixtures/scripts.ts";
import { setUp } from "./fixtures/set-up.ts";

const askBash = { tools: ["Bash"], permissionMode: "default" as const };

test("a permission is asked for with what the tool is to do, just behind its event", async () => {
  const order: string[] = [];
  let asked: PromptRequest | undefined;
  await using setup = await setUp(makesOneFile, {
    ...askBash,
    onRuntimeEvent: ({ type }) => {
      if (type === "tool.permission_required") order.push(type);
    },
    prompt: (request) => {
      asked = request;
      order.push("prompt");
      return { value: true };
    },
  });
  const session = setup.agent.session();
  await session.submitMessage("Make it.");
  expect(existsSync(join(setup.sandbox.cwd, "made.txt"))).toBe(true);
  expect(order).toEqual(["tool.permission_required", "prompt"]);
  expect(asked).toMatchObject({
    type: "confirm",
    metadata: {
      tool_name: "Bash",
      tool_input: { command: "touch made.txt" },
      tool_use_id: setup.of("tool.permission_required")[0]?.data.toolUseId,
      working_directory: setup.sandbox.cwd,
    },
  });
  expect(setup.of("tool.progress").map(({ data }) => data.stage)).toEqual([
    "requested",
    "checking",
    "awaiting_permission",
    "running",
    "completed",
  ]);
});

test("whatever is no clear yes denies the call, and the turn goes on", async () => {
  const answers: readonly [prompt: () => PromptResponse | undefined, told: string][] = [
    [() => ({ value: false }), "The action was not approved."],
    [() => ({ cancelled: true, value: true, message: "Ask me later" }), "Ask me later"],
    [() => undefined, "The action was not approved."],
    [() => Promise.reject(new Error("boom")) as never, "The action was not approved."],
  ];
  await using setup = await setUp(makesOneFile, askBash);
  const session = setup.agent.session();
  for (const [prompt, told] of answers) {
    session.callbacks.prompt = prompt;
    expect((await session.submitMessage("Make it.")).text).toContain(told);
    expect(setup.of("tool.progress").at(-1)?.data).toMatchObject({ stage: "denied" });
  }
  expect(existsSync(join(setup.sandbox.cwd, "made.txt"))).toBe(false);
  expect(setup.errors.map(({ where }) => where)).toEqual(["prompt"]);
});

test("without a prompt function nothing is approved", async () => {
  await using setup = await setUp(makesOneFile, askBash);
  expect((await setup.agent.session().submitMessage("Make it.")).text).toContain("not approved");
});

test("an answer can allow once, change the input, or allow for the rest of the session without writing a file", async () => {
  const names = ["one.txt", "two.txt", "three.txt", "four.txt"];
  const script: ModelScript = ({ toolResults, userText }) => (toolResults.length > 0 ? text("Done.") : touch(userText));
  const answers: PromptResponse[] = [
    { value: true },
    { value: { updatedInput: { command: "touch changed.txt", description: "Make it" } } },
    { value: "always" },
  ];
  let count = 0;
  await using setup = await setUp(script, { ...askBash, prompt: () => answers[count++] });
  const session = setup.agent.session();
  for (const name of names.slice(0, 3)) await session.submitMessage(name);
  await session.submitMessage("three.txt");
  expect(count).toBe(3);
  const made = ["one.txt", "two.txt", "changed.txt", "three.txt"].map((name) =>
    existsSync(join(setup.sandbox.cwd, name)),
  );
  expect(made).toEqual([true, false, true, true]);
  expect(existsSync(join(setup.sandbox.cwd, ".claude/settings.local.json"))).toBe(false);
});

test("a question of a sub-agent names the call that started it", async () => {
  const script = bySpeaker({ main: [agentCall(), text("Done.")], subagent: [touch("made.txt"), text("The report.")] });
  const asked: PromptRequest[] = [];
  await using setup = await setUp(script, {
    tools: ["Bash", "Task"],
    prompt: (request) => {
      asked.push(request);
      return { value: true };
    },
  });
  const { toolCalls } = await setup.agent.session().submitMessage("Use an agent.");
  expect(asked).toMatchObject([{ metadata: { agent_id: expect.any(String), agent_tool_use_id: toolCalls[0]?.id } }]);
  expect(setup.of("tool.permission_required")).toMatchObject([{ agentToolUseId: toolCalls[0]?.id }]);
});

test("the model's questions are answered by label, and a refusal is told to it", async () => {
  const options = ["Red", "Blue"].map((label) => ({ label, description: label }));
  const question = { question: "Which color?", header: "Color", options, multiSelect: false };
  const script: ModelScript = ({ toolResults: [result] }) =>
    result ? text(result.text) : toolUse("AskUserQuestion", { questions: [question] });
  const asked: PromptRequest[] = [];
  await using setup = await setUp(script, {
    tools: ["AskUserQuestion"],
    prompt: (request) => {
      asked.push(request);
      return asked.length === 1 ? { value: { "Which color?": "Blue" } } : { cancelled: true };
    },
  });
  const session = setup.agent.session();
  expect((await session.submitMessage("Ask me.")).text).toContain("Blue");
  expect((await session.submitMessage("Ask me again.")).text).toContain("The user did not answer.");
  expect(asked[0]).toMatchObject({ type: "question", message: "Which color?", metadata: { questions: [question] } });
  expect(setup.of("prompt.request").map(({ data }) => data.kind)).toEqual(["question", "question"]);
  expect(setup.of("tool.permission_required")).toEqual([]);
});

test("a plan is submitted for approval, which changes the mode", async () => {
  const asked: PromptRequest[] = [];
  await using setup = await setUp([toolUse("ExitPlanMode", { plan: "1. Do it" }), text("Planned.")], {
    tools: ["ExitPlanMode"],
    permissionMode: "plan",
    prompt: (request) => {
      asked.push(request);
      return { value: true };
    },
  });
  await setup.agent.session().submitMessage("Plan it.");
  expect(asked).toMatchObject([{ type: "confirm", metadata: { tool_name: "ExitPlanMode" } }]);
  expect(setup.of("plan.submitted")).toHaveLength(1);
  expect(setup.of("execution_mode.changed").map(({ data }) => data)).toEqual([{ from: "plan", to: "default" }]);
});

test("a server's form is filled in, and its link is visited or declined", async () => {
  const script: ModelScript = ({ toolResults: [result], userText }) =>
    result ? text(result.text) : toolUse("mcp__ask__ask", { url: userText !== "form" });
  const asked: PromptRequest[] = [];
  const answers = [{ value: { name: "Ada" } }, { value: true }, { cancelled: true }];
  await using setup = await setUp(script, {
    allowedTools: ["mcp__ask__ask"],
    mcpServers: { ask: { command: process.execPath, args: [join(import.meta.dirname, "fixtures/asking-server.mjs")] } },
    prompt: (request) => {
      asked.push(request);
      return answers[asked.length - 1];
    },
  });
  const session = setup.agent.session();
  // A server that is still being dialled has no tools yet.
  await session.connect();
  await expect
    .poll(async () => (await session.client.mcpServerStatus())[0]?.status, { timeout: 20_000 })
    .toBe("connected");
  const told: unknown[] = [];
  for (const message of ["form", "link", "link"]) told.push(JSON.parse((await session.submitMessage(message)).text));
  expect(told).toEqual([{ action: "accept", content: { name: "Ada" } }, { action: "accept" }, { action: "decline" }]);
  expect(asked.map(({ type, metadata }) => [type, metadata.server_name])).toEqual([
    ["form", "ask"],
    ["url", "ask"],
    ["url", "ask"],
  ]);
  expect(setup.of("prompt.request").map(({ data }) => data.kind)).toEqual(["form", "url", "url"]);
});

test("the signal of a question aborts when its turn is interrupted", async () => {
  let aborted: unknown;
  await using setup = await setUp(makesOneFile, {
    ...askBash,
    prompt: async ({ signal }) => {
      void session.interrupt();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      aborted = signal.aborted;
      return { value: true };
    },
  });
  const session = setup.agent.session();
  await expect(session.submitMessage("Make it.")).rejects.toMatchObject({ interrupted: true });
  expect(aborted).toBe(true);
  expect(existsSync(join(setup.sandbox.cwd, "made.txt"))).toBe(false);
});

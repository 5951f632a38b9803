import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import type { HostTool } from "../src/index.ts";
import { driveRealBridge } from "./drive-bridge.ts";

const add: HostTool = {
  name: "add",
  description: "Adds two numbers.",
  input_schema: { properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
};

test("a host holds a session of two turns, with a tool of its own and a permission question", async () => {
  await using bridge = await driveRealBridge([
    toolUse("mcp__host__add", { a: 2, b: 40 }),
    text("It is 42."),
    toolUse("Bash", { command: "echo made > made.txt", description: "Make a file" }),
    text("Made."),
  ]);
  bridge.send({ type: "open", tools: [add], options: { built_in_tools: ["Bash"] } });
  const opened = await bridge.until("opened");
  expect(opened).toEqual({ type: "opened", session_id: expect.stringMatching(/^[0-9a-f-]{36}$/), restarted: false });
  bridge.send({ type: "send", id: "one", content: "2 + 40?" });
  const call = await bridge.until("tool_call");
  expect(call).toMatchObject({ name: "add", input: { a: 2, b: 40 }, tool_use_id: expect.any(String) });
  bridge.send({ type: "tool_result", id: call.id, content: "42" });
  expect(await bridge.until("turn_end")).toEqual({
    type: "turn_end",
    id: "one",
    outcome: "completed",
    text: "It is 42.",
    session_id: opened.session_id,
  });
  bridge.send({ type: "send", id: "two", content: [{ type: "text", text: "Make a file." }] });
  const question = await bridge.until("permission_question");
  expect(question).toMatchObject({ tool_name: "Bash", input: { command: "echo made > made.txt" } });
  bridge.send({ type: "permission_answer", id: question.id, behavior: "allow" });
  expect(await bridge.until("turn_end")).toMatchObject({ id: "two", outcome: "completed", text: "Made." });
  expect(await readFile(join(bridge.sandbox.cwd, "made.txt"), "utf8")).toBe("made\n");
  expect(bridge.model.requests[1]?.toolResults[0]?.text).toBe("42");
  bridge.send({ type: "close" });
  await bridge.until("closed");
  expect(await bridge.end()).toBe("input-ended");
  bridge.model.assertDone();
});

test("a transcript that went another way gets a session with that past, which the model sees as it was", async () => {
  await using bridge = await driveRealBridge([text("One."), text("Two."), text("Three.")]);
  bridge.send({ type: "open", options: { system_prompt: "Be terse." } });
  const { session_id: first } = await bridge.until("opened");
  const image = {
    type: "image",
    source: {
      type: "base64",
      media_type: "image/png",
      data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    },
  } as const;
  bridge.send({ type: "send", id: "1", transcript: [{ role: "user", content: [{ type: "text", text: "a" }, image] }] });
  await bridge.until("turn_end");
  const past = [
    { role: "user", content: [{ type: "text", text: "a" }, image] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "Another answer." },
        { type: "tool_use", id: "t", name: "x", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "y" }] },
    { role: "assistant", content: "And more." },
  ] as const;
  bridge.send({ type: "send", id: "2", transcript: [...past, { role: "user", content: "b" }] });
  const { session_id: second, restarted } = await bridge.until("opened");
  expect([restarted, second === first]).toEqual([true, false]);
  expect(await bridge.until("turn_end")).toMatchObject({ id: "2", text: "Two.", session_id: second });
  const { messages } = bridge.model.requests[1]?.body ?? { messages: [] };
  const said = messages
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => [
      role,
      typeof content === "string" ? content : content.map(({ type, text }) => text ?? type),
    ]);
  expect(said).toEqual([
    ["user", ["a", "image"]],
    ["assistant", ["Another answer.", "And more."]],
    ["user", ["b"]],
  ]);
  bridge.send({
    type: "send",
    id: "3",
    transcript: [
      ...past,
      { role: "user", content: "b" },
      { role: "assistant", content: "Two." },
      { role: "user", content: "c" },
    ],
  });
  expect(await bridge.until("turn_end")).toMatchObject({ id: "3", text: "Three.", session_id: second });
  expect(bridge.seen.filter(({ type }) => type === "opened")).toHaveLength(2);
  bridge.model.assertDone();
});

test("what the one who starts the bridge decides stays, and the host's options go over the rest", async () => {
  await using bridge = await driveRealBridge([text("Yes.")], {
    model: "base-model",
    systemPrompt: "Base.",
    maxTurns: 7,
  });
  bridge.send({ type: "open", options: { system_prompt: "Host." } });
  await bridge.until("opened");
  bridge.send({ type: "send", id: "1", content: "/cost and @file" });
  await bridge.until("turn_end");
  expect(bridge.model.requests[0]?.body.model).toBe("base-model");
  expect(bridge.model.requests[0]?.systemText).toContain("Host.");
  expect(bridge.model.requests[0]?.systemText).not.toContain("Base.");
  // Prompts are taken literally.
  expect(bridge.model.requests[0]?.userText).toBe("/cost and @file");
});

test("a question that the host does not answer ends with the session, and the tool does not run", async () => {
  await using bridge = await driveRealBridge([
    toolUse("Bash", { command: "echo made > made.txt", description: "Make a file" }),
  ]);
  bridge.send({ type: "open", options: { built_in_tools: ["Bash"] } });
  await bridge.until("opened");
  bridge.send({ type: "send", id: "1", content: "Make a file." });
  await bridge.until("permission_question");
  expect(await bridge.end()).toBe("input-ended");
  expect(await bridge.until("turn_end")).toMatchObject({ id: "1", outcome: "session_ended" });
  await expect(readFile(join(bridge.sandbox.cwd, "made.txt"))).rejects.toThrow("ENOENT");
});

test("an interrupt while a tool of the host runs takes the call back", async () => {
  await using bridge = await driveRealBridge([toolUse("mcp__host__add", { a: 1, b: 2 }), text("Later.")]);
  bridge.send({ type: "open", tools: [add] });
  await bridge.until("opened");
  bridge.send({ type: "send", id: "1", content: "1 + 2?" });
  const call = await bridge.until("tool_call");
  bridge.send({ type: "interrupt", id: "stop" });
  expect(await bridge.until("cancelled")).toEqual({ type: "cancelled", id: call.id });
  expect(await bridge.until("turn_end")).toMatchObject({ id: "1", outcome: "interrupted" });
});

import { type Message, type Options, query } from "@reins/sdk";
import { projectKeyForDirectory, verifySession } from "@reins/sessions";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { openPlace } from "./open-store.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

// The real CLI, offline: the model is a script on loopback.

const script: ModelScript = ({ toolResults, userText, body }) => {
  if (JSON.stringify(body.messages[0]).includes("Look around.")) return text("Found it.");
  if (toolResults.length > 0) return text("The agent is back.");
  if (!userText.includes("agent")) return text(`Answer to ${userText}`);
  const task = { description: "d", prompt: "Look around.", subagent_type: "general-purpose", run_in_background: false };
  return toolUse("Agent", task);
};

test("a conversation with a subagent goes on over three home folders, each turn from the store by another one", async () => {
  await using _leaks = startLeakCheck();
  await using place = await openPlace({ enforceConditions: true });
  await using model = await startScriptedModel(script);
  await using first = await createSandbox({ model });
  await using second = await createSandbox({ model });
  await using third = await createSandbox({ model });
  const machines = [first, second, third];
  const { cwd } = first;

  async function ask(turn: number, prompt: string, options: Options): Promise<{ result: string; session_id: string }> {
    const { env } = machines[turn % machines.length] ?? first;
    // A store of its own, as in a process of its own.
    await using store = place.open({ prefix: "agents/", leases: true });
    const common = { pathToClaudeCodeExecutable: findTestBinary(), cwd, env, tools: ["Agent"], settingSources: [] };
    const messages: Message[] = [];
    await using running = query({ prompt, options: { ...common, sessionStore: store, ...options } });
    for await (const message of running) messages.push(message);
    expect(messages.filter((message) => message.type === "system" && message.subtype === "mirror_error")).toEqual([]);
    return messages.findLast(({ type }) => type === "result") as unknown as { result: string; session_id: string };
  }

  const { result, session_id: sessionId } = await ask(0, "Ask an agent.", {});
  expect(result).toBe("The agent is back.");
  expect(await ask(1, "two", { resume: sessionId })).toMatchObject({ result: "Answer to two", session_id: sessionId });
  expect(await ask(2, "three", { continue: true })).toMatchObject({ result: "Answer to three", session_id: sessionId });
  const session = { projectKey: projectKeyForDirectory(cwd), sessionId };
  const store = place.open({ prefix: "agents/" });
  await store.compactSession(session);
  expect(await ask(3, "four", { resume: sessionId })).toMatchObject({
    result: "Answer to four",
    session_id: sessionId,
  });

  const last = JSON.stringify(model.requests.at(-1)?.body.messages);
  const said = ["Ask an agent.", "The agent is back.", "two", "Answer to two", "three", "Answer to three", "four"];
  for (const part of said) expect(last).toContain(part);
  expect(await store.listSubkeys(session)).toHaveLength(1);
  const report = await verifySession(store, session);
  expect(report.issues.filter(({ severity }) => severity === "error")).toEqual([]);
});

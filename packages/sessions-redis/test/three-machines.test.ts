import { query } from "@reins/sdk";
import { projectKeyForDirectory, verifySession } from "@reins/sessions";
import { startRedis } from "@reins/test-servers/redis";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  type Sandbox,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { expect, test } from "vitest";
import { type RedisClient, RedisSessionStore } from "../src/index.ts";

// The real CLI, offline: the model is a script on loopback.

const script: ModelScript = ({ toolResults, userText, body }) => {
  if (JSON.stringify(body.messages[0]).includes("Look around.")) return text("Found it.");
  if (toolResults.length > 0) return text("The agent is back.");
  if (userText.includes("agent")) {
    const input = {
      description: "d",
      prompt: "Look around.",
      subagent_type: "general-purpose",
      run_in_background: false,
    };
    return toolUse("Agent", input);
  }
  return text(`Answer to ${userText}`);
};

test("a conversation with a subagent goes on over three home folders, each time from what is in Redis", async () => {
  await using server = await startRedis({ durable: true });
  await using model = await startScriptedModel(script);
  await using first = await createSandbox({ model });
  await using second = await createSandbox({ model });
  await using third = await createSandbox({ model });
  const { cwd } = first;

  /** One turn on a machine of its own, with a store of its own. Gives session and answer. */
  const ask = async (
    sandbox: Sandbox,
    prompt: string,
    resume?: string,
  ): Promise<[sessionId: string, result: string]> => {
    const session = onClient(server.port, async (client) => {
      await using messages = query({
        prompt,
        options: {
          pathToClaudeCodeExecutable: findTestBinary(),
          // One project, as if the same folder were on all machines.
          cwd,
          env: sandbox.env,
          tools: ["Agent"],
          settingSources: [],
          sessionStore: new RedisSessionStore({ client, ttlSeconds: 3_600 }),
          ...(resume === undefined ? {} : { resume }),
        },
      });
      for await (const message of messages) {
        if (message.type === "system" && message.subtype === "mirror_error") throw new Error(JSON.stringify(message));
        if (message.type === "result" && message.subtype === "success")
          return [message.session_id, message.result] as [string, string];
      }
      throw new Error("There was no result.");
    });
    return session;
  };

  const [sessionId, answer] = await ask(first, "Ask an agent.");
  expect(answer).toBe("The agent is back.");
  expect(await ask(second, "two", sessionId)).toEqual([sessionId, "Answer to two"]);
  expect(await ask(third, "three", sessionId)).toEqual([sessionId, "Answer to three"]);
  expect(await ask(first, "four", sessionId)).toEqual([sessionId, "Answer to four"]);
  const last = JSON.stringify(model.requests.at(-1)?.body.messages);
  for (const part of [
    "Ask an agent.",
    "The agent is back.",
    "two",
    "Answer to two",
    "three",
    "Answer to three",
    "four",
  ]) {
    expect(last).toContain(part);
  }

  const client = await createClient({ url: server.url }).connect();
  try {
    const store = new RedisSessionStore({ client });
    const session = { projectKey: projectKeyForDirectory(cwd), sessionId };
    expect(await store.listSubkeys(session)).toEqual([expect.stringMatching(/^subagents\/agent-/)]);
    expect(await verifySession(store, session)).toMatchObject({ ok: true });
    expect(await store.listSessions(session.projectKey)).toHaveLength(1);
  } finally {
    client.destroy();
  }
}, 120_000);

async function onClient<T>(port: number, act: (client: RedisClient) => Promise<T>): Promise<T> {
  const client = new Redis(port);
  try {
    return await act(client);
  } finally {
    client.disconnect();
  }
}

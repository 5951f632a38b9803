import { type Message, type Options, query } from "@reins/sdk";
import { projectKeyForDirectory, verifySession } from "@reins/sessions";
import { startPostgres } from "@reins/test-servers/postgres";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  type Sandbox,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test } from "vitest";
import { createPlace } from "./postgres-places.ts";

// The real CLI, offline: the model is a script on loopback.

test("a conversation goes on over three home folders, each of which resumes it from Postgres, with its subagent", async () => {
  const script: ModelScript = ({ toolResults, userText, body }) => {
    if (JSON.stringify(body.messages[0]).includes("Look around.")) return text("Found it.");
    if (toolResults.length > 0) return text("The agent is back.");
    if (userText.includes("agent")) {
      return toolUse("Agent", {
        description: "d",
        prompt: "Look around.",
        subagent_type: "general-purpose",
        run_in_background: false,
      });
    }
    return text(`Answer to ${userText}`);
  };
  await using server = await startPostgres();
  await using place = await createPlace(server);
  await using model = await startScriptedModel(script);
  await using first = await createSandbox({ model });
  await using second = await createSandbox({ model });
  await using third = await createSandbox({ model });
  // One project, as if the same folder were on all machines. Each has a pool and a store of its own.
  const { cwd } = first;
  const ask = async (sandbox: Sandbox, prompt: string, options: Options = {}): Promise<Message[]> => {
    await using session = query({
      prompt,
      options: {
        pathToClaudeCodeExecutable: findTestBinary(),
        cwd,
        env: sandbox.env,
        tools: [],
        settingSources: [],
        sessionStore: place.open({ pool: place.connect() }),
        ...options,
      },
    });
    const messages: Message[] = [];
    for await (const message of session) messages.push(message);
    expect(messages.filter((message) => message.type === "system" && message.subtype === "mirror_error")).toEqual([]);
    return messages;
  };

  const started = resultOf(await ask(first, "Ask an agent.", { tools: ["Agent"] }));
  expect(started.result).toBe("The agent is back.");
  const session = { projectKey: projectKeyForDirectory(cwd), sessionId: started.session_id };
  const store = place.open();
  const [subpath = ""] = await store.listSubkeys(session);
  expect(subpath).toMatch(/^subagents\/agent-/);

  const resumed = resultOf(await ask(second, "two", { resume: session.sessionId }));
  expect(resumed).toMatchObject({ result: "Answer to two", session_id: session.sessionId });
  const continued = resultOf(await ask(third, "three", { continue: true }));
  expect(continued).toMatchObject({ result: "Answer to three", session_id: session.sessionId });
  const again = resultOf(await ask(first, "four", { resume: session.sessionId }));
  expect(again).toMatchObject({ result: "Answer to four", session_id: session.sessionId });

  const last = JSON.stringify(model.requests.at(-1)?.body.messages);
  for (const part of ["Ask an agent.", "The agent is back.", "two", "Answer to two", "Answer to three", "four"]) {
    expect(last).toContain(part);
  }
  expect(await verifySession(store, session)).toMatchObject({ ok: true });
  expect(JSON.stringify(await store.load({ ...session, subpath }))).toContain("Found it.");
}, 150_000);

function resultOf(messages: readonly Message[]): { result: string; session_id: string } {
  // A result that succeeded has both.
  return messages.findLast(({ type }) => type === "result") as unknown as { result: string; session_id: string };
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listSessions, type Options, query, type SDKMessage } from "@anthropic-ai/claude-agent-sdk";
import {
  FileSystemSessionStore,
  importSession,
  MemorySessionStore,
  type SessionStore,
  verifySession,
} from "@reins/sessions";
import { createSandbox, findTestBinary, type Sandbox, startScriptedModel, text } from "@reins/testkit";
import { expect, test } from "vitest";

test("a memory store of ours works in the official SDK: mirrored, listed, and resumed on a fresh machine", async () => {
  await roundTrip(new MemorySessionStore());
});

test("a store of files of ours works in the official SDK: mirrored, listed, and resumed on a fresh machine", async () => {
  const root = await mkdtemp(join(tmpdir(), `reins-official-${process.pid}-`));
  try {
    await using store = new FileSystemSessionStore({ root });
    await roundTrip(store);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

async function roundTrip(store: SessionStore): Promise<void> {
  await using model = await startScriptedModel([text("The word is heron."), text("It was heron.")]);
  let sessionId = "";
  let projectKey = "";
  {
    await using sandbox = await createSandbox({ model });
    const messages = await run(sandbox, store, "Remember the word heron.");
    sessionId = messages.at(-1)?.session_id ?? "";
    expect(messages.filter(({ type }) => type === "result")).toHaveLength(1);
    expect(messages.filter((message) => message.type === "system" && message.subtype === "mirror_error")).toEqual([]);
    projectKey = sandbox.cwd.replace(/[^A-Za-z0-9]/g, "-");
    const [info] = await listSessions({ dir: sandbox.cwd, sessionStore: store });
    expect(info).toMatchObject({ sessionId, firstPrompt: "Remember the word heron." });
    // What was mirrored is what an import brings, so it finds nothing to do.
    const { transcripts } = await importSession(sessionId, store, { configDir: sandbox.configDir });
    expect(transcripts).toEqual([expect.objectContaining({ appended: 0, skippedLines: 0 })]);
  }
  const session = { projectKey, sessionId };
  expect(await verifySession(store, session)).toMatchObject({ ok: true });
  const before = (await store.load(session)) ?? [];
  expect(before.filter(({ type }) => type === "assistant")).toHaveLength(1);
  // Only the store is left of the first machine, but for the path of the working directory, which names the project.
  await using sandbox = await createSandbox({ model });
  await store.append({ ...session, projectKey: sandbox.cwd.replace(/[^A-Za-z0-9]/g, "-") }, before);
  await run(sandbox, store, "Which word?", { resume: sessionId });
  expect(model.requests[1]?.body.messages.length).toBeGreaterThanOrEqual(3);
  expect(JSON.stringify(model.requests[1]?.body.messages)).toContain("The word is heron.");
  const moved = { ...session, projectKey: sandbox.cwd.replace(/[^A-Za-z0-9]/g, "-") };
  const after = (await store.load(moved)) ?? [];
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after.filter(({ type }) => type === "assistant")).toHaveLength(2);
  model.assertDone();
}

async function run(
  sandbox: Sandbox,
  sessionStore: SessionStore,
  prompt: string,
  options: Options = {},
): Promise<SDKMessage[]> {
  const messages: SDKMessage[] = [];
  const all: Options = {
    ...options,
    sessionStore,
    pathToClaudeCodeExecutable: findTestBinary(),
    cwd: sandbox.cwd,
    // The official SDK mirrors only when it knows the config folder from this environment.
    env: { ...sandbox.env },
    settingSources: [],
  };
  for await (const message of query({ prompt, options: all })) messages.push(message);
  return messages;
}

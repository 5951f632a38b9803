import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as peer from "@anthropic-ai/claude-agent-sdk";
import {
  createSandbox,
  findTestBinary,
  type Sandbox,
  type ScriptedModel,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test, vi } from "vitest";
import {
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
  projectKeyForDirectory,
  readTranscript,
  renameSession,
  searchSessions,
  sessionUsage,
  tagSession,
} from "../src/index.ts";
import { asJson, type Entry } from "./transcripts/config.ts";
import { comparableFork, linesOf } from "./transcripts/fork.ts";

// Transcripts that the real CLI writes, offline: the model is a script on loopback. The official SDK drives it, as it reads them too.

/** Answers like a model that does what a prompt names. */
async function startModel(): Promise<ScriptedModel> {
  let calls = 0;
  return await startScriptedModel((request) => {
    if (/Hello|agent task/.test(request.userText) || request.toolResults.length > 0) return text("fine");
    if (/PARALLEL/.test(request.userText)) {
      calls++;
      return [
        text("both"),
        toolUse("Bash", { command: "echo one", description: "one" }, `toolu_a${calls}`),
        toolUse("Bash", { command: "echo two", description: "two" }, `toolu_b${calls}`),
      ];
    }
    if (/DELEGATE/.test(request.userText)) {
      const input = { description: "look", prompt: "agent task", subagent_type: "general-purpose" };
      return toolUse("Agent", input, "toolu_agent");
    }
    return text("fine");
  });
}

/** Runs prompts in one session of the CLI, each after the result of the one before. */
async function converse(sandbox: Sandbox, prompts: readonly string[], options: object = {}): Promise<string> {
  let proceed = () => {};
  async function* input() {
    for (const content of prompts) {
      const result = new Promise<void>((done) => {
        proceed = done;
      });
      yield { type: "user" as const, message: { role: "user" as const, content }, parent_tool_use_id: null };
      await result;
    }
  }
  const session = peer.query({
    prompt: input(),
    options: {
      pathToClaudeCodeExecutable: findTestBinary(),
      cwd: sandbox.cwd,
      env: sandbox.env,
      allowedTools: ["Bash(echo:*)", "Agent"],
      ...options,
    },
  });
  let sessionId = "";
  for await (const message of session) {
    if (message.type !== "result") continue;
    sessionId = message.session_id;
    proceed();
  }
  return sessionId;
}

test("transcripts of the real CLI read as with the official SDK, every way", async () => {
  await using model = await startModel();
  await using sandbox = await createSandbox({ model });
  vi.stubEnv("CLAUDE_CONFIG_DIR", sandbox.configDir);
  const first = await converse(sandbox, ["Hello", "PARALLEL", "/compact", "after", "/rename Fancy title", "DELEGATE"]);
  const resumed = await converse(sandbox, ["once more"], { resume: first });
  expect(resumed).toBe(first);
  const forkedByCli = await converse(sandbox, ["another way"], { resume: first, forkSession: true });
  const cleared = await converse(sandbox, ["Hello", "/clear", "Hello again"]);

  const project = join(sandbox.configDir, "projects", projectKeyForDirectory(sandbox.cwd));
  const ids = readdirSync(project).flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -6)] : []));
  expect(ids).toEqual(expect.arrayContaining([first, forkedByCli, cleared]));

  // Our own changes and those of the official SDK, read back by the other.
  await tagSession(first, "ours");
  await peer.renameSession(forkedByCli, "theirs");
  await renameSession(cleared, "ours");

  expect(asJson(await listSessions())).toEqual(asJson(await peer.listSessions()));
  const here = { dir: sandbox.cwd };
  expect(asJson(await listSessions(here))).toEqual(asJson(await peer.listSessions(here)));
  expect((await getSessionInfo(first))?.tag).toBe("ours");
  expect((await getSessionInfo(first))?.customTitle).toBe("Fancy title");
  for (const id of ids) {
    expect(asJson(await getSessionInfo(id))).toEqual(asJson(await peer.getSessionInfo(id)));
    expect(asJson(await getSessionMessages(id))).toEqual(asJson(await peer.getSessionMessages(id)));
    const agents = await listSubagents(id);
    expect(agents).toEqual([...(await peer.listSubagents(id))].sort());
    for (const agent of agents) {
      expect(asJson(await getSubagentMessages(id, agent))).toEqual(asJson(await peer.getSubagentMessages(id, agent)));
    }
  }
  expect(await listSubagents(first)).toHaveLength(1);
  const messages = await getSessionMessages(first);
  expect(messages.map((message) => asJson(message))).toContainEqual(
    expect.objectContaining({ isCompactSummary: true }),
  );

  // A fork at every entry, whatever it is.
  const source = join(project, `${first}.jsonl`);
  const uuids = linesOf(source).flatMap((line: Entry) => (typeof line["uuid"] === "string" ? [line["uuid"]] : []));
  for (const upToMessageId of [undefined, ...uuids]) {
    const forks: unknown[] = [];
    for (const fork of [forkSession, peer.forkSession]) {
      const began = Date.now();
      try {
        const { sessionId } = await fork(first, upToMessageId === undefined ? {} : { upToMessageId });
        forks.push(comparableFork(linesOf(join(project, `${sessionId}.jsonl`)), sessionId, began));
      } catch (error) {
        forks.push(error instanceof Error ? error.message : error);
      }
    }
    expect(forks[0], String(upToMessageId)).toEqual(forks[1]);
  }

  // What only we have.
  let size = 0;
  for await (const line of readTranscript(source)) {
    expect(line.error).toBeUndefined();
    expect(line.byteOffset).toBe(size);
    size = line.endOffset;
  }
  expect(size).toBe(readFileSync(source).length);
  const usage = await sessionUsage(first);
  expect(usage.totalCostUsd).toBeGreaterThan(0);
  expect(usage.tokens.responses).toBeGreaterThan(5);
  const matches: string[] = [];
  for await (const { sessionId } of searchSessions("another way", here)) matches.push(sessionId);
  expect(matches).toContain(forkedByCli);
});

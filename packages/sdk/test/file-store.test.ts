import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  FileSystemSessionStore,
  forkSession,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
  projectKeyForDirectory,
  renameSession,
  tagSession,
  verifySession,
} from "@reins/sessions";
import { createSandbox, type ModelScript, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { type Options, query } from "../src/index.ts";
import { realOptions } from "./real-cli.ts";

const script: ModelScript = ({ toolResults, userText, body }) => {
  if (JSON.stringify(body.messages[0]).includes("Look around.")) return text("Found it.");
  // The request of a compaction is the last message, in whatever company.
  if (JSON.stringify(body.messages.at(-1)).includes("detailed summary")) return text("<summary>Short.</summary>");
  if (toolResults.length > 0) return text("The agent is back.");
  if (!userText.includes("agent")) return text(`Answer to ${userText.split("\n").at(-1)}`);
  const input = {
    description: "d",
    prompt: "Look around.",
    subagent_type: "general-purpose",
    run_in_background: false,
  };
  return toolUse("Agent", input);
};

test("all that a session becomes is in a store of files, and goes on from it on a machine that has nothing else", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(script);
  const folder = await mkdtemp(join(tmpdir(), "reins-file-store-"));
  // One project, as if the same folder were on all machines.
  await using home = await createSandbox({ model });
  const { cwd } = home;
  await using sessionStore = new FileSystemSessionStore({ root: folder });

  /** One prompt, on a machine of its own that is thrown away afterwards, transcript and all. */
  async function ask(prompt: string, options: Options = {}): Promise<{ result: string; session_id: string }> {
    await using sandbox = await createSandbox({ model });
    const own = { ...realOptions(sandbox), cwd, tools: ["Agent"], sessionStore };
    await using session = query({ prompt, options: { ...own, ...options } });
    for await (const message of session) {
      if (message.type === "result" && message.subtype === "success") return message;
    }
    throw new Error("no result");
  }

  try {
    const { session_id: resume, result } = await ask("Ask an agent.");
    expect(result).toBe("The agent is back.");
    await ask("/compact", { resume });
    expect(await ask("two", { resume })).toMatchObject({ result: "Answer to two", session_id: resume });
    const cleared = await ask("/clear", { resume });
    const where = { dir: cwd, sessionStore };
    await renameSession(resume, "Fancy title", where);
    await tagSession(resume, "fine", where);
    const fork = await forkSession(resume, where);
    expect(await ask("three", { resume: fork.sessionId })).toMatchObject({ session_id: fork.sessionId });

    const listed = await listSessions(where);
    expect(listed.map(({ sessionId }) => sessionId)).toEqual(expect.arrayContaining([resume, fork.sessionId]));
    expect(listed.find(({ sessionId }) => sessionId === resume)).toMatchObject({
      customTitle: "Fancy title",
      tag: "fine",
    });
    expect(JSON.stringify(await getSessionMessages(resume, where))).toContain("Answer to two");
    const [agent = "none"] = await listSubagents(resume, where);
    expect(JSON.stringify(await getSubagentMessages(resume, agent, where))).toContain("Found it.");
    const projectKey = projectKeyForDirectory(cwd);
    for (const sessionId of [resume, fork.sessionId, cleared.session_id]) {
      expect(await verifySession(sessionStore, { projectKey, sessionId })).toMatchObject({ issues: [] });
    }
    const last = JSON.stringify(model.requests.at(-1)?.body.messages);
    expect(last).toContain("Short.");
    expect(last).not.toContain("Ask an agent.");
  } finally {
    await rm(folder, { recursive: true });
  }
});

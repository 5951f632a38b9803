import { mkdir, readFile, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { FileSystemSessionStore, getSessionMessages, projectKeyForDirectory, transcriptPath } from "@reins/sessions";
import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  type Sandbox,
  type ScriptedModel,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { createFileLibrary } from "../src/server/file-library.ts";
import { createStoreLibrary } from "../src/server/store-library.ts";
import { keepPicture, useBrowser } from "./browser.ts";
import { type OpenViewer, openSession, openViewer } from "./open-viewer.ts";

const browser = useBrowser();

interface Opened extends AsyncDisposable {
  readonly opened: OpenViewer;
  readonly page: Page;
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
}

/** A viewer over sessions that were started elsewhere, in folders of the sandbox, and the real CLI to go on with them. */
async function openElsewhere(
  script: ModelScript,
  sessionsIn: (home: string) => readonly TranscriptWriter[],
): Promise<Opened> {
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const { configDir, cwd, env } = sandbox;
  for (const session of sessionsIn(await realpath(sandbox.home))) await session.write(configDir);
  const runs = { pathToClaudeCodeExecutable: findTestBinary(), cwd, env, settingSources: [] };
  const opened = await openViewer(browser(), [], { library: createFileLibrary({ configDir }), runs });
  return {
    opened,
    page: opened.page,
    model,
    sandbox,
    [Symbol.asyncDispose]: async () => {
      await opened[Symbol.asyncDispose]();
      await sandbox.close();
      await model.close();
    },
  };
}

function elsewhere(cwd: string, title: string): TranscriptWriter {
  return new TranscriptWriter({ cwd, begin: Date.now() - 600_000 })
    .prompt("First prompt.")
    .say("First answer.")
    .end(title, 0.1);
}

async function choose(page: Page, way: string, prompt: string): Promise<void> {
  await page.keyboard.press("c");
  await page.getByLabel(way).check();
  await page.getByLabel("Prompt", { exact: true }).fill(prompt);
}

test("goes on with a session that was started elsewhere, in its folder, and asks in the page", async () => {
  const script = [toolUse("Bash", { command: "pwd > where.txt && cat where.txt" }), text("Done."), text("Once more.")];
  let session: TranscriptWriter | undefined;
  await using all = await openElsewhere(script, (home) => {
    session = elsewhere(join(home, "mailroom"), "Elsewhere");
    return [session];
  });
  const { page, opened, model, sandbox } = all;
  const cwd = join(await realpath(sandbox.home), "mailroom");
  await openSession(page, "Elsewhere");
  // The folder is not there, so nothing is started.
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await page.getByRole("alert").getByText(`The folder of this session is not there any more: ${cwd}`).waitFor();
  expect(await page.getByLabel("Prompt", { exact: true }).count()).toBe(0);
  await page.keyboard.press("Escape");

  await mkdir(cwd);
  // Two tabs ask at once: one starts it, the other is told, and keeps what was written.
  const other = await opened.openPage();
  await openSession(other, "Elsewhere");
  for (const tab of [page, other]) await choose(tab, "In this session", `Where are you?`);
  await keepPicture(page, "continue");
  await page.keyboard.press("Enter");
  await page.getByRole("alertdialog").getByText("pwd > where.txt").first().waitFor();
  await other.getByRole("alertdialog").waitFor();
  expect(await other.getByLabel("Next prompt").inputValue()).toBe("Where are you?");
  await other.getByRole("button", { name: "Allow" }).click();
  for (const tab of [page, other]) await tab.locator(".row.text", { hasText: "Done." }).waitFor();
  // The CLI knew what had been said, and worked in the session's own folder.
  expect(JSON.stringify(model.requests[0]?.body)).toContain("First answer.");
  expect(model.requests[1]?.toolResults[0]?.text).toBe(cwd);
  await page.locator(".composer .state", { hasText: "Ready" }).waitFor();
  await page.getByLabel("Next prompt").fill("Again.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".row.text", { hasText: "Once more." }).waitFor();
  const messages = await getSessionMessages(session?.sessionId ?? "", { configDir: sandbox.configDir });
  expect(messages.length).toBeGreaterThanOrEqual(8);
  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.locator(".dock", { hasText: "Ended." }).waitFor();
  model.assertDone();
});

test("goes on with a copy where someone else seems to be in the session, and with the branch that is shown", async () => {
  const script = [text("In the copy."), text("In the copy of the branch.")];
  const written: TranscriptWriter[] = [];
  await using all = await openElsewhere(script, (home) => {
    const session = elsewhere(home, "Busy").prompt("Old prompt.");
    const first = session.say("Old answer.").tip;
    session
      .below(first)
      .prompt("Left prompt.")
      .say("Left answer.")
      .below(first)
      .prompt("New prompt.")
      .say("New answer.");
    written.push(session);
    return [session];
  });
  const { page, model, sandbox } = all;
  const path = transcriptPath(written[0]?.key ?? { projectKey: "", sessionId: "" }, { configDir: sandbox.configDir });
  const before = await readFile(path, "utf8");
  await openSession(page, "Busy");
  await page.keyboard.press("c");
  await page.getByText("It was written a moment ago").waitFor();
  expect(await page.getByLabel("As a copy").isChecked()).toBe(true);
  await page.getByLabel("Prompt", { exact: true }).fill("Go on.");
  await page.keyboard.press("Enter");
  await page.locator(".row.text", { hasText: "In the copy." }).waitFor();
  expect(JSON.stringify(model.requests[0]?.body)).toContain("New answer.");
  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.locator(".dock", { hasText: "Ended." }).waitFor();

  await page.goto(`${page.url().split("#")[0]}#/s/${written[0]?.sessionId}`);
  await page.locator(".row.text", { hasText: "New answer." }).waitFor();
  await page.keyboard.press("[");
  await page.locator(".row.text", { hasText: "Left answer." }).waitFor();
  await page.keyboard.press("c");
  expect(await page.getByLabel("In this session").isDisabled()).toBe(true);
  await page.getByLabel("Prompt", { exact: true }).fill("Go on here.");
  await page.keyboard.press("Enter");
  await page.locator(".row.text", { hasText: "In the copy of the branch." }).waitFor();
  const asked = JSON.stringify(model.requests[1]?.body);
  expect(asked).toContain("Left answer.");
  expect(asked).not.toContain("New answer.");
  expect(await readFile(path, "utf8")).toBe(before);
  model.assertDone();
});

test("goes on with a session of a store, keeps it there, and starts it once however often it is asked", async () => {
  await using model = await startScriptedModel([text("From the store.")]);
  await using sandbox = await createSandbox({ model });
  const { cwd, env, configDir } = sandbox;
  await using store = new FileSystemSessionStore({ root: join(sandbox.home, "store") });
  const session = elsewhere(cwd, "Stored");
  const key = { projectKey: projectKeyForDirectory(cwd, { configDir }), sessionId: session.sessionId };
  await store.append(
    key,
    session.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  const runs = { pathToClaudeCodeExecutable: findTestBinary(), cwd, env, settingSources: [], sessionStore: store };
  const library = createStoreLibrary(store, { dir: cwd, pollMs: 50 });
  await using opened = await openViewer(browser(), [], { library, runs });
  const { page } = opened;
  await openSession(page, "Stored");
  const ask = async (body: object): Promise<number> => {
    const { port, token } = opened.viewer;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", connection: "close" };
    const url = `http://127.0.0.1:${port}/api/sessions/${session.sessionId}/continue`;
    return (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  expect(await ask({ prompt: "Go on.", copy: "yes" })).toBe(400);
  expect(await ask({ prompt: "Go on.", copy: true, upTo: "--dangerous" })).toBe(400);
  expect(await ask({ prompt: "Go on.", copy: false, upTo: session.sessionId })).toBe(400);
  const both = await Promise.all([ask({ prompt: "Go on.", copy: false }), ask({ prompt: "Go on.", copy: false })]);
  expect(both.toSorted()).toEqual([201, 409]);
  await page.locator(".row.text", { hasText: "From the store." }).waitFor();
  expect(JSON.stringify(model.requests[0]?.body)).toContain("First answer.");
  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.locator(".dock", { hasText: "Ended." }).waitFor();
  expect(JSON.stringify(await store.load(key))).toContain("From the store.");
  await rm(join(configDir, "projects"), { recursive: true, force: true });
});

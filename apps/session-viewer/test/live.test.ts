import { appendFile, truncate, writeFile } from "node:fs/promises";
import { MemorySessionStore, projectKeyForDirectory, transcriptPath } from "@reins/sessions";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { createFileLibrary } from "../src/server/file-library.ts";
import { createStoreLibrary } from "../src/server/store-library.ts";
import { keepPicture, useBrowser } from "./browser.ts";
import { openSession, openViewer } from "./open-viewer.ts";

const browser = useBrowser();

function writer(title: string): TranscriptWriter {
  return new TranscriptWriter({ cwd: "/home/dana/mailroom", begin: Date.now() - 60_000 })
    .prompt("First prompt.")
    .say("First answer.")
    .end(title, 0.1);
}

test("goes on with what is appended, also in two pieces, and begins again when the file was replaced", async () => {
  const session = writer("Grows");
  await using opened = await openViewer(browser(), [session]);
  const { page, configDir } = opened;
  const path = transcriptPath(session.key, { configDir });
  await openSession(page, "Grows");
  await page.locator(".live", { hasText: "up to date" }).waitFor();
  await page.getByRole("button", { name: "Follow" }).click();

  const before = session.text.length;
  const line = session.say("Second answer.").text.slice(before);
  await appendFile(path, line.slice(0, 40));
  await appendFile(path, line.slice(40));
  await page.locator(".row", { hasText: "Second answer." }).waitFor();
  await page.locator(".live.grows").waitFor();

  // Following, the last of many is in sight.
  const known = session.text.length;
  for (let index = 1; index <= 60; index++) session.say(`Answer ${index}.`);
  await appendFile(path, session.text.slice(known));
  await page.locator(".row", { hasText: "Answer 60." }).waitFor();

  await truncate(path, 0);
  await writeFile(path, new TranscriptWriter({ cwd: session.cwd, begin: Date.now() }).prompt("Other prompt.").text);
  await page.locator(".row", { hasText: "Other prompt." }).waitFor();
  await page.locator(".row", { hasText: "Answer 60." }).waitFor({ state: "detached" });
});

test("goes on with the branch that is shown, and tells of what is written in another", async () => {
  const session = writer("Branches");
  const first = session.tip;
  session.prompt("Left prompt.").say("Left answer.");
  const left = session.tip;
  session.below(first).prompt("Other prompt.").say("Other answer.");
  const other = session.tip;
  await using opened = await openViewer(browser(), [session]);
  const { page, configDir } = opened;
  const path = transcriptPath(session.key, { configDir });
  const append = async (write: () => void): Promise<void> => {
    const before = session.text.length;
    write();
    await appendFile(path, session.text.slice(before));
  };
  const row = (text: string) => page.locator(".rows .row", { hasText: text });
  await openSession(page, "Branches");
  await row("Other answer.").waitFor();
  await append(() => session.below(other).prompt("It goes on."));
  await row("It goes on.").waitFor();

  // Someone goes back, in another window: what one reads stays in place.
  await append(() => session.below(left).prompt("Left for now."));
  await page.getByText("The conversation went on in another branch.").waitFor();
  expect(await row("Left for now.").count()).toBe(0);
  expect(await row("It goes on.").count()).toBe(1);
  await append(() => session.below(other).prompt("A third way."));
  await page.locator(".row.fork").nth(1).getByText("1/2").waitFor();
  expect(await row("It goes on.").count()).toBe(1);
  await page.getByRole("button", { name: "Show the last one" }).click();
  await row("A third way.").waitFor();
  await row("It goes on.").waitFor({ state: "detached" });
  await page.locator(".other-branch p").waitFor({ state: "detached" });
});

test("shows the sessions of a store, searches them, and goes on with what is appended", async () => {
  const session = writer("Stored");
  const key = { projectKey: projectKeyForDirectory(session.cwd), sessionId: session.sessionId };
  const entriesOf = (lines: string) =>
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const store = new MemorySessionStore();
  await store.append(key, entriesOf(session.text));
  const library = createStoreLibrary(store, { dir: session.cwd, pollMs: 50 });
  await using opened = await openViewer(browser(), [], { library });
  const { page } = opened;
  await openSession(page, "Stored");
  await page.locator(".row", { hasText: "First answer." }).waitFor();
  await page.locator(".details .figures", { hasText: "$0.10" }).waitFor();
  const before = session.text.length;
  await store.append(key, entriesOf(session.say("Second answer.").text.slice(before)));
  await page.locator(".row", { hasText: "Second answer." }).waitFor();

  await page.fill("#filter", "second ANSWER");
  await page.press("#filter", "Enter");
  await page.locator(".session", { hasText: "Second answer." }).click();
  await page.locator(".row.current", { hasText: "Second answer." }).waitFor();
});

/** The real CLI in a sandbox, with a model that is a script. */
async function openRuns(script: ModelScript) {
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const { configDir, cwd, env } = sandbox;
  const runs = { pathToClaudeCodeExecutable: findTestBinary(), cwd, env, settingSources: [] };
  const opened = await openViewer(browser(), [], { library: createFileLibrary({ configDir }), runs });
  return {
    page: opened.page,
    model,
    [Symbol.asyncDispose]: async () => {
      await opened[Symbol.asyncDispose]();
      await sandbox.close();
      await model.close();
    },
  };
}

test("runs a session whose questions are answered in the page, with keys and buttons", async () => {
  const script = [
    [text("I will compute it."), toolUse("Bash", { command: "node -p '6*7'" })],
    toolUse("Bash", { command: "node -p '6*7'" }),
    text("It is ", "42."),
    [text("Once more."), toolUse("Bash", { command: "rm sum.txt" })],
    text("Then I keep it."),
  ];
  await using opened = await openRuns(script);
  const { page, model } = opened;
  await page.keyboard.press("n");
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type("How much is 6 times 7?");
  await page.keyboard.press("Enter");

  const question = page.getByRole("alertdialog");
  await question.getByText("node -p '6*7'").first().waitFor();
  await page.locator(".row.call", { hasText: "no result yet" }).waitFor();
  await keepPicture(page, "question");
  // The question waits wherever one looks.
  await page.keyboard.press("u");
  await page.getByRole("link", { name: "1 question waits" }).click();
  await question.waitFor();
  // A key that is pressed before anyone can have read the question does not count.
  await vi.waitFor(
    async () => {
      await page.keyboard.press("A");
      expect(await question.count()).toBe(0);
    },
    { timeout: 20_000, interval: 100 },
  );
  await page.locator(".row.text", { hasText: "It is 42." }).waitFor();
  await page.locator(".composer .state", { hasText: "Ready" }).waitFor();
  // Always: the same command was not asked about again.
  expect(model.requests[1]?.toolResults[0]?.text).toBe("42");
  expect(model.requests[2]?.toolResults[0]?.text).toBe("42");

  await page.getByLabel("Next prompt").fill("And remove it.");
  await page.getByRole("button", { name: "Send" }).click();
  await question.getByText("rm sum.txt").first().waitFor();
  await question.getByRole("button", { name: "Deny" }).click();
  await page.locator(".row.text", { hasText: "Then I keep it." }).waitFor();
  await page.locator(".row.call .bad").waitFor();
  await page.locator(".session .dot").waitFor();

  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.locator(".dock", { hasText: "Ended." }).waitFor();
  model.assertDone();
});

test("takes a question back when the turn is interrupted, and tells why a turn failed", async () => {
  await using opened = await openRuns([toolUse("Bash", { command: "rm -r everything" })]);
  const { page } = opened;
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByLabel("Prompt").fill("Clean up.");
  await page.getByRole("button", { name: "Start" }).click();
  const question = page.getByRole("alertdialog");
  await question.waitFor();
  await page.getByRole("button", { name: "Interrupt" }).click();
  await question.waitFor({ state: "detached" });
  await page.locator(".composer .state", { hasText: "Ready" }).waitFor();
  // The script has no more turns: the model refuses.
  await page.getByLabel("Next prompt").fill("Go on.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".dock .problem").waitFor();
});

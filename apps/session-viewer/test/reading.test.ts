import { expect, test } from "vitest";
import { sampleSessions } from "../src/demo/samples.ts";
import { keepPicture, useBrowser } from "./browser.ts";
import { openSession, openViewer } from "./open-viewer.ts";

const browser = useBrowser();
const patient = { timeout: 20_000 };

test("lists, filters and searches sessions, and leads to what was found", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()));
  const { page } = opened;
  const titles = page.locator(".session .text");
  expect(await titles.first().textContent()).toBe("Mend the retry test that fails on CI");
  await page.locator(".count", { hasText: "12 sessions" }).waitFor();
  await keepPicture(page, "list");

  await page.fill("#filter", "status dark");
  await expect.poll(() => titles.allTextContents(), patient).toEqual(["Add a dark theme to the status page"]);
  await page.fill("#filter", "ci fix/retry");
  await expect.poll(() => titles.allTextContents(), patient).toEqual(["Mend the retry test that fails on CI"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByLabel("Folder").selectOption({ label: "infrastructure" });
  await expect.poll(() => titles.allTextContents(), patient).toEqual(["Turn the cron jobs into timers"]);
  await page.getByLabel("Folder").selectOption("");
  await page.getByLabel("Time").selectOption({ label: "24 hours" });
  await page.locator(".count", { hasText: "4 sessions" }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();

  await page.fill("#filter", "needs no clock");
  await page.press("#filter", "Enter");
  await page.locator(".session .excerpt").waitFor();
  await page.locator(".count", { hasText: "1 match" }).waitFor();
  await page.locator(".session").click();
  await page.locator(".row.current", { hasText: "needs no clock" }).waitFor();
  // What the list leaves out is not found either.
  await page.getByLabel("Folder").selectOption({ label: "ledger" });
  await page.getByText("No session with a match fits the filters.").waitFor();
});

test("shows a conversation: markdown, calls with their input, result, change and time, thinking and pictures", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()));
  const { page } = opened;
  await openSession(page, "Mend the retry test");
  await page.locator(".markdown table").waitFor();
  expect(await page.locator(".markdown a").getAttribute("rel")).toBe("noopener noreferrer");
  expect(await page.locator(".markdown ol li").count()).toBe(2);

  const call = (text: string) => page.locator(".row.call", { hasText: text });
  expect(await call("seq 50").locator(".outcome").textContent()).toBe("48.3 s");
  expect(await call("vitest run").first().locator(".bad").textContent()).toBe("failed");
  await page.getByRole("button", { name: /^Thinking/ }).click();
  await page.getByText("Look at the test first").waitFor();

  await call("Edit").getByRole("button").click();
  const change = call("Edit").locator(".diff");
  await change.locator(".added", { hasText: "await pause(" }).waitFor();
  expect(await change.locator(".removed").allTextContents()).toContain("7−      await sleep(100 * 2 ** attempt);");
  await keepPicture(page, "transcript");
  await call("Edit").getByRole("button").click();
  await change.waitFor({ state: "detached" });

  await call("timing.png").getByRole("button").click();
  const picture = call("timing.png").locator("img");
  await picture.waitFor();
  expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(160);

  expect(await page.locator(".row.record").count()).toBe(0);
  await page.getByLabel("Records").check();
  await page.locator(".row.record", { hasText: "cost-state" }).waitFor();
  await page.getByLabel("Tools").uncheck();
  await expect.poll(() => page.locator(".row.call").count(), patient).toBe(0);
});

test("shows a subagent inside of its call, and on a page of its own", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()));
  const { page } = opened;
  await openSession(page, "Review the changes");
  await page.locator(".row.call", { hasText: "Agent" }).getByRole("button").first().click();
  const subagent = page.locator(".subagent");
  await subagent.getByText("One finding:").waitFor();
  await subagent.locator(".row.call", { hasText: "Grep" }).getByRole("button").click();
  await subagent.getByText("src/attachments.ts:41").waitFor();
  await keepPicture(page, "subagent");
  await subagent.getByRole("link", { name: "Open as a page" }).click();
  await page.locator(".session-header h1", { hasText: "Review the changes of the week / Security review" }).waitFor();
  await page.locator(".rows .row.call", { hasText: "Grep" }).waitFor();
});

test("marks a compaction, and shows how full the context window is", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()), {
    context: { colorScheme: "dark" },
  });
  const { page } = opened;
  await openSession(page, "Stream the CSV import");
  await page.keyboard.press("G");
  await page.locator(".divider", { hasText: "146k → 9.0k tokens" }).waitFor();
  await page.getByRole("button", { name: /^Summary of what came before/ }).click();
  await page.getByText("takes 70 MB of memory").waitFor();
  await page.locator(".session-header .meter", { hasText: "11.2k / 200k" }).waitFor();
  await expect.poll(() => page.locator(".details .mark").count(), patient).toBe(1);
  await page.locator(".details .figures", { hasText: "$3.19" }).waitFor();
  await keepPicture(page, "compaction-dark");
});

test("shows the branch that was written last, and leads to the others by button, key and search", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()));
  const { page } = opened;
  const shows = (text: string) => page.locator(".rows .row", { hasText: text }).waitFor();
  const hides = (text: string) => page.locator(".rows .row", { hasText: text }).waitFor({ state: "detached" });
  await openSession(page, "Name the slow state");
  await shows("Slower than usual now.");
  const forks = page.locator(".row.fork");
  expect(await forks.locator(".place").allTextContents()).toEqual(["2/2", "2/2"]);
  await page.getByRole("article", { name: "Branch 2 of 2" }).first().waitFor();
  await keepPicture(page, "branches");

  const previous = forks.first().getByRole("button", { name: "Previous branch" });
  await previous.focus();
  await page.keyboard.press("Enter");
  await shows("Under load now.");
  await hides("Slower than usual now.");
  expect(await forks.locator(".place").allTextContents()).toEqual(["1/2"]);
  // The button is still there to go on with.
  expect(await previous.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.getByText("This is not the branch that was written last.").waitFor();
  await page.getByRole("button", { name: "Show the last one" }).click();
  await shows("Slower than usual now.");

  for (const key of ["g", "b", "b", "["]) await page.keyboard.press(key);
  await shows("Out of breath");
  await hides("Slower than usual now.");
  await page.locator(".row.fork.current", { hasText: "1/2" }).waitFor();
  await page.keyboard.press("Enter");
  await shows("Slower than usual now.");

  await page.fill("#filter", "third is good");
  await page.press("#filter", "Enter");
  await page.locator(".session .excerpt").click();
  await page.locator(".row.current", { hasText: "The third is good." }).waitFor();
  await hides("Slower than usual now.");
});

test("adds up usage and cost per day and per session", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()));
  const { page } = opened;
  await page.getByRole("link", { name: "Usage" }).click();
  await page.locator(".usage [role=status]", { hasText: /^12 sessions$/ }).waitFor();
  expect(await page.locator(".usage > .figures dd").first().textContent()).toBe("$8.04");
  expect(await page.locator(".sessions-table tbody tr").first().textContent()).toContain("Stream the CSV import");
  const days = page.getByRole("table", { name: "Cost per day" }).getByRole("row");
  expect(await days.count()).toBeGreaterThanOrEqual(10);
  await keepPicture(page, "usage");
});

test("can be used with keys alone", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()));
  const { page } = opened;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press("?");
  await page.getByRole("dialog").waitFor();
  await press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await press("/");
  await page.keyboard.type("mailroom");
  await press("Escape", "j", "j", "k");
  await page.locator(".session.current", { hasText: "Mend the retry test" }).waitFor();
  await press("Enter");
  await page.locator(".row.prompt .markdown").waitFor();
  await press("j", "j", "j", "j", "Enter");
  await page.locator(".row.call.current .unfolded", { hasText: "export async function retry" }).waitFor();
  await press("Enter");
  await page.locator(".unfolded").waitFor({ state: "detached" });
  await press("G");
  await page.locator(".row.current", { hasText: "What was wrong" }).waitFor();
  await press("i");
  await page.locator(".details").waitFor({ state: "detached" });
  await press("t", "t");
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  // A click does not take the keys away.
  await page.locator(".session", { hasText: "Review the changes" }).click();
  await page.locator(".row.call .fold").click();
  await page.locator(".unfolded").first().waitFor();
  await press("k", "j", "Enter");
  await page.locator(".unfolded").waitFor({ state: "detached" });
  await press("Escape");
  await page.getByText("No session is open").waitFor();
  await press("u");
  await page.getByRole("heading", { name: "Usage" }).waitFor();
});

test("fits a window of 400 points, where the list and the transcript take turns", async () => {
  await using opened = await openViewer(browser(), sampleSessions(Date.now()), {
    context: { viewport: { width: 400, height: 800 } },
  });
  const { page } = opened;
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBe(0);
  await keepPicture(page, "narrow-list");
  await openSession(page, "Mend the retry test");
  await page.locator(".row.prompt .markdown").waitFor();
  expect(await overflow()).toBe(0);
  expect(await page.locator(".list").isVisible()).toBe(false);
  await keepPicture(page, "narrow-transcript");
  await page.getByRole("button", { name: "Details" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  await page.locator(".details").waitFor({ state: "detached" });
  await page.getByLabel("Back to the list").click();
  await page.locator(".list").waitFor();
  await page.getByRole("link", { name: "Usage" }).click();
  await page.locator(".usage [role=status]", { hasText: /^12 sessions$/ }).waitFor();
  expect(await page.locator(".usage").evaluate((usage) => usage.scrollWidth - usage.clientWidth)).toBe(0);
  await keepPicture(page, "narrow-usage");
});

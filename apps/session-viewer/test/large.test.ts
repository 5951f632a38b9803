import { appendFile, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { transcriptPath } from "@reins/sessions";
import { expect, test } from "vitest";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { useBrowser } from "./browser.ts";
import { openViewer } from "./open-viewer.ts";

const browser = useBrowser();

const rounds = 6_600;
const paragraph = "The quick brown fox jumps over the lazy dog, and **then** it reads `some code` in a file. ";

/** About 50 MB: prompts, answers and calls, and the requests that the CLI keeps beside them. */
async function writeLarge(session: TranscriptWriter, configDir: string): Promise<string> {
  const path = transcriptPath(session.key, { configDir });
  await mkdir(dirname(path), { recursive: true });
  let begin: string | null = null;
  for (let round = 0; round < rounds; round++) {
    session.prompt(`Prompt ${round}.`);
    begin ??= session.tip;
    session.say(paragraph.repeat(12), {
      type: "tool_use",
      id: `t${round}`,
      name: "Bash",
      input: { command: `echo ${round}` },
    });
    session.result(`t${round}`, `${paragraph}\n`.repeat(50));
  }
  const tip = session.tip;
  // Someone went back to the first prompt, and then left that again.
  session.below(begin).prompt("The other branch.").below(tip).prompt("The last prompt.");
  await appendFile(path, session.end("Large", 1).text);
  return path;
}

test("opens a session of 50 MB without freezing, and goes through it", async () => {
  await using opened = await openViewer(browser(), []);
  const { page, configDir } = opened;
  const session = new TranscriptWriter({ cwd: "/home/dana/mailroom", begin: Date.now() - 86_400_000 });
  const path = await writeLarge(session, configDir);
  expect((await stat(path)).size).toBeGreaterThan(50_000_000);
  await page.reload();
  await page.evaluate(() => {
    const durations: number[] = [];
    Object.assign(globalThis, { longTasks: durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) durations.push(entry.duration);
    }).observe({ type: "longtask" });
  });

  const began = performance.now();
  await page.locator(".session", { hasText: "Large" }).click();
  await page.locator(".row.prompt", { hasText: "Prompt 0." }).waitFor();
  const firstRowMs = performance.now() - began;
  await page.locator(".live", { hasText: "up to date" }).waitFor();
  const wholeMs = performance.now() - began;
  expect(await page.locator(".row").first().getAttribute("aria-setsize")).toBe(String(rounds * 3 + 2));

  await page.keyboard.press("G");
  await page.locator(".row", { hasText: `echo ${rounds - 1}` }).waitFor();
  for (const share of [0.25, 0.8, 0.5]) {
    await page.locator(".rows").evaluate((list, part) => {
      list.scrollTop = list.scrollHeight * part;
    }, share);
    await page.waitForFunction(() => {
      const rows = [...document.querySelectorAll(".rows .row")];
      return rows.length > 0 && document.querySelector(".rows .row .coming") === null;
    });
  }
  expect(await page.locator(".rows .row").count()).toBeLessThan(80);
  await page.keyboard.press("g");
  await page.locator(".row.prompt", { hasText: "Prompt 0." }).waitFor();

  await page.keyboard.press("]");
  await page.locator(".row.prompt", { hasText: "The other branch." }).waitFor();
  await page.keyboard.press("]");
  await page.locator(".row", { hasText: "echo 0" }).waitFor();

  const longest = await page.evaluate(() => Math.max(0, ...(Reflect.get(globalThis, "longTasks") as number[])));
  // With ten processes for each core these were 1,100, 3,400 and 400 ms. A page that parses 50 MB at once stands still for seconds.
  expect(firstRowMs).toBeLessThan(8_000);
  expect(wholeMs).toBeLessThan(25_000);
  expect(longest).toBeLessThan(1_500);
});

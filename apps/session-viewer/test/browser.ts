import { watch } from "node:fs";
import { access, constants, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type LeakCheck, startLeakCheck } from "@reins/testkit";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";

/** The tests drive the browser of the machine: nothing is downloaded. */
async function findChromium(): Promise<string> {
  const names = ["chromium", "chromium-browser", "google-chrome"];
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      const isThere = await access(path, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  throw new Error("The tests of the session viewer need Chromium: apt-get install chromium, or put one on the PATH.");
}

/** Without these it asks its maker's servers for news at every start. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * One browser for the tests of a file: to start it takes longer than most of them. Each test has contexts of its own. When the browser is closed,
 * nothing may be left of any test.
 */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  let leaks: LeakCheck | undefined;
  beforeAll(async () => {
    // The first watcher of a process opens a descriptor that stays: it is no leak of a test.
    watch(tmpdir()).close();
    leaks = startLeakCheck({ timeoutMs: 10_000 });
    browser = await chromium.launch({ executablePath: await findChromium(), args });
  });
  // 0: the timer that would bound the hook would count as a leak. Both waits are bounded themselves.
  afterAll(async () => {
    await browser?.close();
    await leaks?.assertClean();
  }, 0);
  return () => {
    if (browser === undefined) throw new Error("The browser is there in tests only.");
    return browser;
  };
}

const shots = join(import.meta.dirname, "../../../test-results/session-viewer");

/** Keeps a picture of the page, for people. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await mkdir(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

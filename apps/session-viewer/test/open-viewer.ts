import { mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { createFileLibrary } from "../src/server/file-library.ts";
import { startViewer, type Viewer, type ViewerOptions } from "../src/server/viewer.ts";

export const pageFolder: string = join(import.meta.dirname, "../dist");

export interface OpenViewer extends AsyncDisposable {
  readonly viewer: Viewer;
  readonly page: Page;
  readonly configDir: string;
  /** Another page on the same server. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
}

/**
 * A viewer over some sessions, and a page on it. When it is closed, the page must have been quiet: no error, no dialog, no refusal by the policy, no
 * request to anyone else.
 */
export async function openViewer(
  browser: Browser,
  sessions: readonly TranscriptWriter[],
  options: Partial<ViewerOptions> & { readonly context?: BrowserContextOptions } = {},
): Promise<OpenViewer> {
  const configDir = await mkdtemp(join(tmpdir(), "session-viewer-"));
  for (const session of sessions) {
    const path = await session.write(configDir);
    await utimes(path, new Date(session.time), new Date(session.time));
  }
  const library = options.library ?? createFileLibrary({ configDir });
  const viewer = await startViewer({ page: pageFolder, ...options, library });
  const contexts: BrowserContext[] = [];
  const noise: string[] = [];

  const openPage = async (contextOptions: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...contextOptions });
    contexts.push(context);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") noise.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      noise.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(`http://127.0.0.1:${viewer.port}/`) && !url.startsWith("data:"))
        noise.push(`request: ${url}`);
    });
    page.on("popup", (popup) => noise.push(`popup: ${popup.url()}`));
    await page.goto(viewer.url);
    await page.waitForFunction(() => document.querySelector(".session, .list .nothing") !== null);
    return page;
  };

  return {
    viewer,
    page: await openPage(options.context),
    configDir,
    openPage,
    [Symbol.asyncDispose]: async () => {
      for (const context of contexts) await context.close();
      await viewer.close();
      await rm(configDir, { recursive: true });
      expect(noise).toEqual([]);
    },
  };
}

/** Opens a session by its title. */
export async function openSession(page: Page, title: string): Promise<void> {
  await page.locator(".session", { hasText: title }).first().click();
  await page.locator(".session-header h1", { hasText: title }).waitFor();
  await page.locator(".live:not(.loading)").waitFor();
}

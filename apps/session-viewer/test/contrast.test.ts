import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { sampleSessions } from "../src/demo/samples.ts";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { useBrowser } from "./browser.ts";
import { openSession, openViewer } from "./open-viewer.ts";

const browser = useBrowser();

/** Each text in sight with less contrast to its ground than WCAG 2.2 AA asks for. */
function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const parse = (text: string): Colour => {
      if (canvas === null) throw new Error("There is no canvas.");
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (index: 0 | 1 | 2): number => top[index] * top[3] + below[index] * (1 - top[3]);
      return [mix(0), mix(1), mix(2), 1];
    };
    const luminance = (colour: Colour): number => {
      const linear = (value: number): number => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
    };
    const ancestors = (element: Element): Element[] => {
      const all: Element[] = [];
      for (let at: Element | null = element; at !== null; at = at.parentElement) all.push(at);
      return all;
    };
    const groundOf = (element: Element): Colour => {
      const layers = ancestors(element).map((one) => parse(getComputedStyle(one).backgroundColor));
      return layers.reverse().reduce<Colour>((below, layer) => over(layer, below), [255, 255, 255, 1]);
    };

    const low = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || node.textContent?.trim() === "" || !element.checkVisibility()) continue;
      if (element.closest(".hidden, option, title, :disabled") !== null) continue;
      const style = getComputedStyle(element);
      const opacity = ancestors(element).reduce((product, one) => product * Number(getComputedStyle(one).opacity), 1);
      if (opacity === 0) continue;
      const ground = groundOf(element);
      const [red, green, blue, alpha] = parse(element instanceof SVGElement ? style.fill : style.color);
      const ink = over([red, green, blue, alpha * opacity], ground);
      const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a) as [number, number];
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (isLarge ? 3 : 4.5))
        low.add(`${element.className} "${node.textContent?.slice(0, 30)}": ${ratio.toFixed(2)}`);
    }
    return [...low];
  });
}

const failing = new TranscriptWriter({ cwd: realpathSync(tmpdir()), begin: Date.now() - 7_200_000 })
  .prompt("Prompt with `code`")
  .prompt("<local-command-stdout>notice</local-command-stdout>")
  .record({
    type: "assistant",
    uuid: "e",
    isApiErrorMessage: true,
    message: { content: [{ type: "text", text: "API Error" }] },
  })
  .end("Broken", 0.1);

for (const colorScheme of ["light", "dark"] as const) {
  test(`every text stands out from its ground in the ${colorScheme} theme`, async () => {
    const sessions = [...sampleSessions(Date.now()), failing];
    // Nothing is started, but could be.
    const runs = { cwd: tmpdir(), pathToClaudeCodeExecutable: "none" };
    await using opened = await openViewer(browser(), sessions, { context: { colorScheme }, runs });
    const { page } = opened;
    expect(await lowContrast(page)).toEqual([]);
    await openSession(page, "Mend the retry test");
    await page.getByLabel("Records").check();
    for (const fold of ["Edit", "vitest run", "Thinking"]) {
      await page.locator(".row .fold", { hasText: fold }).first().click();
    }
    await page.locator(".diff .added").first().waitFor();
    expect(await lowContrast(page)).toEqual([]);
    await openSession(page, "Stream the CSV import");
    await page.keyboard.press("G");
    await page.locator(".divider").waitFor();
    expect(await lowContrast(page)).toEqual([]);
    await openSession(page, "Broken");
    await page.locator(".row.error", { hasText: "API Error" }).waitFor();
    await page.keyboard.press("c");
    await page.getByLabel("Prompt", { exact: true }).waitFor();
    expect(await lowContrast(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await openSession(page, "Name the slow state");
    await page.keyboard.press("[");
    await page.getByText("This is not the branch that was written last.").waitFor();
    await page.keyboard.press("c");
    await page.getByRole("alert").waitFor();
    expect(await lowContrast(page)).toEqual([]);
    await page.keyboard.press("u");
    await page.locator(".usage [role=status]", { hasText: /^13 sessions$/ }).waitFor();
    expect(await lowContrast(page)).toEqual([]);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    expect(await lowContrast(page)).toEqual([]);
  });
}

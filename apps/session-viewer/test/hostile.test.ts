import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { TranscriptWriter } from "../src/demo/transcript-writer.ts";
import { useBrowser } from "./browser.ts";
import { openSession, openViewer } from "./open-viewer.ts";

const browser = useBrowser();

const markup = [
  "<script>window.executed = 'script'</script>",
  "<img src=x onerror=\"window.executed = 'onerror'\">",
  "<svg onload=\"window.executed = 'onload'\"><a xlink:href=\"javascript:window.executed='svg'\"><text>x</text></a></svg>",
  "<iframe srcdoc=\"<script>parent.executed = 'iframe'</script>\"></iframe>",
  "<style>body { display: none }</style><base href='http://evil.example/'>",
  '<a href="javascript:window.executed=\'html\'" class="bait">bait</a>',
  "[bait](javascript:window.executed='link')",
  "[bait](JaVaScRiPt&#58;window.executed='entity')",
  "[bait](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "[bait](//evil.example/x) [bait](file:///etc/passwd) [bait](vbscript:x)",
  "[bait]: javascript:window.executed='definition'\n\n[bait]",
  "![bait](http://evil.example/pixel.png) ![bait](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)",
  "![bait](\"onerror=\"window.executed='attribute')",
  '```"><script>window.executed = "language"</script>\ncode\n```',
  "</pre></code></div></body></html>",
].join("\n\n");

const image = (media_type: string, data: string): Record<string, unknown> => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const use = (id: string, name: string, input: unknown): Record<string, unknown> => ({
  type: "tool_use",
  id,
  name,
  input,
});

function hostileSession(): TranscriptWriter {
  const patch = [{ oldStart: 1, newStart: 1, lines: [`+${markup}`, "-<b>old</b>", " same", "?odd"] }];
  return new TranscriptWriter({
    cwd: "/home/x/<img src=x onerror=window.executed='cwd'>",
    begin: Date.now(),
    branch: markup,
  })
    .prompt(markup)
    .say(markup, { type: "thinking", thinking: markup }, use("t1", markup, { command: markup, [markup]: markup }))
    .result("t1", markup, {
      is_error: true,
      toolUseResult: { agentId: "../../../../etc/passwd", structuredPatch: patch },
    })
    .say(
      use(
        "t2",
        "Edit",
        JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "old_string": "a", "new_string": "<b>b</b>"}'),
      ),
    )
    .result("t2", [
      image(
        "image/svg+xml",
        Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").toString("base64"),
      ),
      image("text/html", "PHNjcmlwdD4="),
      image('image/png;base64,x" onerror="window.executed=1', "AAAA"),
      image("image/png", '"><script>window.executed = 1</script>'),
      { type: "image", source: { type: "url", url: "http://evil.example/pixel.png" } },
      { type: "unheard-of", html: markup },
    ])
    .prompt([image("image/png", "A".repeat(4_000_000)), { type: "text", text: "w".repeat(400_000) }])
    .say(
      "> ".repeat(9_000),
      "*a **a ".repeat(2_800),
      "[".repeat(19_000),
      `${"|a".repeat(2_000)}\n${"|-".repeat(2_000)}`,
    )
    .say(use("t3", "Bash", { command: "rm \u202efdp.seilppus\u200b" }))
    .say("\u202egnp.exe \u0000 \ud800 \u2028 end")
    .record({ type: "system", subtype: markup, content: markup, uuid: "u", timestamp: "never" })
    .record({ type: "user", message: null })
    .record({
      type: "user",
      message: { content: [null, 7, { type: "tool_result", tool_use_id: {} }, { type: "text", text: {} }] },
    })
    .record({
      type: "assistant",
      message: { content: [{ type: "tool_use", id: 1, name: {} }], usage: { input_tokens: "1e9" }, model: markup },
    })
    .record({
      type: "system",
      subtype: "compact_boundary",
      compactMetadata: { trigger: markup, preTokens: "x", postTokens: Number.MAX_VALUE },
    })
    .record({ type: markup, deep: JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`) })
    .line(`{"type":"deep","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`)
    .line(
      `{"type":"user","message":{"content":[{"type":"tool_result","content":[${"[".repeat(100_000)}${"]".repeat(100_000)}]}]}}`,
    )
    .line("{ no JSON at all \u0000")
    .record({ type: "tag", tag: markup.slice(0, 60) })
    .end(`Bait ${markup}`, 0.1);
}

interface Seen {
  readonly texts: readonly string[];
  /** Target and `rel` of each link, but for those within the page. */
  readonly links: readonly (readonly [string | null, string | null])[];
  readonly pictures: readonly (string | null)[];
  /** Elements that have no place in a transcript. */
  readonly strangers: number;
}

/** Goes through the whole list, opens what is folded, and tells what there was to see. */
async function readAll(page: Page): Promise<readonly Seen[]> {
  const rows = Number(await page.locator(".row").first().getAttribute("aria-setsize"));
  const seen: Seen[] = [];
  for (let index = 0; index < rows; index++) {
    await page.keyboard.press(index === 0 ? "g" : "j");
    await page.locator(`.row.current[aria-posinset="${index + 1}"]`).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => {
      const current = document.querySelector(".row.current");
      return current !== null && current.querySelector(".coming") === null;
    });
    seen.push(
      await page.locator(".rows").evaluate((list) => {
        const links = [...list.querySelectorAll("a:not([href^='#/'])")];
        return {
          texts: [...list.querySelectorAll(".row")].map((row) => row.textContent ?? ""),
          links: links.map((link) => [link.getAttribute("href"), link.getAttribute("rel")] as const),
          pictures: [...list.querySelectorAll("img")].map((picture) => picture.getAttribute("src")),
          strangers: list.querySelectorAll("script, style, iframe, object, embed, base, link, form").length,
        };
      }),
    );
  }
  return seen;
}

test("runs nothing of a hostile transcript, and shows it as the text that it is", async () => {
  await using opened = await openViewer(browser(), [hostileSession()]);
  const { page } = opened;
  await openSession(page, "Bait");
  await page.getByLabel("Records").check();
  const seen = await readAll(page);

  const texts = seen.flatMap((one) => one.texts);
  expect(texts).toContainEqual(expect.stringContaining("<script>window.executed = 'script'</script>"));
  // A command is not shown as another one.
  expect(texts).toContainEqual(expect.stringContaining("rm \\u202efdp.seilppus\\u200b"));
  // What can be clicked leads to the web only, and says nothing of where it comes from.
  for (const link of seen.flatMap(({ links }) => links)) {
    expect(link).toEqual([expect.stringMatching(/^https?:/), "noopener noreferrer"]);
  }
  for (const source of seen.flatMap(({ pictures }) => pictures)) {
    expect(source).toMatch(/^data:image\/(?:png|jpeg|gif|webp);base64,/);
  }
  expect(seen.every(({ strangers }) => strangers === 0)).toBe(true);
  expect(await page.evaluate(() => "executed" in window || "polluted" in {})).toBe(false);
  // Nor does it push anything out of its place.
  const pushed = await page.evaluate(() => {
    const frames = [...document.querySelectorAll(".list, .filters, .session-header, .rows, .details")];
    return frames.filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.className);
  });
  expect(pushed).toEqual([]);
  // The page is still in use.
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
});

test("asks before it shows a picture of many megabytes, and shows long text in parts", async () => {
  await using opened = await openViewer(browser(), [hostileSession()]);
  const { page } = opened;
  await openSession(page, "Bait");
  await page.locator(".row", { hasText: "w".repeat(100) }).waitFor();
  await page.getByRole("button", { name: "Show the picture, 3.0 MB" }).waitFor();
  const long = page.locator(".row", { hasText: "w".repeat(100) });
  expect((await long.locator("pre, .markdown").first().textContent())?.length).toBe(20_000);
  await long.getByRole("button", { name: "Show all 400k characters" }).click();
  await expect
    .poll(async () => (await long.locator("pre").first().textContent())?.length, { timeout: 20_000 })
    .toBe(400_000);
});

test("a policy stands behind the code: HTML made of text is refused by the browser", async () => {
  await using opened = await openViewer(browser(), []);
  const context = await browser().newContext();
  try {
    const page = await context.newPage();
    await page.goto(opened.viewer.url);
    const refused = await page.evaluate(() => {
      try {
        document.body.innerHTML = "<b>text</b>";
        return "taken";
      } catch (error) {
        return error instanceof TypeError ? "refused" : "other";
      }
    });
    expect(refused).toBe("refused");
    const violated = page.evaluate(() => {
      return new Promise<string>((resolve) => {
        document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
        const script = document.createElement("img");
        script.src = "http://127.0.0.1:9/pixel.png";
        document.body.append(script);
      });
    });
    expect(await violated).toBe("img-src");
  } finally {
    await context.close();
  }
});

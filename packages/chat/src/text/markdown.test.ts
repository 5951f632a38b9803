import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { markdownLines, settledLength } from "./markdown.ts";
import { createStyle } from "./style.ts";

const plain = createStyle(false);
const coloured = createStyle(true);

const sample = `# Apples *and* pears

A paragraph with **bold**, *slanted*, ~~struck~~ and \`code\`, a [link](https://example.com/a/long/path/to/fruit) and <https://example.com>. 5 &lt; 6.
A hard break\\
and ![an image](fruit.png).

1. one
   - nested
     - deeper

     with a paragraph
2. two

- [x] done
- [ ] not done

> A quote
> - with a list

| fruit | colour | in stock |
| --- | :-: | --: |
| apple | red or green | 12 |
| 梨 | yellow | 5 |

\`\`\`ts
function f(apples: number) {
  return apples * 2; // a long line that has to be cut
}
\`\`\`

<b>html</b>

---
`;

/** A box around the lines, so that spaces at their ends are seen, and lines that are too wide as well. */
function framed(width: number): string {
  const lines = markdownLines(sample, width, plain);
  return `\n${lines.map((line) => `${line}${" ".repeat(Math.max(width - stringWidth(line), 0))}│`).join("\n")}\n`;
}

test("is readable in 80 columns", () => {
  expect(framed(80)).toMatchInlineSnapshot(`
    "
    # Apples *and* pears                                                            │
                                                                                    │
    A paragraph with **bold**, *slanted*, ~~struck~~ and \`code\`, a link             │
    (https://example.com/a/long/path/to/fruit) and https://example.com. 5 < 6.      │
    A hard break                                                                    │
    and [image: an image] (fruit.png).                                              │
                                                                                    │
    1. one                                                                          │
       • nested                                                                     │
                                                                                    │
         • deeper                                                                   │
                                                                                    │
         with a paragraph                                                           │
    2. two                                                                          │
                                                                                    │
    [x] done                                                                        │
    [ ] not done                                                                    │
                                                                                    │
    │ A quote                                                                       │
                                                                                    │
    │ • with a list                                                                 │
                                                                                    │
    fruit │    colour    │ in stock                                                 │
    ──────┼──────────────┼─────────                                                 │
    apple │ red or green │       12                                                 │
    梨    │    yellow    │        5                                                 │
                                                                                    │
      function f(apples: number) {                                                  │
        return apples * 2; // a long line that has to be cut                        │
      }                                                                             │
                                                                                    │
    <b>html</b>                                                                     │
                                                                                    │
    ────────────────────────────────────────                                        │
    "
  `);
});

test("is readable in 40 columns", () => {
  expect(framed(40)).toMatchInlineSnapshot(`
    "
    # Apples *and* pears                    │
                                            │
    A paragraph with **bold**, *slanted*,   │
    ~~struck~~ and \`code\`, a link (https://e│
    xample.com/a/long/path/to/fruit) and    │
    https://example.com. 5 < 6.             │
    A hard break                            │
    and [image: an image] (fruit.png).      │
                                            │
    1. one                                  │
       • nested                             │
                                            │
         • deeper                           │
                                            │
         with a paragraph                   │
    2. two                                  │
                                            │
    [x] done                                │
    [ ] not done                            │
                                            │
    │ A quote                               │
                                            │
    │ • with a list                         │
                                            │
    fruit │    colour    │ in stock         │
    ──────┼──────────────┼─────────         │
    apple │ red or green │       12         │
    梨    │    yellow    │        5         │
                                            │
      function f(apples: number) {          │
        return apples * 2; // a long line th│
      at has to be cut                      │
      }                                     │
                                            │
    <b>html</b>                             │
                                            │
    ────────────────────────────────────────│
    "
  `);
});

test("is readable in 20 columns", () => {
  expect(framed(20)).toMatchInlineSnapshot(`
    "
    # Apples *and* pears│
                        │
    A paragraph with    │
    **bold**, *slanted*,│
    ~~struck~~ and      │
    \`code\`, a link (http│
    s://example.com/a/lo│
    ng/path/to/fruit)   │
    and                 │
    https://example.com.│
    5 < 6.              │
    A hard break        │
    and [image: an      │
    image] (fruit.png). │
                        │
    1. one              │
       • nested         │
                        │
         • deeper       │
                        │
         with a         │
         paragraph      │
    2. two              │
                        │
    [x] done            │
    [ ] not done        │
                        │
    │ A quote           │
                        │
    │ • with a list     │
                        │
    fruit: apple        │
    colour: red or green│
    in stock: 12        │
                        │
    fruit: 梨           │
    colour: yellow      │
    in stock: 5         │
                        │
      function f(apples:│
       number) {        │
        return apples * │
      2; // a long line │
      that has to be cut│
      }                 │
                        │
    <b>html</b>         │
                        │
    ────────────────────│
    "
  `);
});

test("has weight and colour where there are any, in place of the marks", () => {
  expect(markdownLines("# Big\n\n## Small\n\n**a** *b* `c` [d](e) https://f.org", 80, coloured)).toEqual([
    "\x1b[1m\x1b[4mBig\x1b[24m\x1b[22m",
    "",
    "\x1b[1mSmall\x1b[22m",
    "",
    "\x1b[1ma\x1b[22m \x1b[3mb\x1b[23m \x1b[36mc\x1b[39m \x1b[4md\x1b[24m \x1b[2m(e)\x1b[22m \x1b[4mhttps://f.org\x1b[24m",
  ]);
});

test("makes escape sequences visible, wherever they stand", () => {
  const hostile =
    "\x1b]0;title\x07 `\x1b[2J` **\x9b31m** [\x1b[1m](http://a\x1b[0m) &#27;[31m\n\n```\n\x1b]52;c;aGk=\x07\r\n```\n\n|\x1b[H|\n|-|\n|\x1b|";
  for (const style of [plain, coloured]) {
    const text = markdownLines(hostile, 60, style).join("\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(text.replace(/\x1b\[\d+m/g, "")).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
  }
});

test.each([1, 7, 20, 33])("never writes beyond %i columns, however deep it is nested", (width) => {
  const nested = `${"> ".repeat(9)}quote\n\n${Array.from({ length: 9 }, (_, i) => `${"  ".repeat(i)}- item ${i} 世界世界`).join("\n")}`;
  const room = Math.max(width, 2);
  for (const line of markdownLines(`${nested}\n\n${sample}`, room, plain))
    if (room >= 12) expect(stringWidth(line), line).toBeLessThanOrEqual(room);
});

test("gives text that no reader would parse as it is", () => {
  const quotes = "> ".repeat(5_000);
  expect(markdownLines(quotes, 80, coloured).join("").replaceAll(" ", "")).toBe(">".repeat(5_000));
  const long = "*a*\n".repeat(12_000);
  expect(markdownLines(long, 80, coloured).slice(0, 2)).toEqual(["*a*", "*a*"]);
  // In one line. To wrap it by its words would take seconds.
  const line = "a  é ".repeat(10_000);
  expect(markdownLines(line, 80, coloured).join("")).toBe(line);
});

describe("of a text that grows", () => {
  /** What is given out as whole when the text comes in pieces of that size. */
  function streamed(text: string, size: number): string[] {
    const blocks: string[] = [];
    let rest = "";
    for (let at = 0; at < text.length; at += size) {
      rest += text.slice(at, at + size);
      const length = settledLength(rest);
      if (length > 0) blocks.push(rest.slice(0, length));
      rest = rest.slice(length);
    }
    return [...blocks, rest];
  }

  test("the blocks that are whole give the same lines as the whole text", () => {
    const whole = markdownLines(sample, 60, plain);
    for (const size of [1, 3, 17, 100]) {
      const lines = streamed(sample, size).flatMap((block, i) => {
        const each = markdownLines(block, 60, plain);
        return i === 0 || each.length === 0 ? each : ["", ...each];
      });
      expect(lines, `pieces of ${size}`).toEqual(whole);
    }
  });

  test("a list is not whole before something else begins, nor is a fence before its end", () => {
    expect(settledLength("- a\n\n")).toBe(0);
    expect(settledLength("- a\n\n  more\n\n- b\n")).toBe(0);
    expect(settledLength("- a\n\nAfter")).toBe(5);
    expect(settledLength("```\ncode\n\n# no heading\n")).toBe(0);
    expect(settledLength("Title\n")).toBe(0);
  });
});

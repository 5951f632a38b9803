import { expect, test } from "vitest";
import { typedLines } from "./lines.ts";

test("lines come whole, however they were cut, and the last one without its end", async () => {
  async function* chunks(): AsyncGenerator<Uint8Array | string> {
    const bytes = new TextEncoder().encode("Ä\r\n\nb\u2028c\nrest");
    for (const byte of bytes) yield Uint8Array.of(byte);
  }
  const lines: string[] = [];
  for await (const line of typedLines(chunks())) lines.push(line);
  expect(lines).toEqual(["Ä", "", "b\u2028c", "rest"]);
});

import { expect, test } from "vitest";
import { StderrTail } from "./stderr-tail.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const mark = "[earlier output was cut]\n";

test("keeps all of it while it fits, without a mark", () => {
  const tail = new StderrTail(16);
  tail.add(bytes("one\n"));
  tail.add(bytes("two\n"));
  expect(tail.text).toBe("one\ntwo\n");
});

test("keeps the end and marks the cut, whatever the size of the chunks", () => {
  const text = Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join("");
  for (const size of [1, 7, 99, 100, 200, 201, 5000]) {
    const tail = new StderrTail(100);
    for (let i = 0; i < text.length; i += size) tail.add(bytes(text.slice(i, i + size)));
    expect(tail.text, `chunks of ${size}`).toBe(mark + text.slice(-100));
  }
});

test("cuts at a character", () => {
  for (let limit = 5; limit < 12; limit++) {
    const tail = new StderrTail(limit);
    tail.add(bytes("😀é漢".repeat(20)));
    const kept = tail.text.slice(mark.length);
    expect(kept).not.toContain("\ufffd");
    expect("😀é漢".repeat(20).endsWith(kept)).toBe(true);
    expect(bytes(kept).length).toBeGreaterThan(limit - 4);
  }
});

test("costs the same for a flood as for a line", () => {
  const tail = new StderrTail(16_384);
  const chunk = bytes("noise line\n".repeat(6000));
  for (let i = 0; i < 1600; i++) tail.add(chunk);
  expect(tail.text.length).toBe(16_384 + mark.length);
});

test("gives the listener whole characters, and survives what it does", () => {
  const seen: string[] = [];
  const tail = new StderrTail(64, {
    text: (text) => {
      seen.push(text);
      throw new Error("a log that fails");
    },
    line: () => {
      throw new Error("another log that fails");
    },
  });
  const [first = 0, ...rest] = bytes("é!");
  tail.add(Uint8Array.of(first));
  tail.add(Uint8Array.from(rest));
  expect(seen).toEqual(["é!"]);
  const rejecting = new StderrTail(64, {
    text: async () => {
      throw new Error("an async log that fails");
    },
  });
  rejecting.add(bytes("x\n"));
});

test("has no secrets in it, also none that was cut by chunks", () => {
  const tail = new StderrTail(1024);
  tail.add(bytes("key sk-ant-api03-AAAA"));
  tail.add(bytes("BBBBccccDDDD was refused\n"));
  expect(tail.text).toBe("key <redacted> was refused\n");
});

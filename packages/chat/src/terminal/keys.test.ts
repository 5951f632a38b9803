import { describe, expect, test } from "vitest";
import { type Key, KeyDecoder } from "./keys.ts";

/** The keys of input that comes in these pieces: names, and text in quotes. */
function decode(...chunks: readonly (string | Buffer)[]): string[] {
  const decoder = new KeyDecoder();
  const keys = chunks.flatMap((chunk) => decoder.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  return [...keys, ...decoder.flush()].map(named);
}

function named(key: Key): string {
  return key.type === "key" ? key.name : `${key.type} ${JSON.stringify(key.text)}`;
}

test.each([
  ["\r", "enter"],
  ["\n", "ctrl-j"],
  ["\t", "tab"],
  ["\x7f", "backspace"],
  ["\b", "backspace"],
  ["\x01", "ctrl-a"],
  ["\x03", "ctrl-c"],
  ["\x1a", "ctrl-z"],
  ["\0", "ctrl-space"],
  ["\x1b[A", "up"],
  ["\x1bOB", "down"],
  ["\x1b[H", "home"],
  ["\x1b[1~", "home"],
  ["\x1b[4~", "end"],
  ["\x1b[3~", "delete"],
  ["\x1b[5~", "page-up"],
  ["\x1b[Z", "shift-tab"],
  ["\x1b[1;5D", "ctrl-left"],
  ["\x1b[1;3C", "alt-right"],
  ["\x1b\x1b[D", "alt-left"],
  ["\x1bb", "alt-b"],
  ["\x1b\r", "alt-enter"],
  ["\x1b\x7f", "alt-backspace"],
  ["\x1b[13;2u", "shift-enter"],
  ["\x1b[27;2;13~", "shift-enter"],
  ["\x1b[97;5u", "ctrl-a"],
  ["\x1bé", "alt-é"],
  ["\x1b", "escape"],
  ["\x1b\x1b", "escape"],
])("reads %j as %s, also byte by byte", (bytes, name) => {
  expect(decode(bytes)).toEqual([name]);
  expect(decode(...Array.from(Buffer.from(bytes), (byte) => Buffer.of(byte)))).toEqual([name]);
});

test("gives text in one piece, and what stands between it", () => {
  expect(decode("héllo 世界\rnext")).toEqual(['text "héllo 世界"', "enter", 'text "next"']);
});

test("joins characters whose bytes were split", () => {
  const bytes = Buffer.from("日👍");
  expect(decode(bytes.subarray(0, 1), bytes.subarray(1, 5), bytes.subarray(5))).toEqual(['text "日"', 'text "👍"']);
});

test("drops keys that it does not know, and nothing behind them", () => {
  expect(decode("\x1b[15~a\x1bOPb\x1b[[Ac\x1b[?1;2cd\x1b[99;99;99Xe")).toEqual([
    'text "a"',
    'text "b"',
    'text "c"',
    'text "d"',
    'text "e"',
  ]);
});

test("gives up on a sequence that does not end", () => {
  expect(decode(`\x1b[${"1".repeat(200)}`, "\rok").slice(-2)).toEqual(["enter", 'text "ok"']);
  expect(decode("\x1b[1é")).toEqual(['text "é"']);
});

describe("a paste", () => {
  test("comes as one key, its newlines as newlines", () => {
    expect(decode("a\x1b[200~one\rtwo\r\nthree\nfour\x1b[201~b")).toEqual([
      'text "a"',
      'paste "one\\ntwo\\nthree\\nfour"',
      'text "b"',
    ]);
  });

  test("may be split anywhere, its end as well, and keeps escape sequences as text", () => {
    const bytes = Buffer.from("\x1b[200~x\x1b[31my\x03世\x1b[201~\r");
    for (let cut = 1; cut < bytes.length; cut++) {
      const keys = decode(bytes.subarray(0, cut), bytes.subarray(cut));
      expect(keys, `cut at ${cut}`).toEqual(['paste "x\\u001b[31my\\u0003世"', "enter"]);
    }
  });

  test("is not ended by the time that an escape key has", () => {
    const decoder = new KeyDecoder();
    expect(decoder.push(Buffer.from("\x1b[200~half\x1b"))).toEqual([]);
    expect(decoder.isInSequence).toBe(false);
    expect(decoder.push(Buffer.from("[201~")).map(named)).toEqual(['paste "half"']);
  });
});

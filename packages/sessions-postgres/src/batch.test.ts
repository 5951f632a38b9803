import { InvalidEntryError, type SessionStoreEntry } from "@reins/sessions";
import { expect, test } from "vitest";
import { toBatchParts } from "./batch.ts";

const key = { projectKey: "-p", sessionId: "s" };

test("a batch is one part, and keeps order", () => {
  expect(toBatchParts(key, [{ type: "a", uuid: "1" }, { type: "b", uuid: "" }, { type: "c" }])).toEqual([
    { lines: ['{"type":"a","uuid":"1"}', '{"type":"b","uuid":""}', '{"type":"c"}'], uuids: ["1", "", ""] },
  ]);
  expect(toBatchParts(key, [])).toEqual([]);
});

test("a batch of more than 32 MB has several parts, and an entry is never cut", () => {
  const text = "x".repeat(20 * 1024 * 1024);
  const parts = toBatchParts(key, [{ type: "a" }, { type: "b", text }, { type: "c", text }, { type: "d" }]);
  expect(parts.map(({ lines }) => lines.length)).toEqual([2, 2]);
});

test.each([
  [null, "it is no object"],
  [[], "it is no object"],
  ["text", "it is no object"],
  [{ text: "" }, "it has no type"],
  [{ type: 7 }, "it has no type"],
  [{ type: "a", n: 1n }, "it cannot be written as JSON"],
  [{ type: "a", toJSON: () => "text" }, "its toJSON gives no object"],
  [{ type: "a", toJSON: () => undefined }, "its toJSON gives no object"],
])("%o is refused: %s", (entry, reason) => {
  const entries = [{ type: "user" }, entry as SessionStoreEntry];
  expect(() => toBatchParts(key, entries)).toThrow(InvalidEntryError);
  expect(() => toBatchParts(key, entries)).toThrow(`Entry 1 of the batch for`);
  expect(() => toBatchParts(key, entries)).toThrow(reason);
});

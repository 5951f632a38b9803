import fc from "fast-check";
import { expect, test } from "vitest";
import { copyEntries, copyStored } from "./copy-entries.ts";
import { InvalidEntryError } from "./errors.ts";
import type { SessionStoreEntry } from "./session-store.ts";

const key = { projectKey: "-project", sessionId: "s" };

test("entries are copied as JSON copies them, whatever they hold", () => {
  const value = fc.anything({
    withDate: true,
    withSparseArray: true,
    withNullPrototype: true,
    withUnicodeString: true,
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), value), (fields) => {
      const entry: SessionStoreEntry = { ...fields, type: "user" };
      const [copy] = copyEntries(key, [entry]);
      // JSON has no negative zero; keeping it is more than was asked for.
      expect(JSON.parse(JSON.stringify(copy))).toEqual(JSON.parse(JSON.stringify(entry)));
      expect(JSON.stringify(copyStored([copy ?? entry]))).toBe(JSON.stringify([copy]));
    }),
    { numRuns: 500 },
  );
});

test("copies share no object with what they were made of", () => {
  const entry = { type: "user", message: { content: [{ text: "a" }] } };
  const [copy] = copyEntries(key, [entry]);
  entry.message.content.push({ text: "b" });
  expect(copy).toEqual({ type: "user", message: { content: [{ text: "a" }] } });
});

test("a field named __proto__ stays a field", () => {
  const entry = JSON.parse('{"type":"user","__proto__":{"a":1}}') as SessionStoreEntry;
  const [copy] = copyStored(copyEntries(key, [entry]));
  expect(JSON.stringify(copy)).toBe('{"type":"user","__proto__":{"a":1}}');
  expect(copy?.["a"]).toBeUndefined();
});

test("circles and big integers are refused, with their position", () => {
  const circle: SessionStoreEntry = { type: "user" };
  circle["self"] = [circle];
  for (const entry of [circle, { type: "user", n: 1n }, null, [], "user", {}, { type: 1 }]) {
    // What user code without types may pass.
    const entries = [{ type: "user" }, entry as SessionStoreEntry];
    expect(() => copyEntries(key, entries)).toThrow(InvalidEntryError);
    expect(() => copyEntries(key, entries)).toThrow(/^Entry 1 /);
  }
});

import type { SessionStoreEntry } from "../store/session-store.ts";
import { ensureEntries } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entryOf, mainKey } from "./sample-entries.ts";

/** Entries are JSON values of any kind, and come back as they were. */
export const valueChecks: readonly CheckDefinition[] = [
  valueCheck("odd-text", "keeps emoji, combining marks, line separators, control characters, quotes and markup", () => [
    entryOf(0, { text: "😀 👩‍👩‍👧 e\u0301 é ﬁ \u2028 \u2029 \u0085 \ufeff \u200b \u202e" }),
    entryOf(1, { text: "\u0001\u0008\t\n\r\u001f\u007f\\\\n \" ' ` $1 %s {0} -- ; <a>&amp; \\u0041" }),
    entryOf(2, { text: "", lines: ["a\r\nb", "\n", " x "] }),
  ]),
  valueCheck("nul-and-surrogates", "keeps U+0000 and halves of surrogate pairs, which JSON can carry", () => [
    entryOf(0, { text: "a\u0000b", "key\u0000": 1 }),
    entryOf(1, { text: "\ud800 \udfff x", "\ud83d": "\ude00" }),
  ]),
  valueCheck("long-text", "keeps texts of 2 MB, alone and several in a batch", () => [
    entryOf(0, { text: "x".repeat(2_000_000) }),
    entryOf(1, { text: "é😀".repeat(300_000) }),
    entryOf(2, { text: '\\"\n'.repeat(300_000) }),
  ]),
  valueCheck("deep-nesting", "keeps 500 levels of objects and lists", () => {
    let value: unknown = "bottom";
    for (let level = 0; level < 500; level++) value = level % 2 === 0 ? { next: value } : [value];
    return [entryOf(0, { value })];
  }),
  valueCheck("numbers", "keeps numbers at the edges of double precision", () => [
    entryOf(0, {
      numbers: [0, 1, -1, 0.1, 1 / 3, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 2 ** 53, 2 ** 53 - 1, -(2 ** 53)],
    }),
    entryOf(1, { id: 123456789012345680, price: 0.30000000000000004 }),
  ]),
  valueCheck("odd-fields", "keeps empty, strange and dangerous field names, and null, booleans and empty lists", () => [
    entryOf(0, {
      "": 1,
      " ": 2,
      "a.b": 3,
      $set: { $where: 1 },
      "0": "zero",
      constructor: "c",
      toString: "s",
      length: 9,
    }),
    JSON.parse(
      '{"type":"user","uuid":"proto-1","__proto__":{"polluted":true},"nested":{"__proto__":[1]}}',
    ) as SessionStoreEntry,
    entryOf(1, { nothing: null, yes: true, no: false, list: [], object: {}, holes: [null, [null]] }),
    entryOf(2, { key: "not the key", seq: 7, id: "x", data: { data: 1 }, mtime: 0, expires: 1, _id: 1, pk: 2 }),
    { type: "" },
    { type: "agent_metadata", agentType: "general-purpose", timestamp: "not a time" },
  ]),
];

function valueCheck(name: string, title: string, make: () => SessionStoreEntry[]): CheckDefinition {
  return {
    name,
    title,
    async run({ create }) {
      const store = await create();
      const entries = make();
      await store.append(mainKey(), entries);
      ensureEntries("the entries", await store.load(mainKey()), entries);
    },
  };
}

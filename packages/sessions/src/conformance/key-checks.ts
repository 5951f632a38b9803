import type { SessionKey } from "@reins/messages";
import type { SessionStore } from "../store/session-store.ts";
import { ensure, ensureEntries, ensureSame, ensureSameSet, fail } from "./assertions.ts";
import type { CheckDefinition } from "./check.ts";
import { entryOf, mainKey, sessionIdOf, subagentKey } from "./sample-entries.ts";

/** Parts of keys that lead out of folders, end prefixes early, match patterns, or are cut, folded or normalised somewhere. */
const oddParts: readonly string[] = [
  ..."a|b|ab|A|a/b|a/|/a|/|a//b|a:b|a%2fb|%2e%2e|%|a b| a|a |a.jsonl|main|subkeys".split("|"),
  ..."..|.|../..|../a|a/../b|..\\a|C:\\a|\\\\host\\a|~|$HOME|-a|--a".split("|"),
  ..."*|?|[a]|a*|{a}|a_|a\\|^a|#a|&a=b|'|\"|`|;|--|\n|\t|nul|CON|__proto__|constructor|0".split("|"),
  "|",
  "a\u0000b",
  "caf\u00e9",
  "cafe\u0301",
  "😀",
  "\ud83d",
  "\u2028",
  "x".repeat(250),
  `${"x".repeat(249)}y`,
  "é".repeat(200),
  "a/".repeat(150),
];

/** Keys are any non-empty strings, and different keys never meet. */
export const keyChecks: readonly CheckDefinition[] = [
  oddKeyCheck("odd-project-keys", "project keys", (part) => ({ projectKey: part, sessionId: sessionIdOf(0) })),
  oddKeyCheck("odd-session-ids", "session ids", (part) => ({ ...mainKey(), sessionId: part })),
  oddKeyCheck("odd-subpaths", "subpaths", (part) => ({ ...mainKey(), subpath: part })),
  {
    name: "key-boundaries",
    title: "keeps keys apart whose parts give the same text when they are joined",
    async run({ create, capabilities }) {
      const store = await create();
      const keys: SessionKey[] = [];
      for (const separator of ["/", ":", "|", "\u0000", "-", "_", "."]) {
        keys.push(
          { projectKey: "p", sessionId: `a${separator}b` },
          { projectKey: `p${separator}a`, sessionId: "b" },
          { projectKey: "p", sessionId: "a", subpath: `b${separator}c` },
          { projectKey: "p", sessionId: `a${separator}b`, subpath: "c" },
        );
      }
      await ensureApart(store, keys);
      if (!capabilities.has("delete")) return;
      await store.delete?.({ projectKey: "p", sessionId: "a" });
      const gone = await store.load({ projectKey: "p", sessionId: "a", subpath: "b/c" });
      ensure(gone === null, "delete of a session left its subpath.");
      for (const key of keys.filter(({ sessionId }) => sessionId !== "a")) {
        ensure((await store.load(key)) !== null, `delete of session "a" took ${JSON.stringify(key)} along.`);
      }
    },
  },
  {
    name: "empty-parts",
    title: "refuses an empty or missing key part, or keeps what is under it apart",
    async run({ create, capabilities }) {
      const store = await create();
      await store.append(mainKey(), [entryOf(0)]);
      await store.append(subagentKey("a"), [entryOf(1)]);
      // What user code without types may pass.
      const missing = { projectKey: mainKey().projectKey } as unknown as SessionKey;
      const emptyParts = [{ ...mainKey(), projectKey: "" }, { ...mainKey(), sessionId: "" }, missing];
      for (const key of emptyParts) await store.append(key, [entryOf(9)]).catch(() => {});
      ensureEntries("main", await store.load(mainKey()), [entryOf(0)]);
      ensureEntries("subpath", await store.load(subagentKey("a")), [entryOf(1)]);
      if (!capabilities.has("listSubkeys")) return;
      await store.append({ ...mainKey(), subpath: "" }, [entryOf(0)]).catch(() => {});
      ensureSame("subpaths after an append under an empty one", await store.listSubkeys?.(mainKey()), [
        subagentKey("a").subpath,
      ]);
    },
  },
];

function oddKeyCheck(name: string, what: string, toKey: (part: string) => SessionKey): CheckDefinition {
  return {
    name,
    title: `takes ${what} with any characters and of any length, keeps them apart and gives them back`,
    async run({ create, capabilities }) {
      const store = await create();
      await ensureApart(store, oddParts.map(toKey));
      if (name === "odd-session-ids" && capabilities.has("listSessions")) {
        const rows = (await store.listSessions?.(mainKey().projectKey)) ?? [];
        ensureSameSet(
          "listed sessions",
          rows.map(({ sessionId }) => sessionId),
          oddParts,
        );
      }
      if (name === "odd-subpaths" && capabilities.has("listSubkeys")) {
        ensureSameSet("listed subpaths", (await store.listSubkeys?.(mainKey())) ?? [], oddParts);
      }
    },
  };
}

async function ensureApart(store: SessionStore, keys: readonly SessionKey[]): Promise<void> {
  for (const [n, key] of keys.entries()) {
    await store
      .append(key, [entryOf(n)])
      .catch((error: unknown) => fail(`append to ${JSON.stringify(key)} failed`, error));
  }
  for (const [n, key] of keys.entries()) {
    ensureEntries(`under ${JSON.stringify(key).slice(0, 120)}`, await store.load(key), [entryOf(n)]);
  }
}

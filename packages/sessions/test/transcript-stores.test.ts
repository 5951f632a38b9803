import { getSessionInfo as peerInfo, listSessions as peerList } from "@anthropic-ai/claude-agent-sdk";
import { expect, test } from "vitest";
import {
  getSessionInfo,
  listSessions,
  MemorySessionStore,
  projectKeyForPath,
  renameSession,
  type SessionStore,
  sessionUsage,
} from "../src/index.ts";
import { asJson, assistant, idOf, user } from "./transcripts/config.ts";

const dir = "/home/user/p";
const projectKey = projectKeyForPath(dir);

async function filledStore(): Promise<MemorySessionStore> {
  const store = new MemorySessionStore();
  for (let index = 1; index <= 6; index++) {
    const side = index % 2 === 0 ? { isSidechain: true } : {};
    await store.append({ projectKey, sessionId: idOf(index) }, [
      { ...user("u1", null, `session ${index}`, side), type: "user" },
      { ...assistant("a1", "u1", "x".repeat(80_000)), type: "assistant" },
      { type: "custom-title", customTitle: `title ${index}`, timestamp: "2026-05-01T00:00:00.000Z" },
    ]);
  }
  return store;
}

/** An answer without the size, which the official SDK gives although a stored session has no file. */
function withoutSize(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (name, member) => (name === "fileSize" ? undefined : member)));
}

/** The store without some of its methods. */
function reduced(store: MemorySessionStore, methods: readonly (keyof SessionStore)[]): SessionStore {
  const all: Required<SessionStore> = {
    append: (...call) => store.append(...call),
    load: (...call) => store.load(...call),
    listSessions: (...call) => store.listSessions(...call),
    listSessionSummaries: (...call) => store.listSessionSummaries(...call),
    delete: (...call) => store.delete(...call),
    listSubkeys: (...call) => store.listSubkeys(...call),
  };
  return { append: all.append, load: all.load, ...Object.fromEntries(methods.map((name) => [name, all[name]])) };
}

test.each([[["listSessions"]], [["listSessions", "listSessionSummaries"]], [["listSessionSummaries"]]] as const)(
  "a store with %s lists as with the official SDK, but for short pages",
  async (methods) => {
    const sessionStore = reduced(await filledStore(), methods);

    expect(asJson(await listSessions({ dir, sessionStore }))).toEqual(
      withoutSize(await peerList({ dir, sessionStore })),
    );
    expect(await listSessions({ dir, sessionStore, limit: 2 })).toHaveLength(2);
    expect(await listSessions({ dir, sessionStore, limit: 2, offset: 2 })).toHaveLength(1);
    expect(await peerList({ dir, sessionStore, limit: 2 })).toHaveLength(1);
    for (let index = 1; index <= 7; index++) {
      const [ours, theirs] = [
        await getSessionInfo(idOf(index), { dir, sessionStore }),
        await peerInfo(idOf(index), { dir, sessionStore }),
      ];
      expect(asJson(ours)).toEqual(withoutSize(theirs));
    }
  },
);

test("a session that fails to load is a row without a summary, and loads are bounded", async () => {
  const store = await filledStore();
  let running = 0;
  let most = 0;
  const sessionStore: SessionStore = {
    append: async () => {},
    listSessions: async () =>
      Array.from({ length: 100 }, (_, index) => ({ sessionId: idOf(index), mtime: 1e12 + index })),
    load: async (key) => {
      most = Math.max(most, ++running);
      const entries = await store.load(key);
      running--;
      if (entries === null) throw new Error("gone");
      return entries;
    },
  };

  const list = await listSessions({ dir, sessionStore });

  expect(list).toHaveLength(97);
  expect(list[0]).toEqual({ sessionId: idOf(99), summary: "", lastModified: 1e12 + 99 });
  expect(most).toBeLessThanOrEqual(16);
});

test("a store that cannot list says so", async () => {
  const sessionStore = reduced(await filledStore(), []);
  const message = await peerList({ dir, sessionStore }).catch((error: Error) => error.message);
  await expect(listSessions({ dir, sessionStore })).rejects.toThrow(String(message));
});

test("changes and usage go to the store", async () => {
  const sessionStore = await filledStore();
  await renameSession(idOf(1), "new", { dir, sessionStore });
  expect((await getSessionInfo(idOf(1), { dir, sessionStore }))?.customTitle).toBe("new");
  expect((await sessionUsage(idOf(1), { dir, sessionStore })).tokens.responses).toBe(0);
  await expect(sessionUsage(idOf(9), { dir, sessionStore })).rejects.toMatchObject({ code: "REINS_SESSION_NOT_FOUND" });
});

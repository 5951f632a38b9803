import { InvalidEntryError, InvalidSessionKeyError, MemorySessionStore, type SessionStoreEntry } from "@reins/sessions";
import { describe, expect, test } from "vitest";

const key = { projectKey: "-project", sessionId: "5e551011-0000-4000-8000-000000000001" };

describe("an entry", () => {
  test.each([
    ["an empty uuid", ""],
    ["a uuid that is no string", 5],
    ["no uuid", undefined],
  ])("with %s is never a repetition", async (_, uuid) => {
    const store = new MemorySessionStore();
    // Stores are called from JavaScript, too.
    const entry = { type: "summary", uuid } as SessionStoreEntry;
    await store.append(key, [entry, entry]);
    await store.append(key, [entry]);
    expect(await store.load(key)).toHaveLength(3);
  });

  test.each<[string, () => unknown, RegExp]>([
    ["is no object", () => "text", /no object/],
    ["is a list", () => [], /no object/],
    ["is null", () => null, /no object/],
    ["has no type", () => ({ uuid: "u" }), /no type/],
    ["turns into something else", () => ({ type: "user", toJSON: () => "text" }), /toJSON/],
    ["turns into nothing", () => ({ type: "user", toJSON: () => undefined }), /toJSON/],
  ])("that %s is refused, with its place, and nothing of its batch is stored", async (_, make, reason) => {
    const store = new MemorySessionStore();
    const batch = [{ type: "user", uuid: "u-1" }, make()] as SessionStoreEntry[];
    const error: unknown = await store.append(key, batch).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidEntryError);
    expect(error).toMatchObject({ index: 1, message: expect.stringMatching(reason) });
    expect(await store.load(key)).toBeNull();
  });

  test("that cannot be written is refused with the cause", async () => {
    const cycle: SessionStoreEntry = { type: "user" };
    cycle["self"] = cycle;
    await expect(new MemorySessionStore().append(key, [cycle])).rejects.toMatchObject({
      code: "REINS_SESSION_ENTRY",
      cause: expect.any(TypeError),
    });
  });
});

describe("a key", () => {
  test.each([
    ["projectKey", ""],
    ["projectKey", 5],
    ["sessionId", ""],
    ["sessionId", undefined],
    ["subpath", ""],
    ["subpath", null],
  ])("whose %s is %j is refused, by name", async (part, value) => {
    const store = new MemorySessionStore();
    const wrong = { ...key, [part]: value };
    for (const call of [() => store.append(wrong, []), () => store.load(wrong), () => store.delete(wrong)]) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidSessionKeyError);
      expect(error).toMatchObject({ part });
    }
  });

  test("of a project is refused by lists, too", async () => {
    const store = new MemorySessionStore();
    const invalid = { code: "REINS_SESSION_KEY", part: "projectKey" };
    await expect(store.listSessions("")).rejects.toMatchObject(invalid);
    await expect(store.listSessionSummaries("")).rejects.toMatchObject(invalid);
  });
});

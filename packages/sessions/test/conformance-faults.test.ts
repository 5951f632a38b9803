import { MemorySessionStore } from "@reins/sessions";
import {
  ConformanceError,
  runSessionStoreChecks,
  type SessionStoreFactory,
  sessionStoreChecks,
} from "@reins/sessions/conformance";
import { describe, expect, test } from "vitest";
import { faults, faultyFactory } from "./broken-stores.ts";

const small = { largeSessionEntries: 2_000, largeProjectSessions: 150, timeoutMs: 5_000 };

describe("the conformance suite", () => {
  test("passes a store without a fault in everything", async () => {
    const lines: string[] = [];
    const { failed, skipped } = await runSessionStoreChecks(faultyFactory(), (line) => lines.push(line), small);
    expect(failed).toEqual([]);
    expect(skipped).toEqual([]);
    expect(lines).toHaveLength(sessionStoreChecks(faultyFactory()).length);
  });

  test("has a store with a fault for each check", () => {
    expect(Object.keys(faults).sort()).toEqual(
      sessionStoreChecks(faultyFactory())
        .map(({ name }) => name)
        .sort(),
    );
  });

  test.each(Object.entries(faults))("finds the fault that %s looks for", async (name, fault) => {
    const check = sessionStoreChecks(faultyFactory(fault), small).find((one) => one.name === name);
    await expect(check?.run()).rejects.toThrow(ConformanceError);
  });

  test("names the call that should not have failed", async () => {
    const messageOf = async (factory: SessionStoreFactory, name: string): Promise<unknown> => {
      const check = sessionStoreChecks(factory, small).find((one) => one.name === name);
      return await check?.run().catch((error: unknown) => error);
    };
    const gone = Promise.reject(new Error("gone"));
    gone.catch(() => {});
    expect(
      await messageOf(
        faultyFactory(() => ({ append: () => gone })),
        "append-then-load",
      ),
    ).toMatchObject({
      name: "ConformanceError",
      message: expect.stringMatching(/^append\(\{"projectKey":.*\}, …\) has to succeed, but it failed: gone$/),
      cause: { message: "gone" },
    });
    const thrown = () => {
      throw new Error("at once");
    };
    expect(
      await messageOf(
        faultyFactory(() => ({ listSessions: thrown })),
        "list-sessions",
      ),
    ).toMatchObject({
      message: expect.stringMatching(/^listSessions\(".*"\) has to succeed, but it failed: at once$/),
    });
    expect(await messageOf({ ...faultyFactory(), create: thrown }, "append-then-load")).toMatchObject({
      message: "create of the factory has to succeed, but it failed: at once",
    });
  });

  test("takes a store that is a frozen object", async () => {
    const create = () => {
      const store = new MemorySessionStore();
      return Object.freeze({ append: store.append.bind(store), load: store.load.bind(store) });
    };
    const checks = sessionStoreChecks({ capabilities: [], create }, small);
    await checks.find(({ name }) => name === "append-then-load")?.run();
  });

  test("says which checks are left out and why", async () => {
    const lines: string[] = [];
    const { capabilities: _, reopen: __, ...factory } = faultyFactory(({ append, load }) => ({ append, load }));
    const declared = { ...factory, capabilities: ["delete" as const] };
    const checks = sessionStoreChecks(declared, { skip: { "long-text": "rows end at 1 MB" } });
    const reasonOf = (name: string) => checks.find((check) => check.name === name)?.skip;
    expect(reasonOf("long-text")).toBe("rows end at 1 MB");
    expect(reasonOf("retry-after-reopen")).toBe("the factory cannot reopen a store");
    expect(reasonOf("many-subkeys")).toBe("the store has no listSubkeys");
    expect(reasonOf("delete-cascades")).toBeUndefined();
    await expect(checks.find(({ skip }) => skip !== undefined)?.run()).rejects.toThrow("is left out");
    await runSessionStoreChecks(declared, (line) => lines.push(line), small);
    expect(lines).toContain("skip list-sessions: the store has no listSessions");
  });

  test("refuses to leave out a check that does not exist", () => {
    expect(() => sessionStoreChecks(faultyFactory(), { skip: { "no-such-check": "typo" } })).toThrow(RangeError);
  });

  test("ends a check that hangs, and destroys its store", async () => {
    let destroyed = 0;
    const factory = {
      ...faultyFactory(() => ({ append: () => new Promise<void>(() => {}) })),
      destroy: () => void destroyed++,
    };
    const [check] = sessionStoreChecks(factory, { timeoutMs: 50 }).filter(({ name }) => name === "append-then-load");
    await expect(check?.run()).rejects.toThrow("not done after 50 ms");
    expect(destroyed).toBe(1);
  });
});

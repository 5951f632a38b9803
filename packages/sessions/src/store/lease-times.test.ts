import {
  MemorySessionStore,
  SessionInUseError,
  type SessionLease,
  SessionLeaseLostError,
  type SessionName,
} from "@reins/sessions";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const session: SessionName = { projectKey: "-project", sessionId: "5e551011-0000-4000-8000-000000000001" };
const entry = { type: "user", uuid: "u-1" };
const start = Date.UTC(2026, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a lease", () => {
  test("holds for 30 seconds if nothing else is asked for, and not a millisecond longer", async () => {
    const store = new MemorySessionStore();
    const lease = await store.acquireSessionLease(session);
    expect(lease).toMatchObject({ ...session, expiresAt: start + 30_000 });

    vi.setSystemTime(start + 29_999);
    const refusal: unknown = await store.acquireSessionLease(session).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SessionInUseError);
    expect(refusal).toMatchObject({
      operation: "acquireSessionLease",
      retryable: true,
      holder: { by: "lease", owner: lease.owner, expiresAt: start + 30_000 },
    });

    vi.setSystemTime(start + 30_000);
    expect((await store.acquireSessionLease(session)).owner).not.toBe(lease.owner);
  });

  test("is renewed from now on, for as long as is asked for, or 30 seconds", async () => {
    const store = new MemorySessionStore();
    const lease = await store.acquireSessionLease(session, { ttlMs: 1_000, owner: "worker" });
    vi.setSystemTime(start + 900);

    const renewed = await store.renewSessionLease(lease, { ttlMs: 500 });

    expect(renewed).toEqual({ ...lease, expiresAt: start + 1_400 });
    expect(await store.renewSessionLease(lease)).toEqual({ ...lease, expiresAt: start + 30_900 });
  });

  test("that ran out is renewed if nobody else got one", async () => {
    const store = new MemorySessionStore();
    const lease = await store.acquireSessionLease(session, { ttlMs: 1_000 });
    vi.setSystemTime(start + 5_000);
    expect(await store.renewSessionLease(lease, { ttlMs: 1_000 })).toMatchObject({ expiresAt: start + 6_000 });
    await expect(store.append(session, [entry])).rejects.toThrow(SessionInUseError);
  });

  test.each([0, -1, Number.NaN])("of %d ms is refused, and nothing is given", async (ttlMs) => {
    const store = new MemorySessionStore();
    await expect(store.acquireSessionLease(session, { ttlMs })).rejects.toThrow(RangeError);
    const lease = await store.acquireSessionLease(session, { ttlMs: 1_000 });
    await expect(store.renewSessionLease(lease, { ttlMs })).rejects.toThrow(RangeError);
  });

  test.each<[string, (lease: SessionLease) => SessionLease]>([
    ["owner", (lease) => ({ ...lease, owner: "somebody" })],
    ["token", (lease) => ({ ...lease, token: lease.token - 1 })],
    ["session", (lease) => ({ ...lease, sessionId: "5e551011-0000-4000-8000-000000000002" })],
    ["project", (lease) => ({ ...lease, projectKey: "-other" })],
  ])("with another %s opens nothing, ends nothing and is not renewed", async (_, change) => {
    const store = new MemorySessionStore();
    const lease = await store.acquireSessionLease(session, { owner: "worker" });
    const other = change(lease);
    await expect(store.append(session, [entry], { lease: other })).rejects.toThrow(SessionLeaseLostError);
    await expect(store.renewSessionLease(other)).rejects.toThrow(SessionLeaseLostError);
    await store.releaseSessionLease(other);
    await store.append(session, [entry], { lease });
    expect(await store.load(session)).toEqual([entry]);
  });

  test("on a session that has none opens nothing, and is not renewed", async () => {
    const store = new MemorySessionStore();
    const lease = await store.acquireSessionLease(session);
    const empty = new MemorySessionStore();
    await expect(empty.renewSessionLease(lease)).rejects.toMatchObject({
      code: "REINS_SESSION_LEASE_LOST",
      operation: "renewSessionLease",
    });
    await expect(empty.append(session, [entry], { lease })).rejects.toThrow(SessionLeaseLostError);
    await empty.releaseSessionLease(lease);
    await empty.append(session, [entry]);
  });

  test("has a greater token than the one before it, also when the clock goes back", async () => {
    const store = new MemorySessionStore();
    const first = await store.acquireSessionLease(session);
    expect(first.token).toBe(start);
    await store.releaseSessionLease(first);
    vi.setSystemTime(start - 60_000);
    const second = await store.acquireSessionLease(session);
    expect(second.token).toBe(start + 1);
    // Of another session, with a record of its own.
    const other = await store.acquireSessionLease({ ...session, sessionId: "5e551011-0000-4000-8000-000000000002" });
    expect(other.token).toBe(start + 2);
  });
});

import {
  foldSessionSummary,
  type LeasingSessionStore,
  MemorySessionStore,
  type SessionKey,
  type SessionLease,
  type SessionStoreEntry,
  type SessionSummaryEntry,
} from "@reins/sessions";
import type { SessionStoreFactory } from "@reins/sessions/conformance";

/** Replaces methods of a good store by faulty ones. Called anew for each client of the same data. */
type Fault = (good: MemorySessionStore) => Partial<LeasingSessionStore>;

/** For each check a store with one fault, as stores have them, that the check has to find. */
export const faults: Readonly<Record<string, Fault>> = {
  capabilities: () => ({ listSubkeys: undefined }) as unknown as Partial<LeasingSessionStore>,

  "append-then-load": (good) => ({
    load: onEntries(good, (entries) => entries.sort((a, b) => compare(a.uuid, b.uuid))),
  }),
  "unknown-is-null": (good) => ({ load: async (key) => (await good.load(key)) ?? [] }),
  "call-order": (good) => {
    let calls = 0;
    return {
      async append(key, entries) {
        const copy = structuredClone(entries);
        await pause(20 - 2 * (calls++ % 10));
        await good.append(key, copy);
      },
    };
  },
  "empty-append": (good) => ({
    append: (key, entries, options) =>
      entries.length > 0 ? good.append(key, entries, options) : good.append(key, [{ type: "" }]),
    load: onEntries(good, (entries) => entries.filter(({ type }) => type !== "")),
  }),
  "subpath-apart": (good) => ({
    append: (key, entries, options) => good.append(withoutSubpath(key), entries, options),
    load: (key) => good.load(withoutSubpath(key)),
  }),
  "projects-apart": (good) => ({
    append: (key, entries, options) => good.append({ ...key, projectKey: "all" }, entries, options),
    load: (key) => good.load({ ...key, projectKey: "all" }),
  }),
  "loaded-is-private": (good) => {
    const cache = new Map<string, SessionStoreEntry[] | null>();
    return {
      async load(key) {
        const id = JSON.stringify(key);
        if (!cache.has(id)) cache.set(id, await good.load(key));
        return cache.get(id) ?? null;
      },
    };
  },
  "appended-is-copied": (good) => ({
    async append(key, entries, options) {
      await pause(0);
      await good.append(key, entries, options);
    },
  }),

  "retry-stores-once": (good) => onLog(good, (_, entries) => entries),
  "batch-stores-once": (good) =>
    onLog(good, (stored, entries) =>
      entries.filter(({ uuid }) => uuid === undefined || !stored.some((e) => e.uuid === uuid)),
    ),
  "concurrent-retry-stores-once": (good) => {
    const log = onLog(good, (_, entries) => entries);
    return {
      ...log,
      async append(key, entries) {
        const stored = new Set((await log.load(key))?.map(({ uuid }) => uuid));
        await pause(1);
        await log.append(key, uniqueByUuid(entries.filter(({ uuid }) => uuid === undefined || !stored.has(uuid))));
      },
    };
  },
  "without-uuid-stays": (good) =>
    onLog(good, (stored, entries) => {
      const known = new Set(stored.map((entry) => JSON.stringify(entry)));
      return entries.filter((entry) => !known.has(JSON.stringify(entry)) && known.add(JSON.stringify(entry)));
    }),
  "uuid-per-transcript": (good) => {
    const known = new Set<string | undefined>();
    return {
      append: (key, entries, options) => {
        const fresh = entries.filter(({ uuid }) => uuid === undefined || !known.has(uuid));
        for (const { uuid } of entries) known.add(uuid);
        return good.append(key, fresh, options);
      },
    };
  },
  "retry-after-reopen": (good) => {
    const known = new Set<string>();
    return onLog(good, (_, entries, id) =>
      entries.filter(({ uuid }) => {
        if (uuid === undefined) return true;
        const isNew = !known.has(id + uuid);
        known.add(id + uuid);
        return isNew;
      }),
    );
  },

  "list-sessions": (good) => ({
    listSessions: async (project) =>
      (await good.listSessions(project)).map((row) => ({ ...row, mtime: Math.floor(row.mtime / 1_000) })),
  }),
  "list-unknown-project": (good) => ({
    // A pattern in place of a key.
    listSessions: async (project) => {
      const exact = await good.listSessions(project);
      return exact.length > 0 ? exact : good.listSessions(`${project}-project`);
    },
  }),
  "list-main-only": (good) => {
    const rows = new Map<string, { sessionId: string; mtime: number }>();
    return {
      append: (key, entries, options) => {
        rows.set(key.sessionId, { sessionId: key.sessionId, mtime: Date.now() });
        return good.append(key, entries, options);
      },
      listSessions: async () => [...rows.values()],
    };
  },
  "mtime-grows": (good) => {
    const created = Date.now();
    return {
      listSessions: async (project) => (await good.listSessions(project)).map((row) => ({ ...row, mtime: created })),
    };
  },
  "list-subkeys": (good) => ({
    listSubkeys: async (key) => (await good.listSubkeys(key)).filter((subpath) => subpath.split("/").length === 2),
  }),
  "list-subkeys-none": (good) => ({
    listSubkeys: async (key) => ((await good.load(key)) === null ? [] : ["main", ...(await good.listSubkeys(key))]),
  }),
  "delete-session": () => ({ delete: async () => {} }),
  "delete-cascades": (good) => {
    const deleted = new Set<string>();
    return {
      append: (key, entries, options) => {
        deleted.delete(JSON.stringify(key));
        return good.append(key, entries, options);
      },
      load: async (key) => (deleted.has(JSON.stringify(key)) ? null : good.load(key)),
      delete: async (key) => {
        deleted.add(JSON.stringify(key));
      },
    };
  },
  "delete-subpath": (good) => ({ delete: (key) => good.delete(withoutSubpath(key)) }),
  "write-after-delete": (good) => {
    const known = new Set<string>();
    return {
      append: (key, entries, options) => {
        const fresh = entries.filter(({ uuid }) => uuid === undefined || !known.has(JSON.stringify(key) + uuid));
        for (const { uuid } of entries) known.add(JSON.stringify(key) + uuid);
        return good.append(key, fresh, options);
      },
    };
  },

  "summary-per-session": (good) => ({
    listSessionSummaries: async (project) => (await good.listSessionSummaries(project)).slice(0, 2),
  }),
  "summary-is-fold": (good) => onSummaries(good, { foldsRetries: true, foldsSubpaths: false }),
  "summary-of-mixed-batch": (good) => {
    const folded = new Map<string, SessionSummaryEntry>();
    const known = new Set<unknown>();
    return {
      async append(key, entries, options) {
        await good.append(key, entries, options);
        const hasNew = entries.some(({ uuid }) => !known.has(uuid));
        for (const { uuid } of entries) known.add(uuid);
        if (hasNew) folded.set(key.sessionId, foldSessionSummary(folded.get(key.sessionId), key, entries));
      },
      listSessionSummaries: async () => [...folded.values()],
    };
  },
  "summary-ignores-subpaths": (good) => onSummaries(good, { foldsRetries: false, foldsSubpaths: true }),
  "summary-time": (good) => ({
    listSessionSummaries: async (project) =>
      (await good.listSessionSummaries(project)).map((summary) => ({ ...summary, mtime: Date.UTC(2026, 0, 1) })),
  }),
  "summary-folds-on": (good) => {
    let live: SessionSummaryEntry[] | undefined;
    return {
      listSessionSummaries: async (project) => {
        live ??= await good.listSessionSummaries(project);
        return live;
      },
    };
  },
  "summary-deleted": (good) => {
    const kept = new Map<string, SessionSummaryEntry>();
    return {
      listSessionSummaries: async (project) => {
        for (const summary of await good.listSessionSummaries(project)) kept.set(summary.sessionId, summary);
        return [...kept.values()];
      },
      async delete(key) {
        for (const summary of await good.listSessionSummaries(key.projectKey)) kept.set(summary.sessionId, summary);
        await good.delete(key);
      },
    };
  },

  "odd-text": (good) => ({ load: onJson(good, (json) => json.normalize("NFC")) }),
  "nul-and-surrogates": (good) => ({ load: onJson(good, (json) => json.replaceAll("\\u0000", "")) }),
  "long-text": (good) => ({
    load: onJson(good, (json) => json.replace(/x{1000000,}/, (run) => run.slice(0, 1_000_000))),
  }),
  "deep-nesting": (good) => ({
    load: onEntries(good, (entries) => entries.map((entry) => cutBelow(entry, 100) as SessionStoreEntry)),
  }),
  numbers: (good) => ({ load: onJson(good, (json) => json.replace(/0\.30000000000000004/, "0.3")) }),
  "odd-fields": (good) => ({
    load: onEntries(good, (entries) => entries.map((entry) => Object.assign({ type: "" }, entry))),
  }),

  "odd-project-keys": (good) => renamingKeys(good, "projectKey", (part) => part.toLowerCase()),
  "odd-session-ids": (good) => renamingKeys(good, "sessionId", (part) => part.slice(0, 200)),
  "odd-subpaths": (good) => renamingKeys(good, "subpath", (part) => part.normalize("NFC")),
  "key-boundaries": (good) => ({
    append: (key, entries, options) => good.append(joined(key), entries, options),
    load: (key) => good.load(joined(key)),
  }),
  "empty-parts": (good) => ({
    append: (key, entries, options) =>
      good.append(
        key.sessionId ? key : { ...key, sessionId: "5e551011-0000-4000-8000-000000000000" },
        entries,
        options,
      ),
  }),

  "concurrent-appends": (good) => readModifyWrite(good),
  "concurrent-sessions": (good) => {
    let current: SessionKey;
    return {
      async append(key, entries, options) {
        current = key;
        const copy = structuredClone(entries);
        await pause(1);
        await good.append(current, copy, options);
      },
    };
  },
  "load-during-append": (good) => {
    const cache = new Map<string, { entries: SessionStoreEntry[] | null; reads: number }>();
    return {
      async load(key) {
        const id = JSON.stringify(key);
        const cached = cache.get(id);
        if (cached !== undefined && cached.reads++ < 5) return cached.entries;
        const entries = await good.load(key);
        cache.set(id, { entries, reads: 0 });
        return entries;
      },
    };
  },
  "two-clients": (good) => {
    const own = new MemorySessionStore();
    return {
      append: async (key, entries) => {
        await own.append(key, entries);
        await good.append(key, entries);
      },
      load: (key) => own.load(key),
    };
  },
  "two-clients-retry": (good) => {
    const known = new Set<string>();
    return onLog(good, (_, entries, id) =>
      entries.filter(({ uuid }) => {
        const isNew = !known.has(id + uuid);
        known.add(id + uuid);
        return isNew;
      }),
    );
  },

  reopen: (good) => {
    let last: { key: SessionKey; entries: SessionStoreEntry[] } | undefined;
    // Written behind: the last append is lost when nothing follows.
    return {
      append: async (key, entries) => {
        if (last !== undefined) await good.append(last.key, last.entries);
        last = { key, entries: structuredClone(entries) };
      },
      load: async (key) => {
        if (last !== undefined) await good.append(last.key, last.entries);
        last = undefined;
        return good.load(key);
      },
    };
  },
  "reopen-summary": (good) => onSummaries(good, { foldsRetries: false, foldsSubpaths: false }),
  crash: (good) => ({ load: onEntries(good, (entries) => (crashed.has(good) ? entries.slice(0, 4) : entries)) }),
  "crash-of-first-append": (good) => ({
    load: async (key) => (await good.load(key)) ?? (crashed.has(good) ? [{ type: "user" }] : null),
  }),

  "lease-excludes": (good) => ({
    acquireSessionLease: async (name, options) => ({
      ...name,
      owner: options?.owner ?? "",
      token: 1,
      expiresAt: Date.now() + 9,
    }),
    releaseSessionLease: async () => {},
    append: (key, entries) => good.append(key, entries),
  }),
  "lease-guards-writes": (good) => {
    const log = onLog(good, (stored, entries) => entries.filter(({ uuid }) => !stored.some((e) => e.uuid === uuid)));
    return log;
  },
  "lease-runs-out": (good) => ({
    acquireSessionLease: async (name, options) => ({
      ...(await good.acquireSessionLease(name, { ...options, ttlMs: (options?.ttlMs ?? 0) * 10 })),
      token: 7,
    }),
    append: (key, entries, options) => good.append(key, entries, options).catch(() => good.load(key).then(() => {})),
  }),
  "lease-renewal": () => ({ renewSessionLease: async (lease) => ({ ...lease, expiresAt: lease.expiresAt + 60_000 }) }),
  "lease-race": (good) => ({
    acquireSessionLease: async (name, options) => {
      const lease = await good.acquireSessionLease(name, options).catch(() => undefined);
      return lease ?? { ...name, owner: "", token: 1, expiresAt: Date.now() + 60_000 };
    },
  }),
  "lease-view": (good) => ({
    // Asks for a lease everywhere once one was given out.
    append: (key, entries, options) =>
      key.sessionId.endsWith("1") && options?.lease === undefined
        ? Promise.reject(new Error("no lease"))
        : good.append(key, entries, options),
  }),
  "lease-after-delete": (good) => {
    let real: SessionLease | undefined;
    // Counts from 1 again, since the count went with the session.
    return {
      acquireSessionLease: async (name, options) => {
        real = await good.acquireSessionLease(name, options);
        return { ...real, token: 1 };
      },
      append: (key, entries) => good.append(key, entries, real && { lease: real }),
      delete: (key) => good.delete(key, real && { lease: real }),
      releaseSessionLease: async () => real && good.releaseSessionLease(real),
    };
  },
  "lease-two-clients": (good) => {
    const own = new MemorySessionStore();
    return {
      acquireSessionLease: (name, options) => own.acquireSessionLease(name, options),
      append: (key, entries) => good.append(key, entries),
    };
  },
  "lease-after-reopen": (good) => {
    const own = new MemorySessionStore();
    return {
      acquireSessionLease: (name, options) => own.acquireSessionLease(name, options),
      append: async (key, entries, options) => {
        await own.append(key, entries, options);
        await good.append(key, entries);
      },
    };
  },

  "large-session": (good) => ({ load: onEntries(good, (entries) => entries.slice(-1_000)) }),
  "many-sessions": (good) => ({ listSessions: async (project) => (await good.listSessions(project)).slice(0, 100) }),
  "many-subkeys": (good) => ({ listSubkeys: async (key) => (await good.listSubkeys(key)).slice(0, 100) }),
};

/** Makes stores over one `MemorySessionStore` each, with the fault in every client. Without a fault they pass everything. */
export function faultyFactory(fault: Fault = () => ({})): SessionStoreFactory<LeasingSessionStore> {
  const goodOf = new WeakMap<LeasingSessionStore, MemorySessionStore>();
  const open = (good: MemorySessionStore): LeasingSessionStore => {
    const store = Object.assign(clientOf(good), fault(good));
    goodOf.set(store, good);
    return store;
  };
  const openAgain = (store: LeasingSessionStore) => open(goodOf.get(store) ?? new MemorySessionStore());
  return {
    capabilities: ["listSessions", "listSessionSummaries", "delete", "listSubkeys", "leases"],
    create: () => open(new MemorySessionStore()),
    reopen: openAgain,
    connect: openAgain,
    crash(store) {
      const good = goodOf.get(store);
      if (good !== undefined) crashed.add(good);
      return openAgain(store);
    },
  };
}

const crashed = new WeakSet<MemorySessionStore>();
const logs = new WeakMap<MemorySessionStore, Map<string, string[]>>();

function clientOf(good: MemorySessionStore): LeasingSessionStore {
  return {
    append: (key, entries, options) => good.append(key, entries, options),
    load: (key) => good.load(key),
    listSessions: (project) => good.listSessions(project),
    listSessionSummaries: (project) => good.listSessionSummaries(project),
    delete: (key, options) => good.delete(key, options),
    listSubkeys: (key) => good.listSubkeys(key),
    acquireSessionLease: (name, options) => good.acquireSessionLease(name, options),
    renewSessionLease: (lease, options) => good.renewSessionLease(lease, options),
    releaseSessionLease: (lease) => good.releaseSessionLease(lease),
  };
}

/** A plain log, where `choose` says what of a batch is stored. */
function onLog(
  good: MemorySessionStore,
  choose: (stored: SessionStoreEntry[], entries: SessionStoreEntry[], id: string) => SessionStoreEntry[],
): Pick<LeasingSessionStore, "append" | "load"> {
  const log = logs.get(good) ?? new Map<string, string[]>();
  logs.set(good, log);
  const stored = (id: string) => (log.get(id) ?? []).map((line) => JSON.parse(line) as SessionStoreEntry);
  return {
    async append(key, entries) {
      const id = JSON.stringify(key);
      const chosen = choose(stored(id), entries, id).map((entry) => JSON.stringify(entry));
      if (chosen.length > 0) log.set(id, [...(log.get(id) ?? []), ...chosen]);
    },
    load: async (key) => (log.has(JSON.stringify(key)) ? stored(JSON.stringify(key)) : null),
  };
}

function onEntries(good: MemorySessionStore, change: (entries: SessionStoreEntry[]) => SessionStoreEntry[]) {
  return async (key: SessionKey) => {
    const entries = await good.load(key);
    return entries === null ? null : change(entries);
  };
}

function onJson(good: MemorySessionStore, change: (json: string) => string) {
  return onEntries(good, (entries) => JSON.parse(change(JSON.stringify(entries))) as SessionStoreEntry[]);
}

function onSummaries(
  good: MemorySessionStore,
  faulty: { foldsRetries: boolean; foldsSubpaths: boolean },
): Partial<LeasingSessionStore> {
  const folded = new Map<string, SessionSummaryEntry>();
  return {
    async append(key, entries, options) {
      const stored = new Set((await good.load(key))?.map(({ uuid }) => uuid));
      const fresh = entries.filter(({ uuid }) => faulty.foldsRetries || uuid === undefined || !stored.has(uuid));
      await good.append(key, entries, options);
      if (key.subpath !== undefined && !faulty.foldsSubpaths) return;
      folded.set(key.sessionId, foldSessionSummary(folded.get(key.sessionId), key, fresh, { mtime: Date.now() }));
    },
    listSessionSummaries: async () => structuredClone([...folded.values()]),
  };
}

function readModifyWrite(good: MemorySessionStore): Partial<LeasingSessionStore> {
  const files = new Map<string, string>();
  return {
    async append(key, entries, options) {
      const id = JSON.stringify(key);
      const before = JSON.parse(files.get(id) ?? "[]") as SessionStoreEntry[];
      const after = JSON.stringify([...before, ...entries]);
      await pause(1);
      files.set(id, after);
      await good.append(key, entries, options);
    },
    load: async (key) => JSON.parse(files.get(JSON.stringify(key)) ?? "null") as SessionStoreEntry[] | null,
  };
}

function renamingKeys(
  good: MemorySessionStore,
  part: "projectKey" | "sessionId" | "subpath",
  rename: (value: string) => string,
): Partial<LeasingSessionStore> {
  const renamed = (key: SessionKey) => ({ ...key, ...(key[part] === undefined ? {} : { [part]: rename(key[part]) }) });
  return {
    append: (key, entries, options) => good.append(renamed(key), entries, options),
    load: (key) => good.load(renamed(key)),
  };
}

function withoutSubpath({ projectKey, sessionId }: SessionKey): SessionKey {
  return { projectKey, sessionId };
}

function joined(key: SessionKey): SessionKey {
  return {
    projectKey: "all",
    sessionId: [key.projectKey, key.sessionId, ...(key.subpath === undefined ? [] : [key.subpath])].join("/"),
  };
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return null;
  const changed = Object.entries(value).map(([key, inner]) => [key, cutBelow(inner, levels - 1)] as const);
  return Array.isArray(value) ? changed.map(([, inner]) => inner) : Object.fromEntries(changed);
}

function uniqueByUuid(entries: SessionStoreEntry[]): SessionStoreEntry[] {
  return [...new Map(entries.map((entry) => [entry.uuid, entry])).values()];
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : Number(a > b);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

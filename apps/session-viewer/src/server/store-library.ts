import { setTimeout as delay } from "node:timers/promises";
import {
  listSessions,
  projectKeyForDirectory,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  sessionUsage,
} from "@reins/sessions";
import type { AgentRow } from "../protocol.ts";
import { agentRow } from "./file-library.ts";
import { isBulk, type Library, type PlacedEntry } from "./library.ts";
import { isAgentId, partsOf, timeOf } from "./parts.ts";

/** A store gives a transcript as a whole or not at all, so the last few are kept. */
const keptTranscripts = 4;
/** For what a transcript is searched: no more than is ever shown in place. */
const searchLimits = { textLength: 100_000, pictureBytes: 0 };

/** The sessions that a store has of one working directory. */
export function createStoreLibrary(
  store: SessionStore,
  { dir, pollMs = 1_000 }: { dir: string; pollMs?: number },
): Library {
  const place = { sessionStore: store, dir };
  const projectKey = projectKeyForDirectory(dir);
  const kept = new Map<string, { readonly entries: SessionStoreEntry[]; readonly mtime: number }>();

  async function mtimeOf(key: SessionKey): Promise<number> {
    const rows = (await store.listSessions?.(projectKey)) ?? [];
    return rows.find((row) => row.sessionId === key.sessionId)?.mtime ?? Date.now();
  }

  async function load(key: SessionKey): Promise<SessionStoreEntry[]> {
    const name = `${key.sessionId}/${key.subpath ?? ""}`;
    // The time of a session says nothing of its subagents.
    const mtime = key.subpath === undefined ? await mtimeOf(key) : Date.now();
    const known = kept.get(name);
    if (known?.mtime === mtime) return known.entries;
    const entries = (await store.load(key)) ?? [];
    kept.delete(name);
    kept.set(name, { entries, mtime });
    for (const [oldest] of kept) if (kept.size > keptTranscripts) kept.delete(oldest);
    return entries;
  }

  function* from(entries: readonly SessionStoreEntry[], start: number): Generator<PlacedEntry> {
    for (let at = start; at < entries.length; at++) {
      const entry = entries[at];
      if (entry !== undefined && !isBulk(entry.type)) yield { at, next: at + 1, entry };
    }
  }

  async function* read(key: SessionKey, start: number, signal: AbortSignal): AsyncGenerator<PlacedEntry> {
    const entries = await load(key);
    signal.throwIfAborted();
    yield* from(entries, start);
  }

  const main = (sessionId: string): SessionKey => ({ projectKey, sessionId });
  const agentIdOf = (subpath: string): string | undefined => /(?:^|\/)agent-([^/]+)$/.exec(subpath)?.[1];
  const subkeys = async (sessionId: string): Promise<string[]> =>
    (await store.listSubkeys?.({ projectKey, sessionId })) ?? [];

  return {
    source: `${dir} (store)`,
    list: () => listSessions(place),

    async find(sessionId, agentId) {
      if (agentId === undefined) return (await load(main(sessionId))).length === 0 ? undefined : main(sessionId);
      const subpath = (await subkeys(sessionId)).find((path) => agentIdOf(path) === agentId);
      return subpath === undefined ? undefined : { ...main(sessionId), subpath };
    },

    read,

    async *follow(key, start, signal) {
      for (let next = start; ; ) {
        const entries = await load(key);
        // Stores only ever grow, so fewer entries are those of another transcript.
        if (entries.length < next) next = 0;
        yield* from(entries, next);
        next = entries.length;
        await delay(pollMs, undefined, { signal });
      }
    },

    whereabouts: async (key) => ({ cwd: dir, changedAt: await mtimeOf(key) }),

    async agents(key): Promise<readonly AgentRow[]> {
      const rows: AgentRow[] = [];
      for (const subpath of await subkeys(key.sessionId)) {
        const agentId = agentIdOf(subpath);
        if (agentId === undefined || !isAgentId(agentId)) continue;
        const entries = await load({ ...key, subpath });
        rows.push(agentRow(agentId, entries.findLast((entry) => entry.type === "agent_metadata") ?? {}));
      }
      return rows;
    },

    usage: (key, signal) => sessionUsage(key, { ...place, signal }),

    async *search(query, signal) {
      const wanted = query.toLowerCase();
      let left = 200;
      for (const { sessionId } of await listSessions(place)) {
        for await (const { at, entry } of read(main(sessionId), 0, signal)) {
          for (const part of entry === undefined ? [] : partsOf(entry, searchLimits)) {
            if (!("text" in part) || part.kind === "record") continue;
            const found = part.text.toLowerCase().indexOf(wanted);
            if (found < 0) continue;
            const excerpt = part.text.slice(Math.max(found - 60, 0), found + wanted.length + 100);
            const time = timeOf(entry?.["timestamp"]);
            yield { sessionId, at, excerpt, type: part.kind, ...(time === undefined ? {} : { time }) };
            left -= 1;
            if (left === 0) return;
            break;
          }
        }
      }
    },
  };
}

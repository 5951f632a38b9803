import { setTimeout } from "node:timers/promises";
import { foldSessionSummary, type SessionStoreEntry } from "@reins/sessions";
import { expect, test, vi } from "vitest";
import type { S3SessionStore } from "../src/index.ts";
import { openPlace, session } from "./open-store.ts";

// Hundreds of requests, and a machine that is busy with something else.
vi.setConfig({ testTimeout: 240_000 });

test.for([1, 2])(
  "of two stores that compact, lose every fifth request or its answer, and try again, nothing is lost, doubled or moved (seed %i)",
  async (seed) => {
    let state = seed * 7919;
    const random = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31;
    };
    await using place = await openPlace({ pageSize: 7 });
    const client = place.server.createClient({ maxAttempts: 1 });
    const [first, second] = [place.open({ client }), place.open({ client })];
    place.server.fault = ({ method }) => {
      const chance = random();
      if (chance < 0.02) return "drop-before";
      if (method === "GET" || chance > 0.2) return undefined;
      return chance < 0.1 ? "drop-after" : "drop-before";
    };
    const sent: SessionStoreEntry[] = [];
    const write = async (store: S3SessionStore, writer: number): Promise<void> => {
      for (let turn = 0; turn < 10; turn++) {
        const id = `${writer}-${turn}`;
        const batch = [
          { type: "user", uuid: id, id, customTitle: id },
          { type: "mode", id: `${id}, no uuid` },
        ];
        sent.push(...batch);
        while (!(await store.append(session, batch).then(...tellsSuccess))) await setTimeout(1);
      }
    };
    let isWriting = true;
    const compacting = (async () => {
      while (isWriting) {
        await second.compactSession(session).catch(() => {});
        await setTimeout(20);
      }
    })();
    await Promise.all([write(first, 0), write(first, 1), write(second, 2)]);
    isWriting = false;
    await compacting;
    place.server.fault = undefined;

    const reader = place.open();
    const idsOf = (writer: number, entries: readonly SessionStoreEntry[]): unknown[] =>
      entries.map(({ id }) => id).filter((id) => String(id).startsWith(`${writer}-`));
    const loaded = (await reader.load(session)) ?? [];
    expect(loaded).toHaveLength(sent.length);
    for (const writer of [0, 1, 2]) expect(idsOf(writer, loaded)).toEqual(idsOf(writer, sent));
    await first.append(session, [{ type: "user", uuid: "last", customTitle: "last" }]);
    const fold = foldSessionSummary(undefined, session, (await reader.load(session)) ?? []);
    expect((await reader.listSessionSummaries(session.projectKey))[0]?.data).toEqual(fold.data);
    await Promise.all([first.close(), second.close()]);
    client.destroy();
  },
);

const tellsSuccess = [() => true, () => false] as const;

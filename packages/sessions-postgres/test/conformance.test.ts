import type { SessionKey } from "@reins/sessions";
import { type SessionStoreFactory, sessionStoreChecks } from "@reins/sessions/conformance";
import type { PostgresSessionStore } from "@reins/sessions-postgres";
import { type PostgresServer, startPostgres } from "@reins/test-servers/postgres";
import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPlace, type Place } from "./postgres-places.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 90_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const places = new Map<PostgresSessionStore, Place>();

function openedAt(place: Place, store: PostgresSessionStore): PostgresSessionStore {
  places.set(store, place);
  return store;
}

function placeOf(store: PostgresSessionStore): Place {
  const place = places.get(store);
  if (place === undefined) throw new Error("The store is not one of this factory.");
  return place;
}

const factory: SessionStoreFactory<PostgresSessionStore> = {
  capabilities: ["listSessions", "listSessionSummaries", "delete", "listSubkeys", "leases"],
  async create() {
    const place = await createPlace(server);
    return openedAt(place, place.open());
  },
  async destroy(store) {
    const place = placeOf(store);
    places.delete(store);
    // Of several stores on one schema the last takes it along.
    if ([...places.values()].includes(place)) return;
    await place.run(`DROP SCHEMA ${place.schema} CASCADE`);
    await place[Symbol.asyncDispose]();
  },
  reopen(store) {
    const place = placeOf(store);
    places.delete(store);
    return openedAt(place, place.open());
  },
  connect(store) {
    const place = placeOf(store);
    return openedAt(place, place.open({ pool: place.connect() }));
  },
  async crash(store, key) {
    const place = placeOf(store);
    places.delete(store);
    await dieInAppend(place.connect(), place, key);
    return openedAt(place, place.open());
  },
};

/** Does what an append does until just before it commits, and loses the connection. */
async function dieInAppend(pool: Pool, place: Place, key: SessionKey): Promise<void> {
  const client = await pool.connect();
  client.on("error", () => {});
  await client.query(`BEGIN; SET search_path = ${place.schema}`);
  await client.query(
    `INSERT INTO reins_sessions (tenant, project_key, session_id) VALUES ('', $1, $2) ON CONFLICT DO NOTHING`,
    [key.projectKey, key.sessionId],
  );
  const { rows } = await client.query(
    `SELECT id FROM reins_sessions WHERE project_key = $1 AND session_id = $2 FOR UPDATE`,
    [key.projectKey, key.sessionId],
  );
  await client.query(
    `INSERT INTO reins_entries (session, subpath, seq, uuid, entry) VALUES ($1, $2, 1000000, 'torn', '{"type":"user","uuid":"torn"}')`,
    [rows[0]?.id, key.subpath ?? ""],
  );
  const ended = new Promise((resolve) => client.once("end", resolve));
  // What a process leaves that is killed: a socket that is closed in the middle of a transaction.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  await ended;
  client.release(true);
}

describe("PostgresSessionStore", () => {
  const checks = sessionStoreChecks(factory);
  test.each(checks)("$name: $title", (check) => check.run(), 130_000);

  test("is spared nothing", () => {
    expect(checks.filter(({ skip }) => skip !== undefined)).toEqual([]);
  });
});

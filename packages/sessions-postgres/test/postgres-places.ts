import { randomUUID } from "node:crypto";
import { PostgresSessionStore, type PostgresSessionStoreOptions } from "@reins/sessions-postgres";
import type { PostgresServer } from "@reins/test-servers/postgres";
import { Pool, type PoolConfig } from "pg";

/** A schema of a server, with pools that end with it. */
export interface Place extends AsyncDisposable {
  readonly schema: string;
  readonly pool: Pool;
  /** Opens a store here, by default on the first pool, without migrating. */
  open(options?: Partial<PostgresSessionStoreOptions>): PostgresSessionStore;
  /** Makes another pool on the server. */
  connect(config?: PoolConfig): Pool;
  /** Runs SQL as the superuser. */
  run(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** Makes a schema of its own, with the tables unless told otherwise. */
export async function createPlace(
  server: PostgresServer,
  { schema = `s_${randomUUID().replaceAll("-", "")}`, migrated = true }: { schema?: string; migrated?: boolean } = {},
): Promise<Place> {
  const pools: Pool[] = [];
  const connect = (config: PoolConfig = {}) => {
    const { host, port } = server;
    const pool = new Pool({ host, port, user: "postgres", database: "postgres", ...config });
    pools.push(pool);
    return pool;
  };
  const pool = connect();
  const place: Place = {
    schema,
    pool,
    connect,
    open: (options = {}) => new PostgresSessionStore({ pool, schema, ...options }),
    run: async (sql, values) => (await pool.query(sql, values)).rows,
    async [Symbol.asyncDispose]() {
      for (const one of pools) await one.end();
    },
  };
  if (migrated) await place.open().migrate();
  return place;
}

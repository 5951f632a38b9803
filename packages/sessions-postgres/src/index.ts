// The public surface of @reins/sessions-postgres, by name.

export { PostgresMigrationError, PostgresStoreError } from "./errors.ts";
export type { MigrationReport } from "./migrate.ts";
export type { PostgresConnection, PostgresPool } from "./postgres-pool.ts";
export {
  type PostgresCallOptions,
  PostgresSessionStore,
  type PostgresSessionStoreOptions,
} from "./postgres-session-store.ts";

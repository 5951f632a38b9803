import { PostgresMigrationError, reasonOf } from "./errors.ts";
import type { PostgresPool } from "./postgres-pool.ts";
import { quoteIdentifier, quoteLiteral } from "./quote.ts";
import type { Tables } from "./tables.ts";
import { type Transaction, transact } from "./transactions.ts";

/** What {@link PostgresSessionStore.migrate} did. */
export interface MigrationReport {
  /** Version of the tables before; 0 when there were none. */
  readonly from: number;
  /** Version of the tables now. */
  readonly to: number;
}

/** How tables are migrated. */
export interface MigrationOptions {
  readonly signal?: AbortSignal | undefined;
  readonly connectTimeoutMs: number;
  /** Default the newest. */
  readonly version?: number;
}

/** 10 min: a later version may have to write large tables anew, and others wait for it. */
const timeoutMs = 600_000;

/**
 * The steps from each version to the next. A step that was published never changes.
 *
 * Text is compared byte by byte (`COLLATE "C"`): keys are no language, and an update of the system's collations cannot spoil the indexes.
 */
const steps: readonly ((tables: Tables) => string)[] = [
  // The free room is for updates of a row in its page: each append writes its session's row, and no index names what it changes.
  ({ sessions, entries, uuidIndex }) => `
    CREATE TABLE ${sessions} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant text COLLATE "C" NOT NULL,
      project_key text COLLATE "C" NOT NULL,
      session_id text COLLATE "C" NOT NULL,
      mtime bigint,
      summary text,
      updated_at timestamptz NOT NULL DEFAULT now(),
      UNIQUE (tenant, project_key, session_id)
    ) WITH (fillfactor = 50);
    CREATE TABLE ${entries} (
      session bigint NOT NULL REFERENCES ${sessions} ON DELETE CASCADE,
      subpath text COLLATE "C" NOT NULL,
      seq bigint NOT NULL,
      uuid text COLLATE "C",
      entry text NOT NULL,
      PRIMARY KEY (session, subpath, seq)
    );
    CREATE UNIQUE INDEX ${uuidIndex} ON ${entries} (session, subpath, uuid) WHERE uuid IS NOT NULL;`,
  // Tokens come from a sequence, so that they grow also when the row that had the last one is gone.
  ({ sessions, leaseTokens }) => `
    ALTER TABLE ${sessions} ADD lease_owner text, ADD lease_token bigint, ADD lease_expires bigint;
    CREATE SEQUENCE ${leaseTokens};`,
];

/** Brings the tables of a store to a version. Processes that do so at once wait for each other, and those that come later find nothing to do. */
export function migrateTables(
  pool: PostgresPool,
  tables: Tables,
  { signal, connectTimeoutMs, version = steps.length }: MigrationOptions,
): Promise<MigrationReport> {
  return transact(
    pool,
    { isolation: "read committed", timeoutMs, connectTimeoutMs },
    signal,
    async (transaction) => {
      const from = await lockAndReadVersion(transaction, tables);
      if (from > steps.length) {
        throw new PostgresMigrationError(
          `they are of version ${from}, and this package knows ${steps.length}; update it`,
        );
      }
      for (let next = from; next < version; next++) {
        const step = steps[next]?.(tables) ?? "";
        await transaction.query(`${step} INSERT INTO ${tables.migrations} (version) VALUES (${next + 1})`);
      }
      await transaction.commit();
      return { from, to: Math.max(from, version) };
    },
    ({ error }) => new PostgresMigrationError(reasonOf(error), error),
  );
}

async function lockAndReadVersion(transaction: Transaction, tables: Tables): Promise<number> {
  const { schema, prefix, migrations } = tables;
  const place = schema === undefined ? "current_schema()" : quoteLiteral(schema);
  // One for all prefixes: two that find no schema would both make it.
  const lockName = `concat_ws('.', 'reins', ${place})`;
  await transaction.begin(`SELECT pg_advisory_xact_lock(hashtextextended(${lockName}, 0))`);
  // Looked at only now: whoever had the lock before may have made them.
  const [found] = await transaction.query(`SELECT current_setting('server_encoding') AS encoding,
    EXISTS (SELECT FROM pg_namespace WHERE nspname = ${place}) AS has_schema,
    EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = ${place} AND relname = ${quoteLiteral(`${prefix}migrations`)}) AS has_tables`);
  if (found?.["encoding"] !== "UTF8") {
    throw new PostgresMigrationError(
      `the encoding of the database is ${String(found?.["encoding"])}, which cannot hold all text; use one with UTF8`,
    );
  }
  if (found["has_tables"] !== true) {
    const schemaStatement =
      found["has_schema"] === true || schema === undefined ? "" : `CREATE SCHEMA ${quoteIdentifier(schema)};`;
    await transaction.query(`${schemaStatement} CREATE TABLE ${migrations} (
      version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`);
  }
  const [row] = await transaction.query(`SELECT coalesce(max(version), 0) AS version FROM ${migrations}`);
  return Number(row?.["version"]);
}

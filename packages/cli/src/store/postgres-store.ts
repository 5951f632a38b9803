import { StoreUrlError } from "./errors.ts";
import { loadPackages } from "./load-package.ts";
import { type OpenedSessionStore, openedStore } from "./opened-session-store.ts";
import { takeParameter } from "./take-parameter.ts";

/** 10 s to connect: who waits at a prompt would rather know. */
const connectionTimeoutMillis = 10_000;

/** Opens a store on Postgres. With `create` the tables are made, or brought up to date. */
export async function openPostgres(url: URL, create: boolean): Promise<OpenedSessionStore> {
  const address = url.href;
  const packages = ["@reins/sessions-postgres", "pg"];
  const [{ PostgresSessionStore }, { default: pg }] = await loadPackages(url.protocol, packages, () =>
    Promise.all([import("@reins/sessions-postgres"), import("pg")]),
  );
  const schema = takeParameter(url, "schema");
  const tablePrefix = takeParameter(url, "table-prefix");
  const tenant = takeParameter(url, "tenant");
  const pool = new pg.Pool({ connectionString: url.href, connectionTimeoutMillis });
  // A connection that breaks while it rests: the next call fails by itself.
  pool.on("error", () => {});
  try {
    (await pool.connect()).release();
    const store = new PostgresSessionStore({
      pool,
      ...(schema !== undefined && { schema }),
      ...(tablePrefix !== undefined && { tablePrefix }),
      ...(tenant !== undefined && { tenant }),
    });
    if (create) await store.migrate();
    return openedStore(store, () => pool.end());
  } catch (error) {
    await pool.end().catch(() => {});
    throw new StoreUrlError(address, "Postgres does not answer, or refuses.", error);
  }
}

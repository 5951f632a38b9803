import { quoteIdentifier } from "./quote.ts";

/** The names of a store's tables, quoted. */
export interface Tables {
  readonly schema: string | undefined;
  readonly prefix: string;
  readonly sessions: string;
  readonly entries: string;
  readonly migrations: string;
  readonly leaseTokens: string;
  /** Index names have no schema: they go where their table is. */
  readonly uuidIndex: string;
}

/**
 * Names the tables of a store.
 *
 * @throws TypeError and RangeError for names that Postgres cannot have or would cut.
 */
export function nameTables(schema: string | undefined, prefix: string): Tables {
  if (schema !== undefined) quoteIdentifier(schema);
  const qualify = (name: string) =>
    `${schema === undefined ? "" : `${quoteIdentifier(schema)}.`}${quoteIdentifier(prefix + name)}`;
  return {
    schema,
    prefix,
    sessions: qualify("sessions"),
    entries: qualify("entries"),
    migrations: qualify("migrations"),
    leaseTokens: qualify("lease_tokens"),
    uuidIndex: quoteIdentifier(`${prefix}entries_uuid`),
  };
}

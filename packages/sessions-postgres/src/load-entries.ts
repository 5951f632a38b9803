import { type SessionKey, type SessionStoreEntry, SessionStoreError } from "@reins/sessions";
import type { StoredKey } from "./key.ts";
import { quoteLiteral } from "./quote.ts";
import type { Tables } from "./tables.ts";
import type { Row, Transaction } from "./transactions.ts";

/** How much one round trip brings: as many entries as begin within 8 MB, and not more than 2,000. */
const chunkBytes = 8 * 1024 * 1024;
const chunkEntries = 2_000;

/** Reads a transcript chunk by chunk from one snapshot; `null` when it has no entries. */
export async function loadEntries(
  transaction: Transaction,
  tables: Tables,
  key: SessionKey,
  stored: StoredKey,
): Promise<SessionStoreEntry[] | null> {
  const loaded: SessionStoreEntry[] = [];
  let rows = await transaction.begin(selectChunk(tables, stored, "0"));
  for (;;) {
    for (const row of rows) loaded.push(toEntry(key, row));
    const next = rows.at(-1)?.["next"] ?? null;
    if (next === null) break;
    rows = await transaction.query(selectChunk(tables, stored, String(next)));
  }
  await transaction.commit();
  return loaded.length === 0 ? null : loaded;
}

/** The length of a text that lies compressed or apart is known without reading it, so only what is sent is read. */
function selectChunk({ sessions, entries }: Tables, { isSession, subpath }: StoredKey, from: string): string {
  return `SELECT seq, next, entry FROM (
      SELECT seq, entry, lead(seq) OVER later AS next, sum(octet_length(entry)) OVER later - octet_length(entry) AS bytes_before
      FROM ${entries} WHERE session = (SELECT id FROM ${sessions} WHERE ${isSession}) AND subpath = ${quoteLiteral(subpath)} AND seq >= ${from}
      WINDOW later AS (ORDER BY seq) ORDER BY seq LIMIT ${chunkEntries}
    ) AS chunk WHERE bytes_before < ${chunkBytes} ORDER BY seq`;
}

function toEntry(key: SessionKey, row: Row): SessionStoreEntry {
  try {
    // Written by `append`, which takes nothing else.
    return JSON.parse(String(row["entry"])) as SessionStoreEntry;
  } catch (cause) {
    throw new SessionStoreError(
      `The entry with seq ${String(row["seq"])} of session ${JSON.stringify(key.sessionId)} is no JSON. Something else wrote to the table; mend or delete it.`,
      { operation: "load", key, cause },
    );
  }
}

import { foldSessionSummary, type SessionKey, type SessionStoreEntry } from "@reins/sessions";
import type { BatchPart } from "./batch.ts";
import { quoteLiteral } from "./quote.ts";
import type { SessionRow } from "./session-row.ts";
import type { Tables } from "./tables.ts";
import type { Transaction } from "./transactions.ts";

/** Appends a batch to a transcript whose session is locked, brings the summary up to date, and commits. Two round trips. */
export async function appendEntries(
  transaction: Transaction,
  tables: Tables,
  key: SessionKey,
  subpath: string,
  row: SessionRow,
  parts: readonly BatchPart[],
): Promise<void> {
  const stored: string[] = [];
  for (const part of parts) stored.push(...(await insertPart(transaction, tables, row.id, subpath, part)));
  if (stored.length === 0) return void (await transaction.commit());
  const changes = ["updated_at = now()"];
  if (key.subpath === undefined) {
    changes.push(`mtime = ${row.nextMtime}`, `summary = ${quoteLiteral(foldOn(key, row, stored))}`);
  }
  await transaction.commit(`UPDATE ${tables.sessions} SET ${changes.join(", ")} WHERE id = ${row.id}`);
}

/**
 * Inserts what is new of a batch, and gives its lines. Under the lock nobody else appends, so the last number is the last for all.
 *
 * Lines travel as one text: the literal of an array would have each of their quotes and backslashes twice.
 */
async function insertPart(
  transaction: Transaction,
  { entries }: Tables,
  sessionId: string,
  subpath: string,
  { lines, uuids }: BatchPart,
): Promise<string[]> {
  const rows = await transaction.query(
    `WITH last AS MATERIALIZED (SELECT coalesce(max(seq), 0) AS seq FROM ${entries} WHERE session = $1::bigint AND subpath = $2::text)
    INSERT INTO ${entries} (session, subpath, seq, uuid, entry)
    SELECT $1::bigint, $2::text, last.seq + line.n, line.uuid, line.entry
    FROM last, unnest(string_to_array($3::text, E'\\n'), string_to_array($4::text, E'\\n', '')) WITH ORDINALITY AS line (entry, uuid, n)
    ON CONFLICT (session, subpath, uuid) WHERE uuid IS NOT NULL DO NOTHING
    RETURNING seq - (SELECT seq FROM last) AS n`,
    [sessionId, subpath, lines.join("\n"), uuids.join("\n")],
  );
  return rows.map((inserted) => lines[Number(inserted["n"]) - 1] ?? "");
}

/** The summary with what was really stored: a repeated batch must not bring an old title back. */
function foldOn(key: SessionKey, row: SessionRow, lines: readonly string[]): string {
  // What the store itself wrote: objects, and entries.
  const previous = row.summary === undefined ? undefined : (JSON.parse(row.summary) as Record<string, unknown>);
  const entries = lines.map((line) => JSON.parse(line) as SessionStoreEntry);
  const { sessionId } = key;
  const { data } = foldSessionSummary(
    previous === undefined ? undefined : { sessionId, mtime: row.nextMtime, data: previous },
    key,
    entries,
  );
  return JSON.stringify(data);
}

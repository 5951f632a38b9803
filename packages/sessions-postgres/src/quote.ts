/**
 * Writes a value as a literal of SQL. Several statements in one message cannot have parameters, and one message is one round trip.
 *
 * The form with `E` means the same whatever `standard_conforming_strings` says; in UTF-8 no other character contains a quote or a backslash.
 *
 * @param value Without U+0000 and halves of surrogate pairs, as `toKeyText` and JSON give it.
 */
export function quoteLiteral(value: string): string {
  return `E'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}

/**
 * Writes a name of a schema or table as an identifier of SQL.
 *
 * @throws TypeError when Postgres cannot have the name, and RangeError when it would cut it: two long names could then be one.
 */
export function quoteIdentifier(name: string): string {
  if (name === "" || name.includes("\u0000") || /\p{Cs}/u.test(name)) {
    throw new TypeError(`${JSON.stringify(name)} cannot be a name in Postgres.`);
  }
  if (Buffer.byteLength(name) > 63) {
    throw new RangeError(`The name ${JSON.stringify(name)} has more than the 63 bytes that Postgres keeps.`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

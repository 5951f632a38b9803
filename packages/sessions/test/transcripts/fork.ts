import { readFileSync } from "node:fs";
import type { Entry } from "./config.ts";

/** The entries of a transcript. */
export function linesOf(path: string): Entry[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line): Entry => JSON.parse(line));
}

/** A fork without what is new in each fork: its uuids, its id, and the time at which it was made. */
export function comparableFork(lines: readonly Entry[], sessionId: string, began: number): unknown {
  const names = new Map<unknown, string>([[sessionId, "fork"]]);
  for (const [index, { uuid }] of lines.entries()) if (uuid !== undefined) names.set(uuid, `entry ${index}`);
  const renamed: Entry[] = JSON.parse(JSON.stringify(lines, (_, value: unknown) => names.get(value) ?? value));
  return renamed.map((line) => (Date.parse(String(line["timestamp"])) >= began ? { ...line, timestamp: "now" } : line));
}

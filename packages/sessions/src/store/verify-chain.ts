import type { SessionKey } from "@reins/messages";
import { uuidOf } from "./entry-line.ts";
import type { SessionIssue, SessionIssueKind } from "./session-issue.ts";
import type { SessionStoreEntry } from "./session-store.ts";

/** Finds what is wrong with the entries of one transcript. */
export function verifyChain(key: SessionKey, entries: readonly SessionStoreEntry[]): SessionIssue[] {
  const issues: SessionIssue[] = [];
  const report = (kind: SessionIssueKind, severity: SessionIssue["severity"], index: number, message: string) => {
    const uuid = uuidOf(entries[index] ?? { type: "" });
    issues.push({ kind, severity, key, message, index, ...(uuid === undefined ? {} : { uuid }) });
  };
  const parents = new Map<string, string | undefined>();
  for (const [index, entry] of entries.entries()) {
    const uuid = uuidOf(entry);
    if (uuid === undefined) continue;
    if (parents.has(uuid)) report("duplicate-uuid", "error", index, `Entry ${index} repeats the uuid ${uuid}.`);
    parents.set(uuid, parentOf(entry));
  }
  let roots = 0;
  for (const [index, entry] of entries.entries()) {
    const { sessionId, timestamp } = entry;
    if (typeof sessionId === "string" && sessionId !== key.sessionId) {
      report("foreign-session", "warning", index, `Entry ${index} names the session ${sessionId}.`);
    }
    if (timestamp !== undefined && Number.isNaN(Date.parse(String(timestamp)))) {
      report("bad-timestamp", "warning", index, `The timestamp of entry ${index} cannot be read.`);
    }
    if (uuidOf(entry) === undefined || !("parentUuid" in entry)) continue;
    const parent = parentOf(entry);
    if (parent !== undefined && !parents.has(parent)) {
      report("unknown-parent", "error", index, `The parent ${parent} of entry ${index} is not in the transcript.`);
    }
    // A compaction begins a chain of its own.
    if (parent === undefined && entry["subtype"] !== "compact_boundary" && ++roots > 1) {
      report("second-root", "warning", index, `Entry ${index} begins a second chain.`);
    }
  }
  for (const uuid of cyclesIn(parents)) {
    const index = entries.findIndex((entry) => entry.uuid === uuid);
    report("cycle", "error", index, `Entry ${index} is among its own ancestors.`);
  }
  if (!entries.some(({ type }) => type === "user" || type === "assistant")) {
    issues.push({ kind: "no-messages", severity: "warning", key, message: "The transcript has no messages." });
  }
  return issues;
}

function parentOf(entry: SessionStoreEntry): string | undefined {
  return typeof entry["parentUuid"] === "string" ? entry["parentUuid"] : undefined;
}

/** One uuid of each cycle. Each entry is walked over once. */
function cyclesIn(parents: ReadonlyMap<string, string | undefined>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  for (const start of parents.keys()) {
    const walk = new Set<string>();
    let uuid: string | undefined = start;
    while (uuid !== undefined && !done.has(uuid) && !walk.has(uuid)) {
      walk.add(uuid);
      uuid = parents.get(uuid);
    }
    if (uuid !== undefined && walk.has(uuid)) cycles.push(uuid);
    for (const one of walk) done.add(one);
  }
  return cycles;
}

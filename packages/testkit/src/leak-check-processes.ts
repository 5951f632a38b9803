import { readFileSync } from "node:fs";
import { entriesOf } from "./entries-of.ts";
import { hasLeakMark } from "./leak-mark.ts";

/** A process that this one, or one of its descendants, has started. */
export interface Descendant {
  readonly pid: number;
  readonly parentPid: number;
  /** In clock ticks since the boot. Together with `pid` it is unique. */
  readonly startTime: number;
  readonly command: string;
}

/**
 * Lists the living descendants of this process from `/proc`, and the processes that carry its leak mark. Empty where there is no
 * `/proc`. Zombies do not count: there is nothing left of them but an exit code.
 */
export function listDescendants(): Descendant[] {
  const all = new Map<number, Omit<Descendant, "command">>();
  for (const name of entriesOf("/proc")) {
    const found = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (found !== undefined) all.set(found.pid, found);
  }
  const ownStart = all.get(process.pid)?.startTime;
  if (ownStart === undefined) return [];
  return [...all.values()]
    .filter((candidate) => candidate.pid !== process.pid && candidate.startTime >= ownStart)
    .filter(({ pid }) => descends(pid, all) || hasLeakMark(readText(`/proc/${pid}/environ`)))
    .map((found) => ({ ...found, command: commandOf(found.pid) }));
}

function descends(pid: number, all: ReadonlyMap<number, { readonly parentPid: number }>): boolean {
  // The snapshot is not taken in one moment, so the chain of parents is not trusted to be free of circles.
  const seen = new Set<number>();
  for (let parent = all.get(pid)?.parentPid; parent !== undefined; parent = all.get(parent)?.parentPid) {
    if (parent === process.pid) return true;
    if (seen.has(parent)) return false;
    seen.add(parent);
  }
  return false;
}

function readStat(pid: number): Omit<Descendant, "command"> | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces and parentheses; all that follows it are numbers and one letter (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, parentPid] = fields;
  if (state === undefined || state === "" || state === "Z" || state === "X") return undefined;
  return { pid, parentPid: Number(parentPid), startTime: Number(fields[19]) };
}

function commandOf(pid: number): string {
  const command = readText(`/proc/${pid}/cmdline`)
    .replaceAll(/[\0\s]+/g, " ")
    .trim();
  return command.length > 200 ? `${command.slice(0, 200)}...` : command;
}

/** Empty when the process is gone or not ours. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

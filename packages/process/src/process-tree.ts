import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process of this machine and its parent. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
}

/**
 * Kills a process and all that descends from it: the shells and MCP servers that a CLI would leave behind when it is killed alone.
 *
 * Each is stopped before its children are listed, so none can start another meanwhile. A descendant whose parent has ended belongs to
 * init and cannot be found any more; a process group of its own would reach it, but it would also take the CLI out of the host's, so
 * that Ctrl-C in a terminal would miss it.
 *
 * Synchronous, since the exit of the host leaves no time. POSIX only.
 */
export function killTree(
  root: number,
  list: () => readonly ProcessEntry[] = listProcesses,
  send: (pid: number, signal: "SIGSTOP" | "SIGKILL") => void = sendSignal,
): void {
  const tree = new Set<number>();
  let found = [root];
  while (found.length > 0) {
    for (const pid of found) {
      tree.add(pid);
      send(pid, "SIGSTOP");
    }
    found = list().flatMap(({ pid, parent }) => (tree.has(parent) && !tree.has(pid) ? [pid] : []));
  }
  for (const pid of tree) send(pid, "SIGKILL");
}

function sendSignal(pid: number, signal: "SIGSTOP" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already, or belongs to another user: there is nothing that can be done.
  }
}

function listProcesses(): ProcessEntry[] {
  try {
    return process.platform === "linux" ? listFromProc() : listFromPs();
  } catch {
    // Without a list the root is killed alone.
    return [];
  }
}

function listFromProc(): ProcessEntry[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const parent = parentFromProc(name);
    return parent === undefined ? [] : [{ pid: Number(name), parent }];
  });
}

function parentFromProc(pid: string): number | undefined {
  try {
    // "pid (name) state ppid ...", and the name may hold anything, parentheses too.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}

function listFromPs(): ProcessEntry[] {
  // The only other process that this package starts, and only to kill. 1 s: it takes some 10 ms.
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], {
    encoding: "utf8",
    timeout: 1000,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return table.split("\n").flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid === undefined || parent === undefined ? [] : [{ pid, parent }];
  });
}

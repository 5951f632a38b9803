import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";

/** Tells a process from all others, on any machine and at any time, as far as the platform says. */
export interface ProcessIdentity {
  readonly host: string;
  /** Boot and process namespace: where `pid` means something. Empty where the platform does not say. */
  readonly machine: string;
  readonly pid: number;
  /** When the process began, in the kernel's ticks, since ids are used again. Empty where the platform does not say. */
  readonly started: string;
}

/** Describes the process that asks. */
export async function identifyProcess(): Promise<ProcessIdentity> {
  const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8").catch(() => "");
  // Two containers on one machine both have a process 1.
  const namespace = await readlink("/proc/self/ns/pid").catch(() => "");
  const status = await readStatus(process.pid);
  return { host: hostname(), machine: `${boot.trim()} ${namespace}`, pid: process.pid, started: status?.started ?? "" };
}

/** Says that a process is gone; false also when this cannot be known from here. */
export async function isKnownDead(other: ProcessIdentity, self: ProcessIdentity): Promise<boolean> {
  if (other.host !== self.host || other.machine !== self.machine) return false;
  if (!exists(other.pid)) return true;
  const status = await readStatus(other.pid);
  if (status === undefined || other.started === "") return false;
  // A zombie was killed and is only waiting for its parent.
  return status.started !== other.started || status.state === "Z" || status.state === "X";
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function readStatus(pid: number): Promise<{ state: string; started: string } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  // The second field is the command in parentheses and may hold anything; the third is the state, the 22nd the start.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? undefined : { state, started };
}

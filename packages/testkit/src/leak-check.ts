import { type EventEmitter, getEventListeners } from "node:events";
import { readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { ReinsError } from "@reins/streamjson";
import { entriesOf } from "./entries-of.ts";
import { listDescendants } from "./leak-check-processes.ts";
import { type Resource, type ResourceWatch, unwatched, watchResources } from "./leak-check-resources.ts";
import { leakMark } from "./leak-mark.ts";

/** What a leak check looks at beside the process itself. */
export interface LeakCheckOptions {
  /** Emitters and signals of which no listener may be left. `process` is always among them. */
  readonly watch?: readonly (EventEmitter | AbortSignal)[];
  /** Folders in which no new entry may be left. */
  readonly folders?: readonly string[];
  /** How long what is on its way out may take, in ms. Default 2,000. */
  readonly timeoutMs?: number;
}

/** Compares what is alive now with what was alive when the check was started. */
export interface LeakCheck extends AsyncDisposable {
  /**
   * Waits until nothing is left that was not there at the start. Disposing does the same, unless it was called before.
   *
   * @throws {@link LeakError} with all that is left when the time is over.
   */
  assertClean(): Promise<void>;
}

/** Something that outlived the code that made it. */
export interface Leak {
  readonly kind: "process" | "timer" | "handle" | "listener" | "descriptor" | "folder" | "heap";
  /** Which one, for a reader. */
  readonly what: string;
}

/**
 * Remembers what is alive, so that a test can prove that it left nothing behind:
 *
 * - processes: all descendants, and those whose parents are gone when they were started with this process's environment or with
 *   that of a sandbox. Linux only; elsewhere direct children are found, as handles.
 * - timers, `unref`ed or not, with the line that made them.
 * - handles that keep the event loop alive, such as servers, sockets and children, with the line that made them. One that is
 *   `unref`ed is not seen, except by its descriptor.
 * - listeners on `process` and on what is watched.
 * - descriptors: files, pipes and sockets. Linux only.
 * - folders: sandboxes and other temporary folders named `reins-WHAT-PID-...`, and what is new in `folders`.
 *
 * Checks see the whole process: tests that run at the same time in one process find each other's things. Always end a check: its
 * watch on timers costs a little for each promise. Sets the variable
 * `REINS_LEAK_MARK` in `process.env`, by which processes are known again.
 *
 * @example
 * await using leaks = startLeakCheck({ watch: [controller.signal] });
 */
export function startLeakCheck(options: LeakCheckOptions = {}): LeakCheck {
  Object.assign(process.env, leakMark());
  const before = countByKey(look(options));
  const resources = watchResources();
  let result: Promise<void> | undefined;
  const assertClean = (): Promise<void> => {
    result ??= waitUntilClean(before, resources, options).finally(() => resources.stop());
    return result;
  };
  return {
    assertClean,
    [Symbol.asyncDispose]: async () => {
      if (result === undefined) await assertClean();
    },
  };
}

/** Something was left behind. */
export class LeakError extends ReinsError {
  readonly code = "REINS_LEAK" as const;
  /** All that was left. One thing may be seen twice, such as a child that is a process and a handle. */
  readonly leaks: readonly Leak[];

  constructor(leaks: readonly Leak[], timeoutMs: number) {
    const list = leaks.map(({ kind, what }) => `- ${kind}: ${what}`).join("\n");
    super(`Left behind, ${timeoutMs} ms after the end:\n${list}`);
    this.leaks = leaks;
  }

  override get name(): string {
    return "LeakError";
  }
}

/** A thing that is alive. Things with equal keys cannot be told apart: they are counted. */
interface Thing extends Leak {
  readonly key: string;
}

async function waitUntilClean(
  before: ReadonlyMap<string, number>,
  resources: ResourceWatch,
  options: LeakCheckOptions,
): Promise<void> {
  const { timeoutMs = 2_000 } = options;
  const deadline = Date.now() + timeoutMs;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 100)) {
    // The end of a timer, such as the one that this loop waits for, is reported one turn of the event loop later.
    await nextTurn();
    const leaks = [...resources.alive().map(toLeak), ...newThings(look(options), before)];
    if (leaks.length === 0) return;
    if (Date.now() >= deadline) throw new LeakError(leaks, timeoutMs);
    await unwatched(() => delay(waitMs));
  }
}

function look(options: LeakCheckOptions): Thing[] {
  return [
    ...processes(),
    ...listeners(process, "process"),
    ...(options.watch ?? []).flatMap((target, index) => listeners(target, `watched ${index}`)),
    ...descriptors(),
    ...temporaryFolders(),
    ...(options.folders ?? []).flatMap((folder) =>
      entriesOf(folder).map((name) => thing("folder", join(folder, name))),
    ),
  ];
}

function processes(): Thing[] {
  return listDescendants().map(({ pid, parentPid, startTime, command }) =>
    thing("process", `${pid} (parent ${parentPid}): ${command}`, `${pid} ${startTime}`),
  );
}

function toLeak({ type, madeAt }: Resource): Leak {
  return type === "Timeout" ? { kind: "timer", what: madeAt } : { kind: "handle", what: `${type} ${madeAt}` };
}

function listeners(target: EventEmitter | AbortSignal, name: string): Thing[] {
  const counts: [string | symbol, number][] =
    "eventNames" in target
      ? target.eventNames().map((event) => [event, target.listenerCount(event)])
      : [["abort", getEventListeners(target, "abort").length]];
  return counts.flatMap(([event, count]) =>
    Array.from({ length: count }, () => thing("listener", `${String(event)} on ${name}`)),
  );
}

function descriptors(): Thing[] {
  // Reading the folder opens a descriptor of its own, which is gone when its link is read.
  return entriesOf("/proc/self/fd").flatMap((number) => {
    const target = linkOf(`/proc/self/fd/${number}`);
    // What the event loop itself is made of is created when it is first needed, and stays.
    if (target === undefined || /^anon_inode:\[?(eventpoll|eventfd|io_uring)/.test(target)) return [];
    return [thing("descriptor", `${number} (${target})`)];
  });
}

function temporaryFolders(): Thing[] {
  const ours = new RegExp(`^reins-.*-${process.pid}-`);
  return entriesOf(tmpdir())
    .filter((name) => ours.test(name))
    .map((name) => thing("folder", join(tmpdir(), name)));
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function thing(kind: Leak["kind"], what: string, key: string = what): Thing {
  return { kind, what, key: `${kind} ${key}` };
}

function countByKey(things: readonly Thing[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of things) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function newThings(things: readonly Thing[], before: ReadonlyMap<string, number>): Leak[] {
  const known = new Map(before);
  return things
    .filter(({ key }) => {
      const left = known.get(key) ?? 0;
      known.set(key, left - 1);
      return left <= 0;
    })
    .map(({ kind, what }) => ({ kind, what }));
}

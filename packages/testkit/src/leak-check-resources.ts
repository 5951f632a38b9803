import { createHook } from "node:async_hooks";

/** A timer or a handle that is alive. */
export interface Resource {
  /** Node's name of its type, such as `Timeout`, `TCPSERVERWRAP` or `PROCESSWRAP`. */
  readonly type: string;
  /** The line that made it, as in a stack; not known when Node made it in a callback, such as a connection that came in. */
  readonly madeAt: string;
}

/** The timers and handles that were made since {@link watchResources} was called. */
export interface ResourceWatch {
  alive(): readonly Resource[];
  /** Ends the watch. */
  stop(): void;
}

let isOwn = false;

/** Makes something that no watch sees: what a leak check needs itself, of which there may be several at once. */
export function unwatched<Value>(make: () => Value): Value {
  isOwn = true;
  try {
    return make();
  } finally {
    isOwn = false;
  }
}

/**
 * Watches timers and handles one by one. A count by type, which `process.getActiveResourcesInfo` offers, would not do: one that
 * ends during a test, of the test runner or of the test before, hides one that the test left.
 */
export function watchResources(): ResourceWatch {
  // Node makes them when they are first asked for, and they stay: as pipes they would be handles of whoever prints first.
  void [process.stdout, process.stderr];
  const resources = new Map<number, Resource & { readonly isAlive: () => boolean }>();
  const hook = createHook({
    init(id, type, _triggerId, resource) {
      if (isOwn || !canKeepAlive(type, resource)) return;
      const stack = new Error().stack ?? "";
      const isTimer = type === "Timeout";
      // Node's own timers, such as those of sockets and the one that keeps the date of HTTP for the rest of the second.
      if (isTimer && stack.includes("at setUnrefTimeout ")) return;
      // A handle says no from the moment it is closed. For timers the question is whether they will fire.
      resources.set(id, { type, madeAt: callSite(stack), isAlive: () => isTimer || resource.hasRef() });
    },
    destroy(id) {
      resources.delete(id);
    },
  }).enable();
  return {
    alive: () => [...resources.values()].filter((resource) => resource.isAlive()),
    stop: () => hook.disable(),
  };
}

function canKeepAlive(type: string, resource: object): resource is { hasRef: () => boolean } {
  // The two most frequent types. The second one ends with this turn of the event loop.
  if (type === "PROMISE" || type === "Immediate") return false;
  return "hasRef" in resource && typeof resource.hasRef === "function";
}

function callSite(stack: string): string {
  // Without the message, and without the hook itself: built, it is in one file with the rest.
  const frames = stack.split("\n").slice(2);
  const outside = frames.find((frame) => !frame.includes("node:"));
  return (outside ?? "in a callback of Node").trim();
}

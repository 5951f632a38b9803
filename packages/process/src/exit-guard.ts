/** What kills each child that lives. */
const killers = /* @__PURE__ */ new Set<() => void>();

/**
 * Kills a child when the host exits, `process.exit()` and an uncaught exception included, until it is released.
 *
 * There is one `exit` listener for all children, from the first to the last. Signals of the host are not taken over: a host that a
 * signal ends runs no listener, and its children see the end of their input.
 *
 * @returns The release. Idempotent.
 */
export function guardUntilExit(kill: () => void): () => void {
  if (killers.size === 0) process.on("exit", killAllChildren);
  killers.add(kill);
  return () => {
    if (killers.delete(kill) && killers.size === 0) process.off("exit", killAllChildren);
  };
}

/** Kills each child that lives, at once. */
export function killAllChildren(): void {
  for (const kill of killers) {
    try {
      kill();
    } catch {
      // A custom spawner's: the next child has to be killed all the same.
    }
  }
}

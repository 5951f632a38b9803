import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** The memory of this process after a garbage collection. */
export function liveMemory(): NodeJS.MemoryUsage {
  setFlagsFromString("--expose-gc");
  // Twice, for what finalizers let go.
  for (let i = 0; i < 2; i++) runInNewContext("gc")();
  return process.memoryUsage();
}

import { bridgeScripts } from "./bridge-scripts.ts";
import { hostScripts } from "./host-scripts.ts";
import type { ConformanceScript } from "./script.ts";

export {
  type ConformanceOptions,
  type ConformancePeer,
  type ConformanceReport,
  runConformance,
} from "./run-conformance.ts";
export type { ConformanceScript, ConformanceStep, Pattern } from "./script.ts";

/** All scripts of the kit: those for bridges, which play a host, and those for hosts, which play a bridge. */
export const conformanceScripts: readonly ConformanceScript[] = [...bridgeScripts, ...hostScripts];

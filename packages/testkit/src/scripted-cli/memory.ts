// The part of the package that needs no `node:`, as `@reins/testkit/memory`: for tests in browsers, and for packages that are
// compiled without the types of Node.js. The root entry has all of it too.
export {
  type CliEnd,
  CliExitError,
  type TransportPair,
  type TransportPairOptions,
  transportPair,
} from "../transport-pair.ts";
export type { CliEvent, CliLog } from "./log.ts";
export { CliScriptError, parseCliScript } from "./parse-script.ts";
export { type CaptureEntry, type ReplayOptions, replayScript } from "./replay.ts";
export type { CliScript, CliStep, FrameMatch, FrameTemplate, ScriptText } from "./script.ts";
export { type ScriptedCli, type ScriptedCliOptions, scriptedCli } from "./scripted-cli.ts";

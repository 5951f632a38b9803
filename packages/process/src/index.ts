// The public surface of @reins/process, by name.
export { onAbort } from "./abort-listeners.ts";
export { inheritEnv, outerSessionVariables } from "./environment.ts";
export {
  CliNotFoundError,
  LaunchError,
  type LaunchFailure,
  OptionError,
  OptionTooLongError,
  type PlaceTried,
  ProcessError,
} from "./errors.ts";
export type { FileProbe, FileStatus } from "./file-probe.ts";
export { buildLaunch, type Launch, type LaunchHost } from "./launch.ts";
export type {
  AgentDefinition,
  CustomSystemPrompt,
  LaunchOptions,
  McpServerConfig,
  PluginConfig,
  PresetSystemPrompt,
  Settings,
  ThinkingConfig,
} from "./launch-options.ts";
export { type ClaudeLocation, type LocateOptions, locateClaude } from "./locate.ts";
export type { Libc } from "./platform-package.ts";
export { ProcessTransport, type StartOptions, startClaude } from "./process-transport.ts";
export type { ReadablePipe, SpawnClaudeCodeProcess, SpawnedProcess, SpawnOptions } from "./spawned-process.ts";
export type { Environment } from "./variables.ts";

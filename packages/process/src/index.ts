// The public surface of @reins/process, by name.
export { onAbort } from "./abort-listeners.ts";
export { type CliVersionCheck, checkCliVersion } from "./cli-version.ts";
export { type DockerSpawnerOptions, dockerSpawner } from "./docker-spawner.ts";
export { inheritEnv, outerSessionVariables } from "./environment.ts";
export {
  CliNotFoundError,
  LaunchError,
  type LaunchFailure,
  OptionError,
  OptionNotAppliedError,
  OptionTooLongError,
  type PlaceTried,
  ProcessError,
} from "./errors.ts";
export type { FileProbe, FileStatus } from "./file-probe.ts";
export { checkInitializeAnswer, mustBeApplied } from "./initialize-answer.ts";
export { buildLaunch, type Launch, type LaunchFile, type LaunchHost } from "./launch.ts";
export type {
  AgentDefinition,
  CustomSystemPrompt,
  FileSystemPrompt,
  LaunchOptions,
  McpServerConfig,
  PluginConfig,
  PresetSystemPrompt,
  Settings,
  ThinkingConfig,
} from "./launch-options.ts";
export { type ClaudeLocation, type LocateOptions, locateClaude } from "./locate.ts";
export { warnOfUnknownOptions } from "./option-names.ts";
export { launchOptionNames, processOptions } from "./option-table.ts";
export type { Libc } from "./platform-package.ts";
export { ProcessTransport, type StartOptions, startClaude } from "./process-transport.ts";
export { closeOnSignals } from "./signal-handlers.ts";
export type { ReadablePipe, SpawnClaudeCodeProcess, SpawnedProcess, SpawnOptions } from "./spawned-process.ts";
export { type SshSpawnerOptions, sshSpawner } from "./ssh-spawner.ts";
export { SUPPORTED_CLI_VERSION } from "./supported-cli.ts";
export { type UserSpawnerOptions, userSpawner } from "./user-spawner.ts";
export type { Environment } from "./variables.ts";
export { createParkingFolder, type ParkingFolder } from "./warm-parking.ts";
export { type LaunchWarning, type OnWarning, warn } from "./warnings.ts";

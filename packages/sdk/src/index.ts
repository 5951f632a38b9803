// The public surface of @reins/sdk, by name.
export {
  type CanUseTool,
  ControlError,
  ControlTimeoutError,
  type Diagnostic,
  type HookCallback,
  type HookMatcher,
  type Hooks,
  NoResultError,
  type PermissionRequestOptions,
  ResultError,
  SessionClosedError,
} from "@reins/control";
export type { Message } from "@reins/messages";
export {
  CliNotFoundError,
  inheritEnv,
  LaunchError,
  type McpServerConfig,
  OptionError,
  OptionTooLongError,
  ProcessError,
} from "@reins/process";
export { AbortError, isReinsError, ReinsError, type Transport, type TransportExit } from "@reins/streamjson";
export { createSdkMcpServer, createToolServer, type ToolServer, tool } from "@reins/toolhost";
export type { InProcessServerConfig, Options } from "./options.ts";
export { type Prompt, PromptError, type UserPrompt } from "./prompt.ts";
export { type Query, query } from "./query.ts";

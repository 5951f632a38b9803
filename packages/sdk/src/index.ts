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
  type ClaudeLocation,
  CliNotFoundError,
  inheritEnv,
  LaunchError,
  type LocateOptions,
  locateClaude,
  type McpServerConfig,
  OptionError,
  OptionTooLongError,
  ProcessError,
} from "@reins/process";
export { AbortError, isReinsError, ReinsError, type Transport, type TransportExit } from "@reins/streamjson";
export { createSdkMcpServer, createToolServer, ToolDefinitionError, type ToolServer, tool } from "@reins/toolhost";
export type { InProcessServerConfig, Options } from "./options.ts";
export { type Prompt, PromptError, type UserPrompt } from "./prompt.ts";
export { type Query, query } from "./query.ts";

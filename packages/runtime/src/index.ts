// The public surface of @reins/runtime, by name.
// What the options of an agent speak of.
export {
  ApiKeyAuthError,
  CliNotFoundError,
  inheritEnv,
  locateClaude,
  StreamStalledError,
  ToolSurfaceMismatchError,
} from "@reins/sdk";
export { type Agent, createAgent } from "./agent.ts";
export type { AgentOptions, SessionCallbacks } from "./agent-options.ts";
export {
  EventsLostError,
  HookSettingError,
  HookTimeoutError,
  TurnFailedError,
  TurnRefusedError,
  UnknownHookEventError,
} from "./errors.ts";
export type { JsonRecord } from "./json-value.ts";
export {
  type HookHandler,
  type HookHandlerOptions,
  type HookProgress,
  type HookRegistry,
  type HookResult,
  type LoopHookData,
  type LoopHookEvent,
  loopHookEvents,
  type ToolCallData,
  type TurnEndData,
} from "./loop-hooks.ts";
export type { PromptFn, PromptMetadata, PromptRequest, PromptResponse } from "./prompt.ts";
export { endRuntimeEvents, type FrameContext, type RuntimeStep, toRuntimeEvents } from "./reducer.ts";
export type {
  AgentEvent,
  ContextCompacted,
  ExecutionModeChanged,
  GoalUpdated,
  PermissionQuestion,
  PlanSubmitted,
  PromptQuestion,
  ResponseChunk,
  RuntimeEvent,
  RuntimeEventData,
  RuntimeEventType,
  TaskChange,
  ToolCallEvent,
  ToolProgress,
  ToolStage,
  TurnCompleted,
  TurnFailed,
  TurnStage,
  TurnStarted,
  TurnStop,
} from "./runtime-event.ts";
export {
  initialRuntimeState,
  type KnownAgent,
  type OpenRequest,
  type OpenTool,
  type OpenTurn,
  type RuntimeState,
} from "./runtime-state.ts";
export type { Session } from "./session.ts";
export type { PreToolHook } from "./shell-hooks.ts";
export type { StopCommand, StopHook, StopHookContext, StopHookResult } from "./stop-hooks.ts";
export type { ToolCall, TurnResult } from "./turn-result.ts";

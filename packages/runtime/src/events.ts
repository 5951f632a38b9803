// The public surface of @reins/runtime/events, by name. Everything it reaches runs in a browser.
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

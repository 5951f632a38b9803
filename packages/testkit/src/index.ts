// The public surface of @reins/testkit, by name.

export { type FindTestBinaryOptions, findTestBinary, TestBinaryNotFoundError } from "./find-test-binary.ts";
export { checkHeap, type HeapCheckOptions, type HeapGrowth, type Track } from "./heap-check.ts";
export { type Leak, type LeakCheck, type LeakCheckOptions, LeakError, startLeakCheck } from "./leak-check.ts";
export {
  createSandbox,
  type Sandbox,
  type SandboxOptions,
  SandboxRemovalError,
  UnsafeEnvironmentError,
} from "./sandbox.ts";
export {
  type ScriptedCliExecutable,
  type ScriptedCliExecutableOptions,
  scriptedCliExecutable,
} from "./scripted-cli/executable.ts";
export {
  type CaptureEntry,
  type CliEnd,
  type CliEvent,
  CliExitError,
  type CliLog,
  type CliScript,
  CliScriptError,
  type CliStep,
  type FrameMatch,
  type FrameTemplate,
  parseCliScript,
  type ReplayOptions,
  replayScript,
  type ScriptedCli,
  type ScriptedCliOptions,
  type ScriptText,
  scriptedCli,
  type TransportPair,
  type TransportPairOptions,
  transportPair,
} from "./scripted-cli/memory.ts";
export { RequestNotSeenError, ScriptMismatchError } from "./scripted-model/errors.ts";
export type {
  ContentBlock,
  MessagesBody,
  MessagesBodyMessage,
  ModelRequest,
  RequestEnd,
  SideRequest,
  ToolResult,
} from "./scripted-model/request.ts";
export { type ModelScript, type ScriptedModel, startScriptedModel } from "./scripted-model/scripted-model.ts";
export {
  type ApiErrorDetails,
  apiError,
  createGate,
  type Gate,
  type ScriptedAnswer,
  type ScriptedBlock,
  type ScriptedError,
  type ScriptedTurn,
  type TextBlock,
  type ThinkingBlock,
  type ToolUseBlock,
  text,
  thinking,
  toolUse,
} from "./scripted-model/turn.ts";

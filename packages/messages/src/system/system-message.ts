import type { ApiRetryMessage } from "./api-retry.ts";
import type { CompactBoundaryMessage } from "./compaction.ts";
import type { HookProgressMessage, HookResponseMessage, HookStartedMessage } from "./hook-messages.ts";
import type { SystemInitMessage } from "./init.ts";
import type {
  ModelFallbackMessage,
  ModelRefusalFallbackMessage,
  ModelRefusalNoFallbackMessage,
  ThinkingTokensMessage,
} from "./model-changes.ts";
import type {
  ElicitationCompleteMessage,
  InformationalMessage,
  LocalCommandOutputMessage,
  MemoryRecallMessage,
  NotificationMessage,
  PermissionDeniedMessage,
} from "./notices.ts";
import type {
  CommandsChangedMessage,
  FilesPersistedMessage,
  MirrorErrorMessage,
  PluginInstallMessage,
  SessionTitleChangedMessage,
  SessionWritesLostMessage,
  WorkerShuttingDownMessage,
} from "./session-messages.ts";
import type { ControlRequestProgressMessage, SessionStateChangedMessage, StatusMessage } from "./status.ts";
import type {
  BackgroundTasksChangedMessage,
  TaskNotificationMessage,
  TaskProgressMessage,
  TaskStartedMessage,
  TaskUpdatedMessage,
} from "./tasks.ts";

/** A system message of a subtype that this package has a type for. Narrows by `subtype`. */
export type SystemMessage =
  | SystemInitMessage
  | StatusMessage
  | SessionStateChangedMessage
  | ControlRequestProgressMessage
  | ApiRetryMessage
  | CompactBoundaryMessage
  | TaskStartedMessage
  | TaskProgressMessage
  | TaskUpdatedMessage
  | TaskNotificationMessage
  | BackgroundTasksChangedMessage
  | HookStartedMessage
  | HookProgressMessage
  | HookResponseMessage
  | ModelRefusalFallbackMessage
  | ModelRefusalNoFallbackMessage
  | ModelFallbackMessage
  | ThinkingTokensMessage
  | InformationalMessage
  | NotificationMessage
  | LocalCommandOutputMessage
  | PermissionDeniedMessage
  | ElicitationCompleteMessage
  | MemoryRecallMessage
  | CommandsChangedMessage
  | PluginInstallMessage
  | SessionTitleChangedMessage
  | SessionWritesLostMessage
  | FilesPersistedMessage
  | WorkerShuttingDownMessage
  | MirrorErrorMessage;

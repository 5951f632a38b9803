import type { HookEvent } from "./hook-event.ts";
import type {
  ElicitationHookInput,
  ElicitationResultHookInput,
  MessageDisplayHookInput,
  NotificationHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
} from "./prompt-hook-inputs.ts";
import type {
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
} from "./run-hook-inputs.ts";
import type {
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
} from "./session-hook-inputs.ts";
import type {
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostToolBatchHookInput,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreToolUseHookInput,
} from "./tool-hook-inputs.ts";
import type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from "./workspace-hook-inputs.ts";

/** What a hook is told, by event. */
export interface HookInputs {
  readonly PreToolUse: PreToolUseHookInput;
  readonly PostToolUse: PostToolUseHookInput;
  readonly PostToolUseFailure: PostToolUseFailureHookInput;
  readonly PostToolBatch: PostToolBatchHookInput;
  readonly Notification: NotificationHookInput;
  readonly UserPromptSubmit: UserPromptSubmitHookInput;
  readonly UserPromptExpansion: UserPromptExpansionHookInput;
  readonly SessionStart: SessionStartHookInput;
  readonly SessionEnd: SessionEndHookInput;
  readonly Stop: StopHookInput;
  readonly StopFailure: StopFailureHookInput;
  readonly SubagentStart: SubagentStartHookInput;
  readonly SubagentStop: SubagentStopHookInput;
  readonly PreCompact: PreCompactHookInput;
  readonly PostCompact: PostCompactHookInput;
  readonly PreModelSwitch: PreModelSwitchHookInput;
  readonly PostModelSwitch: PostModelSwitchHookInput;
  readonly PermissionRequest: PermissionRequestHookInput;
  readonly PermissionDenied: PermissionDeniedHookInput;
  readonly Setup: SetupHookInput;
  readonly TeammateIdle: TeammateIdleHookInput;
  readonly TaskCreated: TaskCreatedHookInput;
  readonly TaskCompleted: TaskCompletedHookInput;
  readonly Elicitation: ElicitationHookInput;
  readonly ElicitationResult: ElicitationResultHookInput;
  readonly ConfigChange: ConfigChangeHookInput;
  readonly WorktreeCreate: WorktreeCreateHookInput;
  readonly WorktreeRemove: WorktreeRemoveHookInput;
  readonly InstructionsLoaded: InstructionsLoadedHookInput;
  readonly CwdChanged: CwdChangedHookInput;
  readonly FileChanged: FileChangedHookInput;
  readonly DirectoryAdded: DirectoryAddedHookInput;
  readonly MessageDisplay: MessageDisplayHookInput;
}

/** What a hook is told: of one event, or of any. Narrows by `hook_event_name`. */
export type HookInput<Event extends HookEvent = HookEvent> = HookInputs[Event];

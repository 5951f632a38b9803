import type { HookInput, HookInputs } from "@reins/messages";
import type * as z from "zod";
import { kindsOf } from "../kinds.ts";
import type { SchemaMap } from "../tables.ts";
import {
  elicitationHookInputSchema,
  elicitationResultHookInputSchema,
  messageDisplayHookInputSchema,
  notificationHookInputSchema,
  userPromptExpansionHookInputSchema,
  userPromptSubmitHookInputSchema,
} from "./prompt-hook-inputs.ts";
import {
  stopFailureHookInputSchema,
  stopHookInputSchema,
  subagentStartHookInputSchema,
  subagentStopHookInputSchema,
  taskCompletedHookInputSchema,
  taskCreatedHookInputSchema,
  teammateIdleHookInputSchema,
} from "./run-hook-inputs.ts";
import {
  postCompactHookInputSchema,
  postModelSwitchHookInputSchema,
  preCompactHookInputSchema,
  preModelSwitchHookInputSchema,
  sessionEndHookInputSchema,
  sessionStartHookInputSchema,
  setupHookInputSchema,
} from "./session-hook-inputs.ts";
import {
  permissionDeniedHookInputSchema,
  permissionRequestHookInputSchema,
  postToolBatchHookInputSchema,
  postToolUseFailureHookInputSchema,
  postToolUseHookInputSchema,
  preToolUseHookInputSchema,
} from "./tool-hook-inputs.ts";
import {
  configChangeHookInputSchema,
  cwdChangedHookInputSchema,
  directoryAddedHookInputSchema,
  fileChangedHookInputSchema,
  instructionsLoadedHookInputSchema,
  worktreeCreateHookInputSchema,
  worktreeRemoveHookInputSchema,
} from "./workspace-hook-inputs.ts";

/** Schemas of {@link HookInputs}. */
export const hookInputSchemas: SchemaMap<HookInputs> = {
  PreToolUse: preToolUseHookInputSchema,
  PostToolUse: postToolUseHookInputSchema,
  PostToolUseFailure: postToolUseFailureHookInputSchema,
  PostToolBatch: postToolBatchHookInputSchema,
  Notification: notificationHookInputSchema,
  UserPromptSubmit: userPromptSubmitHookInputSchema,
  UserPromptExpansion: userPromptExpansionHookInputSchema,
  SessionStart: sessionStartHookInputSchema,
  SessionEnd: sessionEndHookInputSchema,
  Stop: stopHookInputSchema,
  StopFailure: stopFailureHookInputSchema,
  SubagentStart: subagentStartHookInputSchema,
  SubagentStop: subagentStopHookInputSchema,
  PreCompact: preCompactHookInputSchema,
  PostCompact: postCompactHookInputSchema,
  PreModelSwitch: preModelSwitchHookInputSchema,
  PostModelSwitch: postModelSwitchHookInputSchema,
  PermissionRequest: permissionRequestHookInputSchema,
  PermissionDenied: permissionDeniedHookInputSchema,
  Setup: setupHookInputSchema,
  TeammateIdle: teammateIdleHookInputSchema,
  TaskCreated: taskCreatedHookInputSchema,
  TaskCompleted: taskCompletedHookInputSchema,
  Elicitation: elicitationHookInputSchema,
  ElicitationResult: elicitationResultHookInputSchema,
  ConfigChange: configChangeHookInputSchema,
  WorktreeCreate: worktreeCreateHookInputSchema,
  WorktreeRemove: worktreeRemoveHookInputSchema,
  InstructionsLoaded: instructionsLoadedHookInputSchema,
  CwdChanged: cwdChangedHookInputSchema,
  FileChanged: fileChangedHookInputSchema,
  DirectoryAdded: directoryAddedHookInputSchema,
  MessageDisplay: messageDisplayHookInputSchema,
};

/** Schema of {@link HookInput}. */
export const hookInputSchema: z.ZodType<HookInput> = kindsOf("hook_event_name", hookInputSchemas);

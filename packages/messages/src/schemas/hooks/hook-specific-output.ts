import type {
  HookEvent,
  HookSpecificOutput,
  HookSpecificOutputs,
  MessageDisplayHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookSpecificOutput,
  SessionStartHookSpecificOutput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
} from "@reins/messages";
import * as z from "zod";
import { kindsOf } from "../kinds.ts";
import { jsonObject } from "../open.ts";
import { permissionUpdateSchema } from "../permissions.ts";
import { loose } from "../pinned.ts";
import type { SchemaMap } from "../tables.ts";

/** Schema of {@link PreToolUseHookSpecificOutput}. */
export const preToolUseHookSpecificOutputSchema: z.ZodType<PreToolUseHookSpecificOutput> = loose({
  ...context("PreToolUse"),
  permissionDecision: z.enum(["allow", "deny", "ask", "defer"]).optional(),
  permissionDecisionReason: z.string().optional(),
  updatedInput: jsonObject.optional(),
});

/** Schema of {@link PostToolUseHookSpecificOutput}. */
export const postToolUseHookSpecificOutputSchema: z.ZodType<PostToolUseHookSpecificOutput> = loose({
  ...context("PostToolUse"),
  classifierContext: z.string().optional(),
  updatedToolOutput: z.unknown().exactOptional(),
  updatedMCPToolOutput: z.unknown().exactOptional(),
});

/** Schema of {@link UserPromptSubmitHookSpecificOutput}. */
export const userPromptSubmitHookSpecificOutputSchema: z.ZodType<UserPromptSubmitHookSpecificOutput> = loose({
  ...context("UserPromptSubmit"),
  sessionTitle: z.string().optional(),
  suppressOriginalPrompt: z.boolean().optional(),
});

/** Schema of {@link UserPromptExpansionHookSpecificOutput}. */
export const userPromptExpansionHookSpecificOutputSchema: z.ZodType<UserPromptExpansionHookSpecificOutput> = loose({
  ...context("UserPromptExpansion"),
  suppressOriginalPrompt: z.boolean().optional(),
});

/** Schema of {@link SessionStartHookSpecificOutput}. */
export const sessionStartHookSpecificOutputSchema: z.ZodType<SessionStartHookSpecificOutput> = loose({
  ...context("SessionStart"),
  initialUserMessage: z.string().optional(),
  sessionTitle: z.string().optional(),
  watchPaths: z.array(z.string()).optional(),
  reloadSkills: z.boolean().optional(),
});

/** Schema of {@link PreModelSwitchHookSpecificOutput}. */
export const preModelSwitchHookSpecificOutputSchema: z.ZodType<PreModelSwitchHookSpecificOutput> = loose({
  hookEventName: z.literal("PreModelSwitch"),
  permissionDecision: z.enum(["allow", "deny", "ask"]).optional(),
  permissionDecisionReason: z.string().optional(),
});

/** Schema of {@link PermissionRequestHookSpecificOutput}. */
export const permissionRequestHookSpecificOutputSchema: z.ZodType<PermissionRequestHookSpecificOutput> = loose({
  hookEventName: z.literal("PermissionRequest"),
  decision: z.union([
    z.looseObject({
      behavior: z.literal("allow"),
      updatedInput: jsonObject.optional(),
      updatedPermissions: z.array(permissionUpdateSchema).optional(),
    }),
    z.looseObject({ behavior: z.literal("deny"), message: z.string().optional(), interrupt: z.boolean().optional() }),
  ]),
});

/** Schema of {@link PermissionDeniedHookSpecificOutput}. */
export const permissionDeniedHookSpecificOutputSchema: z.ZodType<PermissionDeniedHookSpecificOutput> = loose({
  hookEventName: z.literal("PermissionDenied"),
  retry: z.boolean().optional(),
});

/** Schema of {@link WorktreeCreateHookSpecificOutput}. */
export const worktreeCreateHookSpecificOutputSchema: z.ZodType<WorktreeCreateHookSpecificOutput> = loose({
  hookEventName: z.literal("WorktreeCreate"),
  worktreePath: z.string(),
});

/** Schema of {@link MessageDisplayHookSpecificOutput}. */
export const messageDisplayHookSpecificOutputSchema: z.ZodType<MessageDisplayHookSpecificOutput> = loose({
  hookEventName: z.literal("MessageDisplay"),
  displayContent: z.string().optional(),
});

/** Schemas of {@link HookSpecificOutputs}. */
export const hookSpecificOutputSchemas: SchemaMap<HookSpecificOutputs> = {
  PreToolUse: preToolUseHookSpecificOutputSchema,
  PostToolUse: postToolUseHookSpecificOutputSchema,
  PostToolUseFailure: loose(context("PostToolUseFailure")),
  PostToolBatch: loose(context("PostToolBatch")),
  Notification: loose(context("Notification")),
  UserPromptSubmit: userPromptSubmitHookSpecificOutputSchema,
  UserPromptExpansion: userPromptExpansionHookSpecificOutputSchema,
  SessionStart: sessionStartHookSpecificOutputSchema,
  Stop: loose(context("Stop")),
  SubagentStart: loose(context("SubagentStart")),
  SubagentStop: loose(context("SubagentStop")),
  PreModelSwitch: preModelSwitchHookSpecificOutputSchema,
  PostModelSwitch: loose(context("PostModelSwitch")),
  PermissionRequest: permissionRequestHookSpecificOutputSchema,
  PermissionDenied: permissionDeniedHookSpecificOutputSchema,
  Setup: loose(context("Setup")),
  Elicitation: loose(answer("Elicitation")),
  ElicitationResult: loose(answer("ElicitationResult")),
  WorktreeCreate: worktreeCreateHookSpecificOutputSchema,
  CwdChanged: loose(watchPaths("CwdChanged")),
  FileChanged: loose(watchPaths("FileChanged")),
  MessageDisplay: messageDisplayHookSpecificOutputSchema,
};

/** Schema of {@link HookSpecificOutput}. */
export const hookSpecificOutputSchema: z.ZodType<HookSpecificOutput> = kindsOf(
  "hookEventName",
  hookSpecificOutputSchemas,
);

function context<const Event extends HookEvent>(event: Event) {
  return { hookEventName: z.literal(event), additionalContext: z.string().optional() };
}

function watchPaths<const Event extends HookEvent>(event: Event) {
  return { hookEventName: z.literal(event), watchPaths: z.array(z.string()).optional() };
}

function answer<const Event extends HookEvent>(event: Event) {
  return {
    hookEventName: z.literal(event),
    action: z.enum(["accept", "decline", "cancel"]).optional(),
    content: jsonObject.optional(),
  };
}

import type {
  CloudSessionDeltaMessage,
  CodeChangePublishedMessage,
  DevIntentMessage,
  FeedbackDraftQueuedMessage,
  FileAttachmentsMissingMessage,
  HostedSystemMessage,
  InheritedAsksSettledMessage,
  InstructionSizeWarningMessage,
  LateAllowNotRunMessage,
  ModelConsentFallbackMessage,
  PeerMessageHoldMessage,
  PermissionCheckStatusMessage,
  PerTurnEffortChangedMessage,
  PostTurnSummaryMessage,
  SessionMetadataMessage,
  ShellCwdMessage,
  TaskListStatusesMessage,
  TaskSummaryMessage,
  ToolHostResultMessage,
  TurnHandoffAvailableMessage,
  TurnPreemptedMessage,
  VcsStateChangedMessage,
} from "@reins/messages";
import * as z from "zod";
import { kindsOf } from "../kinds.ts";
import { jsonObject, open } from "../open.ts";
import type { SchemasByKind } from "../tables.ts";
import { system } from "./system-base.ts";
import { uiSystemMessageSchemas } from "./ui-messages.ts";

/** Schema of {@link PostTurnSummaryMessage}. */
export const postTurnSummaryMessageSchema: z.ZodType<PostTurnSummaryMessage> = system("post_turn_summary", {
  summarizes_uuid: z.string(),
  status_category: z.string(),
  status_detail: z.string(),
  needs_action: z.string(),
});

/** Schema of {@link TaskSummaryMessage}. */
export const taskSummaryMessageSchema: z.ZodType<TaskSummaryMessage> = system("task_summary", {
  detail: z.string().nullable(),
});

/** Schema of {@link SessionMetadataMessage}. */
export const sessionMetadataMessageSchema: z.ZodType<SessionMetadataMessage> = system("session_metadata", {
  metadata: jsonObject,
});

/** Schema of {@link InstructionSizeWarningMessage}. */
export const instructionSizeWarningMessageSchema: z.ZodType<InstructionSizeWarningMessage> = system(
  "instruction_size_warning",
  {
    total_chars: z.number(),
    total_limit_chars: z.number(),
    file_count: z.number(),
    largest_chars: z.number().exactOptional(),
  },
);

/** Schema of {@link FeedbackDraftQueuedMessage}. */
export const feedbackDraftQueuedMessageSchema: z.ZodType<FeedbackDraftQueuedMessage> = system("feedback_draft_queued", {
  draft_id: z.string(),
  draft_type: open("bug", "idea", "missing_capability"),
  title: z.string(),
  details_preview: z.string(),
});

/** Schema of {@link PeerMessageHoldMessage}. */
export const peerMessageHoldMessageSchema: z.ZodType<PeerMessageHoldMessage> = system("peer_message_hold", {
  state: open("held", "released", "dropped"),
  message_uuid: z.string().exactOptional(),
  lane: open("bridge", "stdin", "socket"),
  from: z.string(),
  from_name: z.string().exactOptional(),
  cause: z.string().exactOptional(),
  outcome: open("expired", "refused", "dropped", "discarded", "denied").exactOptional(),
  reason: z.string().exactOptional(),
});

/** Schema of {@link PermissionCheckStatusMessage}. */
export const permissionCheckStatusMessageSchema: z.ZodType<PermissionCheckStatusMessage> = system(
  "permission_check_status",
  { tool_use_id: z.string(), agent_id: z.string().exactOptional(), status: open("checking", "done") },
);

/** Schema of {@link CodeChangePublishedMessage}. */
export const codeChangePublishedMessageSchema: z.ZodType<CodeChangePublishedMessage> = system("code_change_published", {
  provider: z.string(),
  url: z.string(),
  repo: z.string(),
  identifier: z.string(),
  action: z.string().exactOptional(),
  branch: z.string().exactOptional(),
});

/** Schema of {@link VcsStateChangedMessage}. */
export const vcsStateChangedMessageSchema: z.ZodType<VcsStateChangedMessage> = system("vcs_state_changed", {
  kind: open("commit", "push", "merge", "rebase"),
  cwd: z.string(),
  branch: z.string().exactOptional(),
});

/** Schema of {@link ShellCwdMessage}. */
export const shellCwdMessageSchema: z.ZodType<ShellCwdMessage> = system("shell_cwd", { cwd: z.string() });

/** Schema of {@link DevIntentMessage}. */
export const devIntentMessageSchema: z.ZodType<DevIntentMessage> = system("dev_intent", {
  kind: z.string(),
  trigger: z.string().exactOptional(),
});

/** Schema of {@link TaskListStatusesMessage}. */
export const taskListStatusesMessageSchema: z.ZodType<TaskListStatusesMessage> = system("task_list_statuses", {
  statuses: z.array(z.unknown()),
});

/** Schema of {@link TurnPreemptedMessage}. */
export const turnPreemptedMessageSchema: z.ZodType<TurnPreemptedMessage> = system("turn_preempted", {
  reason: z.string(),
  preempted_by_uuid: z.string(),
  preempted_message_uuids: z.array(z.string()),
});

/** Schema of {@link PerTurnEffortChangedMessage}. */
export const perTurnEffortChangedMessageSchema: z.ZodType<PerTurnEffortChangedMessage> = system(
  "per_turn_effort_changed",
  { per_turn_effort_active: z.boolean() },
);

/** Schema of {@link FileAttachmentsMissingMessage}. */
export const fileAttachmentsMissingMessageSchema: z.ZodType<FileAttachmentsMissingMessage> = system(
  "file_attachments_missing",
  { message_uuid: z.string(), sent_count: z.number(), missing: z.array(z.unknown()) },
);

/** Schema of {@link InheritedAsksSettledMessage}. */
export const inheritedAsksSettledMessageSchema: z.ZodType<InheritedAsksSettledMessage> = system(
  "inherited_asks_settled",
  { kept_request_ids: z.array(z.string()) },
);

/** Schema of {@link LateAllowNotRunMessage}. */
export const lateAllowNotRunMessageSchema: z.ZodType<LateAllowNotRunMessage> = system("late_allow_not_run", {
  request_id: z.string(),
  tool_use_id: z.string(),
  reason: z.string(),
});

/** Schema of {@link TurnHandoffAvailableMessage}. */
export const turnHandoffAvailableMessageSchema: z.ZodType<TurnHandoffAvailableMessage> = system(
  "turn_handoff_available",
  { v: z.number(), tools: z.array(z.unknown()), worker_epoch: z.number() },
);

/** Schema of {@link CloudSessionDeltaMessage}. */
export const cloudSessionDeltaMessageSchema: z.ZodType<CloudSessionDeltaMessage> = system("cloud_session_delta", {
  seq: z.number(),
  changed: z.array(z.unknown()),
  cloud_session: z.unknown(),
});

/** Schema of {@link ModelConsentFallbackMessage}. */
export const modelConsentFallbackMessageSchema: z.ZodType<ModelConsentFallbackMessage> = system(
  "model_consent_fallback",
  {
    choice: open("consent", "switch_default", "cancelled"),
    original_model: z.string(),
    original_model_name: z.string().exactOptional(),
    fallback_model: z.string(),
    persisted_as_default: z.boolean(),
    content: z.string(),
  },
);

/** Schema of {@link ToolHostResultMessage}. */
export const toolHostResultMessageSchema: z.ZodType<ToolHostResultMessage> = system("tool_host_result", {});

/** Schemas of {@link HostedSystemMessage}, by subtype. */
export const hostedSystemMessageSchemas: SchemasByKind<HostedSystemMessage, "subtype"> = {
  post_turn_summary: postTurnSummaryMessageSchema,
  task_summary: taskSummaryMessageSchema,
  session_metadata: sessionMetadataMessageSchema,
  instruction_size_warning: instructionSizeWarningMessageSchema,
  feedback_draft_queued: feedbackDraftQueuedMessageSchema,
  peer_message_hold: peerMessageHoldMessageSchema,
  permission_check_status: permissionCheckStatusMessageSchema,
  code_change_published: codeChangePublishedMessageSchema,
  vcs_state_changed: vcsStateChangedMessageSchema,
  shell_cwd: shellCwdMessageSchema,
  dev_intent: devIntentMessageSchema,
  task_list_statuses: taskListStatusesMessageSchema,
  turn_preempted: turnPreemptedMessageSchema,
  per_turn_effort_changed: perTurnEffortChangedMessageSchema,
  file_attachments_missing: fileAttachmentsMissingMessageSchema,
  inherited_asks_settled: inheritedAsksSettledMessageSchema,
  late_allow_not_run: lateAllowNotRunMessageSchema,
  turn_handoff_available: turnHandoffAvailableMessageSchema,
  cloud_session_delta: cloudSessionDeltaMessageSchema,
  model_consent_fallback: modelConsentFallbackMessageSchema,
  tool_host_result: toolHostResultMessageSchema,
  ...uiSystemMessageSchemas,
};

/** Schema of {@link HostedSystemMessage}. */
export const hostedSystemMessageSchema: z.ZodType<HostedSystemMessage> = kindsOf("subtype", hostedSystemMessageSchemas);

import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";
import type { UiSystemMessage } from "./ui-messages.ts";

/**
 * System messages that the CLI has for hosted workers, bridges, editors and its own front ends. Of these only `ui_invalidate` was
 * seen on a local pipe; the shapes are those that CLI 2.1.328 declares to itself, and may change without notice.
 */
export type HostedSystemMessage =
  | PostTurnSummaryMessage
  | TaskSummaryMessage
  | SessionMetadataMessage
  | InstructionSizeWarningMessage
  | FeedbackDraftQueuedMessage
  | PeerMessageHoldMessage
  | PermissionCheckStatusMessage
  | CodeChangePublishedMessage
  | VcsStateChangedMessage
  | ShellCwdMessage
  | DevIntentMessage
  | TaskListStatusesMessage
  | TurnPreemptedMessage
  | PerTurnEffortChangedMessage
  | FileAttachmentsMissingMessage
  | InheritedAsksSettledMessage
  | LateAllowNotRunMessage
  | TurnHandoffAvailableMessage
  | CloudSessionDeltaMessage
  | ModelConsentFallbackMessage
  | ToolHostResultMessage
  | UiSystemMessage;

/** What a turn came to, in a few words. */
export interface PostTurnSummaryMessage extends SystemBase {
  readonly subtype: "post_turn_summary";
  readonly summarizes_uuid: string;
  readonly status_category: string;
  readonly status_detail: string;
  readonly needs_action: string;
}

/** What the session is about, in a few words. */
export interface TaskSummaryMessage extends SystemBase {
  readonly subtype: "task_summary";
  readonly detail: string | null;
}

/** Data of a hosted session. */
export interface SessionMetadataMessage extends SystemBase {
  readonly subtype: "session_metadata";
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The files of instructions are large. */
export interface InstructionSizeWarningMessage extends SystemBase {
  readonly subtype: "instruction_size_warning";
  readonly total_chars: number;
  readonly total_limit_chars: number;
  readonly file_count: number;
  readonly largest_chars?: number;
}

/** Feedback waits for the user. */
export interface FeedbackDraftQueuedMessage extends SystemBase {
  readonly subtype: "feedback_draft_queued";
  readonly draft_id: string;
  readonly draft_type: OpenString<"bug" | "idea" | "missing_capability">;
  readonly title: string;
  readonly details_preview: string;
}

/** A message of another session is held back, let through or dropped. */
export interface PeerMessageHoldMessage extends SystemBase {
  readonly subtype: "peer_message_hold";
  readonly state: OpenString<"held" | "released" | "dropped">;
  readonly message_uuid?: string;
  readonly lane: OpenString<"bridge" | "stdin" | "socket">;
  readonly from: string;
  readonly from_name?: string;
  readonly cause?: string;
  readonly outcome?: OpenString<"expired" | "refused" | "dropped" | "discarded" | "denied">;
  readonly reason?: string;
}

/** A tool call is being classified. */
export interface PermissionCheckStatusMessage extends SystemBase {
  readonly subtype: "permission_check_status";
  readonly tool_use_id: string;
  readonly agent_id?: string;
  readonly status: OpenString<"checking" | "done">;
}

/** Code went to a forge. */
export interface CodeChangePublishedMessage extends SystemBase {
  readonly subtype: "code_change_published";
  readonly provider: string;
  readonly url: string;
  readonly repo: string;
  readonly identifier: string;
  readonly action?: string;
  readonly branch?: string;
}

/** The repository changed. */
export interface VcsStateChangedMessage extends SystemBase {
  readonly subtype: "vcs_state_changed";
  readonly kind: OpenString<"commit" | "push" | "merge" | "rebase">;
  readonly cwd: string;
  readonly branch?: string;
}

/** The shell changed its directory. */
export interface ShellCwdMessage extends SystemBase {
  readonly subtype: "shell_cwd";
  readonly cwd: string;
}

/** What the user seems to be up to. */
export interface DevIntentMessage extends SystemBase {
  readonly subtype: "dev_intent";
  readonly kind: string;
  readonly trigger?: string;
}

/** States of the task list. */
export interface TaskListStatusesMessage extends SystemBase {
  readonly subtype: "task_list_statuses";
  readonly statuses: unknown[];
}

/** Another prompt went before the turn. */
export interface TurnPreemptedMessage extends SystemBase {
  readonly subtype: "turn_preempted";
  readonly reason: string;
  readonly preempted_by_uuid: string;
  readonly preempted_message_uuids: string[];
}

/** The effort of this turn differs from the session's, or no longer. */
export interface PerTurnEffortChangedMessage extends SystemBase {
  readonly subtype: "per_turn_effort_changed";
  readonly per_turn_effort_active: boolean;
}

/** Files of a prompt did not arrive. */
export interface FileAttachmentsMissingMessage extends SystemBase {
  readonly subtype: "file_attachments_missing";
  readonly message_uuid: string;
  readonly sent_count: number;
  readonly missing: unknown[];
}

/** Open questions were taken over from a worker before. */
export interface InheritedAsksSettledMessage extends SystemBase {
  readonly subtype: "inherited_asks_settled";
  readonly kept_request_ids: string[];
}

/** A permission came too late. */
export interface LateAllowNotRunMessage extends SystemBase {
  readonly subtype: "late_allow_not_run";
  readonly request_id: string;
  readonly tool_use_id: string;
  readonly reason: string;
}

/** A turn can be handed to another worker. */
export interface TurnHandoffAvailableMessage extends SystemBase {
  readonly subtype: "turn_handoff_available";
  readonly v: number;
  readonly tools: unknown[];
  readonly worker_epoch: number;
}

/** Part of a hosted session's state changed. */
export interface CloudSessionDeltaMessage extends SystemBase {
  readonly subtype: "cloud_session_delta";
  readonly seq: number;
  readonly changed: unknown[];
  readonly cloud_session: unknown;
}

/** The user was asked about another model. */
export interface ModelConsentFallbackMessage extends SystemBase {
  readonly subtype: "model_consent_fallback";
  readonly choice: OpenString<"consent" | "switch_default" | "cancelled">;
  readonly original_model: string;
  readonly original_model_name?: string;
  readonly fallback_model: string;
  readonly persisted_as_default: boolean;
  readonly content: string;
}

/** What tools of a hosted session gave. The fields: {@link fieldsOf}. */
export interface ToolHostResultMessage extends SystemBase {
  readonly subtype: "tool_host_result";
}

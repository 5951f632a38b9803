import type { OpenString } from "../open.ts";

/** Notifies the user's devices. */
export interface PushNotificationInput {
  readonly message: string;
  readonly status?: OpenString<"proactive">;
}

/** Whether they were notified. */
export interface PushNotificationOutput {
  readonly message: string;
  readonly pushSent?: boolean;
  readonly localSent?: boolean;
  readonly disabledReason?: OpenString<"config_off" | "user_present" | "no_transport">;
  readonly sentAt?: string;
}

/** Notes that waited for the session. */
export interface ReadNotificationsOutput {
  readonly notifications: {
    readonly notification_id: string;
    readonly origin: string;
    readonly queued_at: string;
    readonly content: string;
    readonly arrived_at?: string;
  }[];
  readonly remaining: number;
  readonly read_at?: string;
}

/** Acts on triggers of remote sessions. */
export interface RemoteTriggerInput {
  readonly action: OpenString<
    "list" | "get" | "create" | "update" | "run" | "create_webhook_trigger" | "list_runs" | "get_run_log"
  >;
  readonly trigger_id?: string;
  readonly session_id?: string;
  readonly cursor?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** What the service answered. */
export interface RemoteTriggerOutput {
  /** HTTP status. */
  readonly status: number;
  readonly json: string;
  readonly summary?: string;
}

/** Drafts feedback to the CLI's makers. */
export interface SendFeedbackInput {
  readonly type: OpenString<"bug" | "idea" | "missing_capability">;
  readonly title: string;
  readonly details: string;
  readonly area?: string;
  readonly failure_mode?: OpenString<
    | "instruction_following"
    | "destructive_actions"
    | "code_quality"
    | "repetition_and_looping"
    | "model_regression"
    | "overconfidence_and_hallucination"
    | "context_and_memory"
    | "overeager"
    | "over_correction"
    | "stopping_short"
    | "dispute_or_decline"
    | "subagent_overspawn"
    | "tone_or_preachiness"
    | "excessive_questions"
    | "unwanted_scope"
    | "other"
  >;
  readonly task_category?: OpenString<
    "code_edit" | "debug" | "explain" | "plan" | "shell" | "search" | "review" | "other"
  >;
}

/** Whether it was drafted. */
export interface SendFeedbackOutput {
  readonly success: boolean;
  readonly message: string;
}

/** Sets a goal for the session. */
export interface SetGoalInput {
  readonly condition: string;
  readonly ask_user?: boolean;
}

/** The goal. */
export interface SetGoalOutput {
  readonly condition: string;
  readonly askUser: boolean;
}

/** Proposes skills. */
export interface ProposeSkillsInput {
  /** One to three. */
  readonly proposals: {
    readonly name: string;
    readonly kind: OpenString<"new" | "improvement">;
    readonly target?: string;
    readonly description: string;
    readonly evidence?: string[];
    readonly edits?: { readonly old_string: string; readonly new_string: string }[];
    readonly skillMd?: string;
  }[];
}

/** How many were proposed. */
export interface ProposeSkillsOutput {
  readonly proposalCount: number;
}

/** Offers to connect the browser. */
export interface OfferChromeSetupInput {
  readonly reason?: string;
}

/** What the user made of the offer. */
export interface OfferChromeSetupOutput {
  readonly outcome: OpenString<"connected" | "not_now" | "no_attempt_yet">;
}

/** The role that the user chose. */
export interface ShowOnboardingRolePickerOutput {
  readonly role?: string;
  readonly dismissed?: boolean;
}

/** Publishes pages and acts on them. */
export interface ArtifactInput {
  readonly action?: OpenString<
    | "publish"
    | "list"
    | "read"
    | "list_types"
    | "watch"
    | "unwatch"
    | "status"
    | "upload_asset"
    | "list_assets"
    | "read_asset"
    | "delete_asset"
    | "pin"
    | "unpin"
  >;
  readonly file_path?: string;
  readonly file_paths?: string[];
  readonly url?: string;
  readonly title?: string;
  readonly description?: string;
  readonly label?: string;
  readonly prompt?: string;
  readonly favicon?: string;
  readonly icon?: string;
  readonly limit?: number;
  readonly page_token?: string;
  readonly scope?: OpenString<"mine" | "shared" | "all">;
  readonly force?: boolean;
  readonly pin?: boolean;
  readonly out_dir?: string;
  readonly asset_id?: string;
  readonly after?: string;
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly contract?: string;
}

/** Reads and writes a project of claude.ai. */
export interface ProjectsInput {
  readonly method: OpenString<
    | "project_info"
    | "project_read"
    | "project_search"
    | "project_write"
    | "project_delete"
    | "project_memory_list"
    | "project_memory_read"
  >;
  readonly path?: string;
  readonly content?: string;
  readonly local_path?: string;
  readonly present_to_user?: boolean;
  readonly query?: string;
  readonly n?: number;
}

/** Acts on a design of claude.ai. */
export interface ClaudeDesignInput {
  readonly operation: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What became of the design. */
export interface ClaudeDesignOutput {
  readonly operation: string;
  readonly content: Readonly<Record<string, unknown>>[];
  readonly isError?: boolean;
}

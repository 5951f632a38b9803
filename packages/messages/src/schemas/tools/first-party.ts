import type {
  ArtifactInput,
  ClaudeDesignInput,
  ClaudeDesignOutput,
  OfferChromeSetupInput,
  OfferChromeSetupOutput,
  ProjectsInput,
  ProposeSkillsInput,
  ProposeSkillsOutput,
  PushNotificationInput,
  PushNotificationOutput,
  ReadNotificationsOutput,
  RemoteTriggerInput,
  RemoteTriggerOutput,
  SendFeedbackInput,
  SendFeedbackOutput,
  SetGoalInput,
  SetGoalOutput,
  ShowOnboardingRolePickerOutput,
} from "@reins/messages";
import * as z from "zod";
import { jsonObject, open } from "../open.ts";
import { loose } from "../pinned.ts";

/** Schema of {@link PushNotificationInput}. */
export const pushNotificationInputSchema: z.ZodType<PushNotificationInput> = loose({
  message: z.string(),
  status: open("proactive").exactOptional(),
});

/** Schema of {@link PushNotificationOutput}. */
export const pushNotificationOutputSchema: z.ZodType<PushNotificationOutput> = loose({
  message: z.string(),
  pushSent: z.boolean().exactOptional(),
  localSent: z.boolean().exactOptional(),
  disabledReason: open("config_off", "user_present", "no_transport").exactOptional(),
  sentAt: z.string().exactOptional(),
});

/** Schema of {@link ReadNotificationsOutput}. */
export const readNotificationsOutputSchema: z.ZodType<ReadNotificationsOutput> = loose({
  notifications: z.array(
    z.looseObject({
      notification_id: z.string(),
      origin: z.string(),
      queued_at: z.string(),
      content: z.string(),
      arrived_at: z.string().exactOptional(),
    }),
  ),
  remaining: z.number(),
  read_at: z.string().exactOptional(),
});

/** Schema of {@link RemoteTriggerInput}. */
export const remoteTriggerInputSchema: z.ZodType<RemoteTriggerInput> = loose({
  action: open("list", "get", "create", "update", "run", "create_webhook_trigger", "list_runs", "get_run_log"),
  trigger_id: z.string().exactOptional(),
  session_id: z.string().exactOptional(),
  cursor: z.string().exactOptional(),
  body: jsonObject.exactOptional(),
});

/** Schema of {@link RemoteTriggerOutput}. */
export const remoteTriggerOutputSchema: z.ZodType<RemoteTriggerOutput> = loose({
  status: z.number(),
  json: z.string(),
  summary: z.string().exactOptional(),
});

/** Schema of {@link SendFeedbackInput}. */
export const sendFeedbackInputSchema: z.ZodType<SendFeedbackInput> = loose({
  type: open("bug", "idea", "missing_capability"),
  title: z.string(),
  details: z.string(),
  area: z.string().exactOptional(),
  failure_mode: open(
    "instruction_following",
    "destructive_actions",
    "code_quality",
    "repetition_and_looping",
    "model_regression",
    "overconfidence_and_hallucination",
    "context_and_memory",
    "overeager",
    "over_correction",
    "stopping_short",
    "dispute_or_decline",
    "subagent_overspawn",
    "tone_or_preachiness",
    "excessive_questions",
    "unwanted_scope",
    "other",
  ).exactOptional(),
  task_category: open("code_edit", "debug", "explain", "plan", "shell", "search", "review", "other").exactOptional(),
});

/** Schema of {@link SendFeedbackOutput}. */
export const sendFeedbackOutputSchema: z.ZodType<SendFeedbackOutput> = loose({
  success: z.boolean(),
  message: z.string(),
});

/** Schema of {@link SetGoalInput}. */
export const setGoalInputSchema: z.ZodType<SetGoalInput> = loose({
  condition: z.string(),
  ask_user: z.boolean().exactOptional(),
});

/** Schema of {@link SetGoalOutput}. */
export const setGoalOutputSchema: z.ZodType<SetGoalOutput> = loose({ condition: z.string(), askUser: z.boolean() });

/** Schema of {@link ProposeSkillsInput}. */
export const proposeSkillsInputSchema: z.ZodType<ProposeSkillsInput> = loose({
  proposals: z.array(
    z.looseObject({
      name: z.string(),
      kind: open("new", "improvement"),
      target: z.string().exactOptional(),
      description: z.string(),
      evidence: z.array(z.string()).exactOptional(),
      edits: z.array(z.looseObject({ old_string: z.string(), new_string: z.string() })).exactOptional(),
      skillMd: z.string().exactOptional(),
    }),
  ),
});

/** Schema of {@link ProposeSkillsOutput}. */
export const proposeSkillsOutputSchema: z.ZodType<ProposeSkillsOutput> = loose({ proposalCount: z.number() });

/** Schema of {@link OfferChromeSetupInput}. */
export const offerChromeSetupInputSchema: z.ZodType<OfferChromeSetupInput> = loose({
  reason: z.string().exactOptional(),
});

/** Schema of {@link OfferChromeSetupOutput}. */
export const offerChromeSetupOutputSchema: z.ZodType<OfferChromeSetupOutput> = loose({
  outcome: open("connected", "not_now", "no_attempt_yet"),
});

/** Schema of {@link ShowOnboardingRolePickerOutput}. */
export const showOnboardingRolePickerOutputSchema: z.ZodType<ShowOnboardingRolePickerOutput> = loose({
  role: z.string().exactOptional(),
  dismissed: z.boolean().exactOptional(),
});

/** Schema of {@link ArtifactInput}. */
export const artifactInputSchema: z.ZodType<ArtifactInput> = loose({
  action: open(
    "publish",
    "list",
    "read",
    "list_types",
    "watch",
    "unwatch",
    "status",
    "upload_asset",
    "list_assets",
    "read_asset",
    "delete_asset",
    "pin",
    "unpin",
  ).exactOptional(),
  file_path: z.string().exactOptional(),
  file_paths: z.array(z.string()).exactOptional(),
  url: z.string().exactOptional(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  label: z.string().exactOptional(),
  prompt: z.string().exactOptional(),
  favicon: z.string().exactOptional(),
  icon: z.string().exactOptional(),
  limit: z.number().exactOptional(),
  page_token: z.string().exactOptional(),
  scope: open("mine", "shared", "all").exactOptional(),
  force: z.boolean().exactOptional(),
  pin: z.boolean().exactOptional(),
  out_dir: z.string().exactOptional(),
  asset_id: z.string().exactOptional(),
  after: z.string().exactOptional(),
  capabilities: jsonObject.exactOptional(),
  contract: z.string().exactOptional(),
});

/** Schema of {@link ProjectsInput}. */
export const projectsInputSchema: z.ZodType<ProjectsInput> = loose({
  method: open(
    "project_info",
    "project_read",
    "project_search",
    "project_write",
    "project_delete",
    "project_memory_list",
    "project_memory_read",
  ),
  path: z.string().exactOptional(),
  content: z.string().exactOptional(),
  local_path: z.string().exactOptional(),
  present_to_user: z.boolean().exactOptional(),
  query: z.string().exactOptional(),
  n: z.number().exactOptional(),
});

/** Schema of {@link ClaudeDesignInput}. */
export const claudeDesignInputSchema: z.ZodType<ClaudeDesignInput> = loose({
  operation: z.string(),
  arguments: jsonObject,
});

/** Schema of {@link ClaudeDesignOutput}. */
export const claudeDesignOutputSchema: z.ZodType<ClaudeDesignOutput> = loose({
  operation: z.string(),
  content: z.array(jsonObject),
  isError: z.boolean().exactOptional(),
});

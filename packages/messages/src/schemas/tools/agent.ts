import type {
  AgentAsyncLaunchedOutput,
  AgentCompletedOutput,
  AgentInput,
  AgentOutput,
  AgentRemoteLaunchedOutput,
  AgentToolStats,
  ListAgentsInput,
  SendMessageInput,
  WorkflowInput,
  WorkflowOutput,
} from "@reins/messages";
import * as z from "zod";
import { openKinds } from "../kinds.ts";
import { open } from "../open.ts";
import { permissionModeSchema } from "../permissions.ts";
import { loose, pinned } from "../pinned.ts";
import { effortLevelSchema } from "../system/init.ts";
import { apiUsageSchema } from "../usage.ts";

/** Schema of {@link AgentInput}. */
export const agentInputSchema: z.ZodType<AgentInput> = loose({
  description: z.string(),
  prompt: z.string(),
  subagent_type: z.string().exactOptional(),
  model: open("sonnet", "opus", "haiku", "fable").exactOptional(),
  effort: effortLevelSchema.exactOptional(),
  run_in_background: z.boolean().exactOptional(),
  name: z.string().exactOptional(),
  team_name: z.string().exactOptional(),
  mode: permissionModeSchema.exactOptional(),
  isolation: open("worktree", "remote").exactOptional(),
});

/** Schema of {@link AgentToolStats}. */
export const agentToolStatsSchema: z.ZodType<AgentToolStats> = loose({
  readCount: z.number(),
  searchCount: z.number(),
  bashCount: z.number(),
  editFileCount: z.number(),
  linesAdded: z.number(),
  linesRemoved: z.number(),
  otherToolCount: z.number(),
  frameCount: z.number().exactOptional(),
});

/** Schema of {@link AgentCompletedOutput}. */
export const agentCompletedOutputSchema: z.ZodType<AgentCompletedOutput> = loose({
  status: z.literal("completed"),
  agentId: z.string(),
  agentType: z.string().exactOptional(),
  prompt: z.string(),
  content: z.array(
    z.looseObject({
      type: z.literal("text"),
      text: z.string(),
      citations: z.array(z.unknown()).nullable().exactOptional(),
    }),
  ),
  resolvedModel: z.string().exactOptional(),
  modelsUsed: z.array(z.string()).exactOptional(),
  totalDurationMs: z.number(),
  totalTokens: z.number(),
  totalToolUseCount: z.number(),
  usage: apiUsageSchema,
  toolsUsed: z.array(z.string()).exactOptional(),
  toolStats: agentToolStatsSchema.exactOptional(),
  worktreePath: z.string().exactOptional(),
  worktreeBranch: z.string().exactOptional(),
  canContinueAgent: z.boolean().exactOptional(),
});

/** Schema of {@link AgentAsyncLaunchedOutput}. */
export const agentAsyncLaunchedOutputSchema: z.ZodType<AgentAsyncLaunchedOutput> = loose({
  status: z.literal("async_launched"),
  isAsync: z.literal(true).exactOptional(),
  agentId: z.string(),
  description: z.string(),
  prompt: z.string(),
  resolvedModel: z.string().exactOptional(),
  modelsUsed: z.array(z.string()).exactOptional(),
  outputFile: z.string(),
  canReadOutputFile: z.boolean().exactOptional(),
  canContinueAgent: z.boolean().exactOptional(),
});

/** Schema of {@link AgentRemoteLaunchedOutput}. */
export const agentRemoteLaunchedOutputSchema: z.ZodType<AgentRemoteLaunchedOutput> = loose({
  status: z.literal("remote_launched"),
  taskId: z.string(),
  sessionUrl: z.string(),
  description: z.string(),
  prompt: z.string(),
  outputFile: z.string(),
});

/** Schema of {@link AgentOutput}. */
export const agentOutputSchema: z.ZodType<AgentOutput> = pinned(
  openKinds("status", [agentCompletedOutputSchema, agentAsyncLaunchedOutputSchema, agentRemoteLaunchedOutputSchema]),
);

/** Schema of {@link SendMessageInput}. */
export const sendMessageInputSchema: z.ZodType<SendMessageInput> = loose({
  to: z.string(),
  message: z.string(),
  summary: z.string().exactOptional(),
  notify_when_idle: z.boolean().exactOptional(),
});

/** Schema of {@link ListAgentsInput}. */
export const listAgentsInputSchema: z.ZodType<ListAgentsInput> = loose({
  channel: z.string().exactOptional(),
  q: z.string().exactOptional(),
  cursor: z.string().exactOptional(),
});

/** Schema of {@link WorkflowInput}. */
export const workflowInputSchema: z.ZodType<WorkflowInput> = loose({
  script: z.string().exactOptional(),
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  title: z.string().exactOptional(),
  args: z.unknown().exactOptional(),
  scriptPath: z.string().exactOptional(),
  resumeFromRunId: z.string().exactOptional(),
});

/** Schema of {@link WorkflowOutput}. */
export const workflowOutputSchema: z.ZodType<WorkflowOutput> = loose({
  status: open("async_launched", "remote_launched"),
  taskId: z.string(),
  taskType: open("local_workflow", "remote_agent").exactOptional(),
  workflowName: z.string().exactOptional(),
  runId: z.string().exactOptional(),
  summary: z.string().exactOptional(),
  transcriptDir: z.string().exactOptional(),
  scriptPath: z.string().exactOptional(),
  sessionUrl: z.string().exactOptional(),
  warning: z.string().exactOptional(),
  error: z.string().exactOptional(),
});

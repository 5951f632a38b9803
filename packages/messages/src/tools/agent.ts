import type { OpenString, UnknownValue } from "../open.ts";
import type { PermissionMode } from "../permissions.ts";
import type { EffortLevel } from "../system/init.ts";
import type { ApiUsage } from "../usage.ts";

/** Starts a subagent. The tool is `Agent`; the model may also call it `Task`. */
export interface AgentInput {
  /** What it is to do, in a few words. */
  readonly description: string;
  readonly prompt: string;
  readonly subagent_type?: string;
  readonly model?: OpenString<"sonnet" | "opus" | "haiku" | "fable">;
  readonly effort?: EffortLevel;
  /** Default true. [verified on CLI 2.1.328] */
  readonly run_in_background?: boolean;
  readonly name?: string;
  readonly team_name?: string;
  readonly mode?: PermissionMode;
  readonly isolation?: OpenString<"worktree" | "remote">;
}

/** What became of a subagent. */
export type AgentOutput =
  | AgentCompletedOutput
  | AgentAsyncLaunchedOutput
  | AgentRemoteLaunchedOutput
  | { readonly status: UnknownValue };

/** It is done. */
export interface AgentCompletedOutput {
  readonly status: "completed";
  readonly agentId: string;
  readonly agentType?: string;
  readonly prompt: string;
  readonly content: { readonly type: "text"; readonly text: string; readonly citations?: unknown[] | null }[];
  readonly resolvedModel?: string;
  /** Only if the model was changed on the way. */
  readonly modelsUsed?: string[];
  readonly totalDurationMs: number;
  /** Of the last request only. */
  readonly totalTokens: number;
  readonly totalToolUseCount: number;
  /** Of the last request only. */
  readonly usage: ApiUsage;
  readonly toolsUsed?: string[];
  readonly toolStats?: AgentToolStats;
  /** Only if the worktree was kept. */
  readonly worktreePath?: string;
  readonly worktreeBranch?: string;
  readonly canContinueAgent?: boolean;
}

/** Counts of what a subagent did. */
export interface AgentToolStats {
  readonly readCount: number;
  readonly searchCount: number;
  readonly bashCount: number;
  readonly editFileCount: number;
  readonly linesAdded: number;
  readonly linesRemoved: number;
  readonly otherToolCount: number;
  readonly frameCount?: number;
}

/** It works in the background. */
export interface AgentAsyncLaunchedOutput {
  readonly status: "async_launched";
  readonly isAsync?: true;
  readonly agentId: string;
  readonly description: string;
  readonly prompt: string;
  readonly resolvedModel?: string;
  readonly modelsUsed?: string[];
  readonly outputFile: string;
  readonly canReadOutputFile?: boolean;
  readonly canContinueAgent?: boolean;
}

/** It works on another machine. */
export interface AgentRemoteLaunchedOutput {
  readonly status: "remote_launched";
  readonly taskId: string;
  readonly sessionUrl: string;
  readonly description: string;
  readonly prompt: string;
  readonly outputFile: string;
}

/** Sends a message to another agent. */
export interface SendMessageInput {
  readonly to: string;
  readonly message: string;
  readonly summary?: string;
  readonly notify_when_idle?: boolean;
}

/** Lists the agents that can be written to. */
export interface ListAgentsInput {
  readonly channel?: string;
  readonly q?: string;
  readonly cursor?: string;
}

/** Runs a script of several agents. */
export interface WorkflowInput {
  readonly script?: string;
  readonly name?: string;
  readonly description?: string;
  readonly title?: string;
  readonly args?: unknown;
  readonly scriptPath?: string;
  readonly resumeFromRunId?: string;
}

/** The workflow that began. */
export interface WorkflowOutput {
  readonly status: OpenString<"async_launched" | "remote_launched">;
  readonly taskId: string;
  readonly taskType?: OpenString<"local_workflow" | "remote_agent">;
  readonly workflowName?: string;
  readonly runId?: string;
  readonly summary?: string;
  readonly transcriptDir?: string;
  readonly scriptPath?: string;
  readonly sessionUrl?: string;
  readonly warning?: string;
  readonly error?: string;
}

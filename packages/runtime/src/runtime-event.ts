import type { JsonRecord } from "./json-value.ts";

/** A piece of the answer as it arrives. Those of the main conversation only, but for whole text blocks of sub-agents. */
export interface ResponseChunk {
  /** `error` stands for a turn that failed with a text, which is its `delta`. All others are the events of the streaming API. */
  readonly type:
    | "content_block_start"
    | "content_block_delta"
    | "content_block_stop"
    | "message_delta"
    | "message_stop"
    | "error";
  /** Which block of the model's message. */
  readonly index?: number;
  /** Text or thinking to append; `""` for a delta of another type. */
  readonly delta?: string;
  /** `text_delta`, `thinking_delta`, `input_json_delta`, `signature_delta`, or one that is newer. */
  readonly deltaType?: string;
  /** A piece of the JSON of a tool's input. The pieces may not add up to JSON. */
  readonly partialJson?: string;
  /** Type of the block that starts: `text`, `thinking`, `tool_use`, ... */
  readonly blockType?: string;
  /** Name of the tool whose block starts. */
  readonly toolName?: string;
  /** Id of the tool use whose block starts. */
  readonly toolUseId?: string;
  /** What the chunk was made of: the event of the stream, or the frame where there was no stream. Has `usage` and `stop_reason`. */
  readonly raw: JsonRecord;
}

/**
 * How far a tool call is. Not every call has every stage, and one that needs no question may go from `checking` to its end: the CLI
 * does not say when a tool starts.
 */
export type ToolStage =
  | "requested"
  | "checking"
  | "awaiting_permission"
  | "running"
  | "progress"
  | "completed"
  | "failed"
  | "denied";

/** A stage of a tool call. Stages come in order, each once but for `progress`, and one of the last three ends the call. */
export interface ToolProgress {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly stage: ToolStage;
  /** Milliseconds since it ran; with `progress`, `completed` and `failed` where the CLI says so or the start was seen. */
  readonly elapsedMs?: number;
  /** What it says of itself, or why it failed. */
  readonly message?: string;
  /** The input, where the frame has it: `requested` and `checking`. */
  readonly input?: JsonRecord;
  /** The Agent call, for tools of a sub-agent. */
  readonly agentToolUseId?: string;
}

/** What ended a turn before its time, without making it a failure. */
export interface TurnStop {
  /** What stopped it: the loop hook or `pre_tool_hook` of this package, or else the CLI's own event, such as `PostToolUse`. */
  readonly by: string;
  readonly message: string | undefined;
}

/** How a turn ended well. */
export interface TurnCompleted {
  /** The text of the answer; `""` where a hook ended the turn behind a tool. */
  readonly text: string;
  /** As the CLI calls it; missing for its local commands. */
  readonly terminalReason: string | undefined;
  readonly numTurns: number | undefined;
  readonly stopReason: string | undefined;
  readonly usage: JsonRecord | undefined;
  /** The running total of the conversation, in US dollars: never add it up. */
  readonly totalCostUsd: number | undefined;
  readonly stopped?: TurnStop;
  /** The call that a hook has put off to a later run. */
  readonly deferredToolUse?: JsonRecord;
  /** The frame itself. */
  readonly result: JsonRecord;
}

/** How a turn failed. */
export interface TurnFailed {
  /**
   * The CLI's `terminal_reason`, or the subtype of its result; `prompt_blocked` for a prompt that a hook refused; `cancelled`,
   * `discarded`, `refused` for one that was taken back; `session_ended` where the session ended first.
   */
  readonly reason: string;
  readonly text: string;
  /** Whether somebody interrupted it. */
  readonly interrupted: boolean;
  readonly stopped?: TurnStop;
  /** The frame itself; missing where there was none. */
  readonly result?: JsonRecord;
}

/** A question for a person, but for permissions. */
export interface PromptQuestion {
  readonly requestId: string;
  /** `question` is AskUserQuestion, `form` and `url` come from an MCP server, `dialog` from the CLI. */
  readonly kind: "question" | "form" | "url" | "dialog";
  readonly message: string;
  /** The questions, the form's schema, the link: the request as the CLI sent it. */
  readonly request: JsonRecord;
}

/** A call that waits for a permission. */
export interface PermissionQuestion {
  readonly requestId: string;
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: JsonRecord;
  /** The request as the CLI sent it: suggestions, title, reasons. */
  readonly request: JsonRecord;
}

/** A change of the task list. */
export interface TaskChange {
  /** `list` replaces all of it (TodoWrite); the others tell of one task. */
  readonly change: "created" | "completed" | "updated" | "list";
  readonly taskId?: string;
  readonly subject?: string;
  readonly status?: string;
  readonly tasks?: readonly JsonRecord[];
}

/** A sub-agent, as far as the event knows it. */
export interface AgentEvent {
  /** The Agent call that started it. */
  readonly toolUseId: string;
  /** The CLI's id of it; missing before it has one. */
  readonly agentId?: string;
  readonly description?: string;
  readonly agentType?: string;
  /** Whether the turn goes on without waiting for it. */
  readonly background?: boolean;
  /** `completed`, `failed`, `stopped`, `backgrounded`, ... */
  readonly status?: string;
  /** Its answer, in short. */
  readonly summary?: string;
  /** Why it was not started. */
  readonly error?: string;
}

/** A call of a tool that has events of its own. */
export interface ToolCallEvent {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input?: JsonRecord;
  /** How it ended. */
  readonly outcome?: "completed" | "failed" | "denied";
}

/** A turn begins. */
export interface TurnStarted {
  /** `wake` is a turn that the CLI began by itself, as when a task in the background has ended. */
  readonly origin: "user" | "wake";
}

/** Where a turn is before its first chunk. */
export interface TurnStage {
  /** The CLI has taken the prompt, and the model does not answer yet. */
  readonly stage: "preparing_turn";
}

/** The conversation was summed up, to make room. */
export interface ContextCompacted {
  /** `auto` or `manual`. */
  readonly trigger: string | undefined;
  readonly preTokens: number | undefined;
  readonly postTokens: number | undefined;
  readonly durationMs: number | undefined;
  /** What the model goes on with; known where the hook PostCompact is heard. */
  readonly summary: string | undefined;
}

/** A plan waits for its approval. */
export interface PlanSubmitted {
  readonly toolUseId: string;
  /** Markdown; empty when no plan was written. */
  readonly plan: string;
  readonly planFilePath: string | undefined;
}

/** Another permission mode holds. */
export interface ExecutionModeChanged {
  readonly from: string | undefined;
  readonly to: string;
}

/** The goal of the session was set, changed or cleared. */
export interface GoalUpdated {
  /** As the CLI has it, with `condition`; null when it was cleared. */
  readonly goal: JsonRecord | null;
  /** What the CLI said of it, where that is all there is. */
  readonly text?: string;
}

/** What each runtime event carries, by its type. */
export interface RuntimeEventData {
  readonly "turn.started": TurnStarted;
  /** Once a turn. */
  readonly "turn.stage": TurnStage;
  readonly "turn.completed": TurnCompleted;
  readonly "turn.failed": TurnFailed;
  readonly "response.chunk": ResponseChunk;
  readonly "tool.progress": ToolProgress;
  readonly "tool.permission_required": PermissionQuestion;
  readonly "prompt.request": PromptQuestion;
  /** At the end of the turn in which it happened. */
  readonly "context.compacted": ContextCompacted;
  readonly "plan.submitted": PlanSubmitted;
  readonly "execution_mode.changed": ExecutionModeChanged;
  readonly "task.changed": TaskChange;
  readonly "goal.updated": GoalUpdated;
  readonly "agent.spawn.begin": AgentEvent;
  readonly "agent.spawn.end": AgentEvent;
  readonly "agent.wait.begin": AgentEvent;
  readonly "agent.wait.end": AgentEvent;
  readonly "agent.interaction.begin": ToolCallEvent;
  readonly "agent.interaction.end": ToolCallEvent;
  /** Only when a stop was asked for: an agent that ends by itself has the end alone. */
  readonly "agent.close.begin": AgentEvent;
  readonly "agent.close.end": AgentEvent;
  readonly "browser.tool.begin": ToolCallEvent;
  readonly "browser.tool.end": ToolCallEvent;
}

/** The name of a runtime event. */
export type RuntimeEventType = keyof RuntimeEventData;

/** Something that happened in a session. */
export type RuntimeEvent<Type extends RuntimeEventType = RuntimeEventType> = {
  [Each in Type]: {
    readonly type: Each;
    /** `undefined` until the CLI has said it. */
    readonly sessionId: string | undefined;
    /** The uuid of the prompt, or of what began the turn; `undefined` between turns. */
    readonly turnId: string | undefined;
    /** Counts the turns of the session from 1; between turns that of the last one. */
    readonly turnNumber: number;
    /** Milliseconds since 1970; 0 where nobody said it. */
    readonly time: number;
    /** The Agent call, for what happened in a sub-agent. */
    readonly agentToolUseId?: string;
    readonly data: RuntimeEventData[Each];
  };
}[Type];

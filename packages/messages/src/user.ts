import type { UserContent } from "./api-message.ts";
import type { MessageBase, SubagentStamps } from "./envelope.ts";
import type { OpenString } from "./open.ts";
import type { MessageOrigin } from "./origin.ts";

/**
 * A message in the user's role that the CLI put into the conversation: the result of a tool, words of the harness, or the prompt of
 * a subagent.
 *
 * Results come in the order in which tools finish, normally one per message; match them by `tool_use_id`. [verified on CLI 2.1.328]
 */
export interface UserMessage extends MessageBase, SubagentStamps, UserMessageInternals {
  readonly type: "user";
  readonly message: UserContent;
  /** Null in the main conversation; otherwise the id of the tool use whose subagent wrote it. */
  readonly parent_tool_use_id: string | null;
  /** Text of the harness and no person: continuation prompts, feedback of hooks, summaries. The two interruption notes lack it. */
  readonly isSynthetic?: boolean;
  /** `false` occurs on the summary of a manual compaction. */
  readonly isReplay?: false;
  /**
   * What the tool gave, in a shape of its own, see `ToolOutputs`; for errors a text. Not on messages of subagents.
   */
  readonly tool_use_result?: unknown;
  readonly origin?: MessageOrigin;
  /** ISO 8601. For display, not for ordering. */
  readonly timestamp?: string;
}

/**
 * The host's own prompt, written back when the CLI takes it up: the same `uuid`, the content as the model will see it.
 *
 * Only with `--replay-user-messages`. A prompt whose `uuid` the session has seen before is replayed and then dropped: no turn, no
 * result. [verified on CLI 2.1.328]
 */
export interface UserReplayMessage extends MessageBase {
  readonly type: "user";
  readonly message: UserContent;
  readonly parent_tool_use_id: string | null;
  readonly isReplay: true;
  readonly isSynthetic?: boolean;
  readonly tool_use_result?: unknown;
  readonly origin?: MessageOrigin;
  readonly timestamp?: string;
  readonly file_attachments?: unknown[];
}

/** Fields of a user message that the CLI keeps for its own front ends. They may go without notice. */
export interface UserMessageInternals {
  /** How the tool calls were permitted. */
  readonly tool_result_meta?: ToolResultMeta[];
  readonly refused_message_id?: string;
  readonly retracted_message_uuids?: string[];
  readonly is_virtual?: boolean;
  readonly historical?: boolean;
  readonly is_meta?: true;
  readonly is_compact_summary?: true;
  readonly summarize_metadata?: unknown;
  readonly mcp_meta?: unknown;
  readonly source_tool_use_id?: string;
  readonly source_tool_assistant_uuid?: string;
  readonly interrupted_message_id?: string;
  readonly plan_content?: string;
  readonly permission_mode?: string;
}

/** How one tool call was permitted or refused. */
export interface ToolResultMeta {
  /** `id` of the tool use. */
  readonly id: string;
  readonly permission_decision?: {
    readonly decision: OpenString<"accept" | "reject">;
    readonly source: OpenString<"config" | "user_temporary" | "user_permanent" | "user_reject">;
    readonly reason_type?: string;
  };
  /** Why the tool did not run. */
  readonly non_execution_kind?: OpenString<"permission-rule" | "user-rejected" | "automode-unavailable">;
}

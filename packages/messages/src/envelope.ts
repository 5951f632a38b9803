/** What almost every message has. */
export interface MessageBase {
  /** Id of this frame, fresh per frame. A replayed prompt has the host's own, which the CLI does not check. */
  readonly uuid: string;
  /** The session that wrote the frame. Changes within one process after a {@link ConversationResetMessage}: take it from each frame. */
  readonly session_id: string;
}

/**
 * Ties frames of a turn to the prompts that caused it. Present only when the host gave its prompts a `uuid`.
 *
 * [verified on CLI 2.1.328]
 */
export interface PromptStamps {
  /** `uuid` of the last prompt that the turn consumed. */
  readonly user_message_uuid?: string;
  /** `uuid`s of all prompts that the turn consumed, in order, at most 64. */
  readonly user_message_uuids?: string[];
}

/** Marks frames of a subagent. */
export interface SubagentStamps {
  /** The subagent; the same as `task_id` of its task messages. */
  readonly agent_id?: string;
  /** Kind of the subagent, such as `general-purpose`. */
  readonly subagent_type?: string;
  /** What the subagent was asked to do, in a few words. */
  readonly task_description?: string;
}

import type { AuthStatusMessage, RateLimitMessage } from "./account-messages.ts";
import type { AssistantMessage } from "./assistant.ts";
import type { EngineMessage } from "./engine-messages.ts";
import type { UnknownValue } from "./open.ts";
import type { ResultMessage } from "./result.ts";
import type {
  ActiveGoalMessage,
  AutocompactStateMessage,
  CommandLifecycleMessage,
  ConversationResetMessage,
  PromptSuggestionMessage,
  ToolProgressMessage,
  ToolUseSummaryMessage,
} from "./run-messages.ts";
import type { StreamEventMessage } from "./stream-event.ts";
import type { EngineSystemMessage } from "./system/engine-messages.ts";
import type { HostedSystemMessage } from "./system/hosted-messages.ts";
import type { SystemMessage } from "./system/system-message.ts";
import type { UserMessage, UserReplayMessage } from "./user.ts";

/** A message that this package has a type for. Narrows by `type`, and system and result messages by `subtype`. */
export type KnownMessage =
  | AssistantMessage
  | UserMessage
  | UserReplayMessage
  | ResultMessage
  | SystemMessage
  | HostedSystemMessage
  | EngineSystemMessage
  | StreamEventMessage
  | ToolProgressMessage
  | ToolUseSummaryMessage
  | RateLimitMessage
  | AuthStatusMessage
  | CommandLifecycleMessage
  | ConversationResetMessage
  | PromptSuggestionMessage
  | ActiveGoalMessage
  | AutocompactStateMessage
  | EngineMessage;

/**
 * What the CLI writes for the user of a session, as it wrote it. Narrows by `type`, and system and result messages by `subtype`; what
 * is left over in the default branch of a `switch` are the unknown ones, which are delivered too.
 */
export type Message = KnownMessage | UnknownMessage;

/** A message of a type, or a system message of a subtype, that this package does not know. */
export type UnknownMessage = UnknownTypeMessage | UnknownSystemMessage;

/** A message of an unknown type. Its other fields: {@link fieldsOf}. At run time `type` may be anything, or absent. */
export interface UnknownTypeMessage {
  readonly type: UnknownValue;
  readonly subtype?: UnknownValue;
  readonly uuid?: string;
  readonly session_id?: string;
}

/** A system message of an unknown subtype. Its other fields: {@link fieldsOf}. */
export interface UnknownSystemMessage {
  readonly type: "system";
  readonly subtype: UnknownValue;
  readonly uuid?: string;
  readonly session_id?: string;
}

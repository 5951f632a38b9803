/** A message of the host. Nothing else has an effect on the session. */
export type HostMessage =
  | HelloFromHost
  | OpenMessage
  | SendMessage
  | ToolResultMessage
  | PermissionAnswerMessage
  | InterruptMessage
  | CloseMessage;

/** The first line of the host. */
export interface HelloFromHost {
  readonly type: "hello";
  /** The versions that the host speaks. */
  readonly protocols: readonly number[];
  /** Who the host is, for people. */
  readonly host?: string | undefined;
}

/** Starts a session. A bridge holds one at a time. */
export interface OpenMessage {
  readonly type: "open";
  readonly options?: OpenOptions | undefined;
  /** Tools that the host runs. The model sees them as `mcp__host__NAME`. */
  readonly tools?: readonly HostTool[] | undefined;
}

/** What a host may say about its session. Who starts the bridge decides all else: the CLI, its environment, other servers, hooks. */
export interface OpenOptions {
  readonly model?: string | undefined;
  readonly fallback_model?: string | undefined;
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Default: none. */
  readonly system_prompt?:
    | string
    | { readonly preset: "claude_code"; readonly append?: string | undefined }
    | undefined;
  /** Working directory. Default: that of the bridge. */
  readonly cwd?: string | undefined;
  readonly additional_directories?: readonly string[] | undefined;
  /** Tools of the CLI, `"all"` for all of them. Default: none. */
  readonly built_in_tools?: readonly string[] | "all" | undefined;
  /** Rules for what runs without a question. Tools of the host do so anyway, unless they say `ask`. */
  readonly allowed_tools?: readonly string[] | undefined;
  readonly disallowed_tools?: readonly string[] | undefined;
  readonly permission_mode?: "default" | "acceptEdits" | "plan" | "dontAsk" | undefined;
  readonly max_turns?: number | undefined;
  readonly max_budget_usd?: number | undefined;
  /** Settings files that are read. Default: none. */
  readonly setting_sources?: readonly ("user" | "project" | "local")[] | undefined;
  /** Adds events with the deltas of a response. Default false. */
  readonly include_partial_messages?: boolean | undefined;
  /** Goes on with a session: its id. */
  readonly resume?: string | undefined;
  /** Takes `/command` and `@file` in prompts for what they are in the terminal. Default false: prompts are taken literally. */
  readonly expand_prompts?: boolean | undefined;
}

/** A tool that the host runs. */
export interface HostTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. Default: no arguments. */
  readonly input_schema?: Readonly<Record<string, unknown>> | undefined;
  /** Has the host asked for permission before each call. Default false. */
  readonly ask?: boolean | undefined;
}

/** A prompt. Exactly one of `content` and `transcript` is there. */
export interface SendMessage {
  readonly type: "send";
  /** Chosen by the host, new for each prompt. Comes back with `turn_end`. */
  readonly id: string;
  readonly content?: PromptContent | undefined;
  /**
   * The whole conversation, the prompt last. When it begins as the session has gone so far, the session goes on; else the bridge starts
   * another one that has this past.
   */
  readonly transcript?: readonly TranscriptEntry[] | undefined;
}

/** What is said to the model. */
export type PromptContent = string | readonly PromptBlock[];

/** A block of a prompt, as the Messages API has it. */
export type PromptBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly source: BlockSource }
  | { readonly type: "document"; readonly source: BlockSource; readonly title?: string | undefined };

/** Where the bytes of a block are. */
export type BlockSource =
  | { readonly type: "base64"; readonly media_type: string; readonly data: string }
  | { readonly type: "url"; readonly url: string };

/** An entry of a transcript. Blocks of other types than those of prompts (tool uses, thinking) are passed over. */
export interface TranscriptEntry {
  readonly role: "user" | "assistant";
  readonly content: string | readonly { readonly type: string; readonly [field: string]: unknown }[];
}

/** What a tool of the host gave. */
export interface ToolResultMessage {
  readonly type: "tool_result";
  /** That of the `tool_call`. */
  readonly id: string;
  readonly content: string | readonly ToolResultBlock[];
  /** The tool failed; `content` says how. Default false. */
  readonly is_error?: boolean | undefined;
}

/** A block of a tool's result. Images are base64. */
export type ToolResultBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly media_type: string; readonly data: string };

/** The answer to a `permission_question`. Anything that is no clear permission denies. */
export type PermissionAnswerMessage =
  | {
      readonly type: "permission_answer";
      /** That of the question. */
      readonly id: string;
      readonly behavior: "allow";
      /** Replaces the input. Default: as it was asked. */
      readonly updated_input?: Readonly<Record<string, unknown>> | undefined;
      /** Takes the question's suggestions, so that it is not asked again in this session. Default false. */
      readonly always?: boolean | undefined;
    }
  | {
      readonly type: "permission_answer";
      readonly id: string;
      readonly behavior: "deny";
      /** What the model is told. */
      readonly message?: string | undefined;
      /** Ends the turn, too. Default false. */
      readonly interrupt?: boolean | undefined;
    };

/** Ends the turn that runs. */
export interface InterruptMessage {
  readonly type: "interrupt";
  /** Comes back with `interrupted`. */
  readonly id: string;
}

/** Ends the session. The host may open another one. */
export interface CloseMessage {
  readonly type: "close";
}

/** A message of the bridge. */
export type BridgeMessage =
  | HelloFromBridge
  | OpenedMessage
  | EventMessage
  | ToolCallMessage
  | PermissionQuestionMessage
  | CancelledMessage
  | TurnEndMessage
  | InterruptedMessage
  | ClosedMessage
  | ErrorMessage;

/** The answer to the host's hello. */
export interface HelloFromBridge {
  readonly type: "hello";
  /** The version that is spoken from here on. */
  readonly protocol: 1;
  /** Who the bridge is, for people. */
  readonly bridge: string;
}

/** A session has begun: because the host opened it, or because a transcript did not go on as the session had gone. */
export interface OpenedMessage {
  readonly type: "opened";
  readonly session_id: string;
  readonly restarted: boolean;
}

/** A message of the CLI, as the CLI wrote it. */
export interface EventMessage {
  readonly type: "event";
  readonly message: Readonly<Record<string, unknown>>;
}

/** The model calls a tool of the host. Answered with a `tool_result`. */
export interface ToolCallMessage {
  readonly type: "tool_call";
  readonly id: string;
  /** As the host named it. */
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tool_use_id?: string | undefined;
}

/** May a tool be used? Answered with a `permission_answer`. */
export interface PermissionQuestionMessage {
  readonly type: "permission_question";
  readonly id: string;
  /** As the model sees it: `Bash`, `mcp__host__NAME`. */
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
  /** Words for a dialog. */
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Why the CLI asks. */
  readonly reason?: string | undefined;
  /** Whether `always` has an effect. */
  readonly can_allow_always: boolean;
}

/** A `tool_call` or `permission_question` needs no answer any more. */
export interface CancelledMessage {
  readonly type: "cancelled";
  readonly id: string;
}

/** A prompt is done. Each `send` gets exactly one, behind the events of its turn. */
export interface TurnEndMessage {
  readonly type: "turn_end";
  /** That of the `send`. */
  readonly id: string;
  /** How it ended; the set is open. `completed` is the only good one. */
  readonly outcome: TurnOutcome;
  /** The answer, or what went wrong. */
  readonly text: string;
  readonly session_id: string;
}

/** How a turn ended, as far as this version knows. */
export type TurnOutcome =
  | "completed"
  | "failed"
  | "interrupted"
  | "limit_reached"
  | "not_run"
  | "session_ended"
  | (string & {});

/** The CLI has taken an interrupt. The turn ends with a `turn_end`. */
export interface InterruptedMessage {
  readonly type: "interrupted";
  readonly id: string;
}

/** The session is over, and its process gone. */
export interface ClosedMessage {
  readonly type: "closed";
  /** `closed` by the host, or `failed`: an `error` came before. */
  readonly reason: "closed" | "failed";
}

/** Something went wrong. The bridge goes on, except behind `unsupported_protocol`. */
export interface ErrorMessage {
  readonly type: "error";
  readonly code: BridgeErrorCode;
  /** For people. */
  readonly message: string;
  /** The `id` of the message that it is about, where it has one. */
  readonly id?: string | undefined;
}

/** What can go wrong. */
export type BridgeErrorCode =
  /** The line is no JSON object, or too long. */
  | "bad_line"
  /** There is no message of this type for hosts. */
  | "unknown_type"
  /** The message has not the form of its type. */
  | "bad_message"
  /** The first message has to be a hello, and no other. */
  | "hello_expected"
  /** No version in common. The bridge ends. */
  | "unsupported_protocol"
  /** There is no session. */
  | "not_open"
  /** There is a session already. */
  | "already_open"
  /** The session could not be started. */
  | "open_failed"
  /** The session ended without being told to. `closed` follows. */
  | "session_failed"
  /** The id of a send was used before. */
  | "duplicate_id"
  /** No call or question of this id waits for an answer. */
  | "unknown_id"
  /** A transcript cannot be taken while a turn runs. */
  | "busy"
  /** The CLI refused, or could not be reached. */
  | "refused";

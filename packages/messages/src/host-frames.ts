import type { ContentBlock } from "./content-blocks.ts";
import type { MessageOrigin } from "./origin.ts";
import type { TranscriptEntry } from "./session.ts";

/**
 * A prompt, as a host writes it.
 *
 * A role other than `user` ends the CLI; content that is a number is swallowed without a result. [verified on CLI 2.1.328]
 */
export interface UserFrame {
  readonly type: "user";
  /** A text may begin with a slash command and mention files with `@`. */
  readonly message: HostUserContent;
  /** Without effect. */
  readonly parent_tool_use_id?: string | null | undefined;
  /** Without effect. */
  readonly session_id?: string | undefined;
  /**
   * The host's id of the prompt, a random UUID. Turns on `command_lifecycle` messages and the stamps of `PromptStamps`. A second
   * frame with the same one is dropped.
   */
  readonly uuid?: string | undefined;
  /**
   * What happens while a turn runs: `next` is folded into it after the current tools (default), `later` waits for a turn of its own,
   * `now` interrupts.
   */
  readonly priority?: "now" | "next" | "later" | undefined;
  /** False only stores the prompt; there is a result all the same. Default true. */
  readonly shouldQuery?: boolean | undefined;
  /** Takes the text literally: no slash command, no `@`. */
  readonly client_composed?: true | undefined;
  /** A machine wrote it, and the model is told so. There is no replay. */
  readonly isSynthetic?: boolean | undefined;
  /** Comes back with the replay and the result. */
  readonly origin?: MessageOrigin | undefined;
  /** Appended to the text, each marked as pasted. */
  readonly pasted_content?: readonly (string | readonly HostBlock[])[] | undefined;
  /** Marks text in the content as pasted. */
  readonly inline_pastes?: readonly string[] | undefined;
  readonly tool_use_result?: unknown;
  readonly timestamp?: string | undefined;
}

/** Content of a prompt. Blocks that the CLI does not know go to the API as they are. */
export interface HostUserContent {
  readonly role: "user";
  readonly content: string | readonly HostBlock[];
}

/** A block of a prompt: text, image, document, result of a tool, or what the API may come to know. */
export type HostBlock = ContentBlock | { readonly type: string };

/**
 * Runs a shell command without any question of permission. A gateway must not pass it on from a client. [verified on CLI 2.1.328]
 */
export interface BashCommandFrame {
  readonly type: "bash_command";
  readonly command: string;
  readonly cwd?: string | undefined;
  readonly uuid?: string | undefined;
}

/** Sets some of the CLI's variables; names outside its list are dropped in silence. */
export interface UpdateEnvironmentVariablesFrame {
  readonly type: "update_environment_variables";
  readonly variables: Readonly<Record<string, string>>;
  /** Asks for a control response that lists what was taken. */
  readonly request_id?: string | undefined;
}

/** A sign of life, both ways. Every 30 s while a long control request runs. */
export interface KeepAliveFrame {
  readonly type: "keep_alive";
  /** A step of the start, with CLAUDE_CODE_SDK_READS_STARTUP_MARKS=1. */
  readonly startup_mark?: string;
}

/** Lines of a transcript that were just written, for a session store. With `--session-mirror`. [verified on CLI 2.1.328] */
export interface TranscriptMirrorFrame {
  readonly type: "transcript_mirror";
  /** Path of the transcript on the CLI's machine. */
  readonly filePath: string;
  readonly entries: TranscriptEntry[];
}

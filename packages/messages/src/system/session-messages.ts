import type { SlashCommand } from "../control/session-info.ts";
import type { OpenString } from "../open.ts";
import type { SessionKey } from "../session.ts";
import type { SystemBase } from "./system-base.ts";

/** All slash commands: replace what you keep. [verified on CLI 2.1.328] */
export interface CommandsChangedMessage extends SystemBase {
  readonly subtype: "commands_changed";
  readonly commands: SlashCommand[];
}

/** Plugins are being installed. Only with CLAUDE_CODE_SYNC_PLUGIN_INSTALL=1, before the first init. [verified on CLI 2.1.328] */
export interface PluginInstallMessage extends SystemBase {
  readonly subtype: "plugin_install";
  readonly status: OpenString<"started" | "installed" | "failed" | "completed">;
  /** The marketplace. */
  readonly name?: string;
  readonly error?: string;
}

/** The disk is full: what the results said stands, but the transcript is not whole. The last message of the process. */
export interface SessionWritesLostMessage extends SystemBase {
  readonly subtype: "session_writes_lost";
  readonly error_code: OpenString<"ENOSPC" | "EDQUOT">;
  readonly lost: OpenString<"transcript" | "global_config">[];
  readonly transcript_session_ids?: string[];
}

/** The session got another title. Comes again on resume and with a second initialize. [verified on CLI 2.1.328] */
export interface SessionTitleChangedMessage extends SystemBase {
  readonly subtype: "session_title_changed";
  readonly title: string;
}

/** Files of a hosted session were stored. */
export interface FilesPersistedMessage extends SystemBase {
  readonly subtype: "files_persisted";
  readonly files: { readonly filename: string; readonly file_id: string }[];
  readonly failed: { readonly filename: string; readonly error: string }[];
  /** ISO 8601. */
  readonly processed_at: string;
}

/** A worker of a remote session goes away. */
export interface WorkerShuttingDownMessage extends SystemBase {
  readonly subtype: "worker_shutting_down";
  readonly reason: string;
}

/** A session store failed to append. Never from the CLI: the host writes it. */
export interface MirrorErrorMessage extends SystemBase {
  readonly subtype: "mirror_error";
  readonly error: string;
  readonly key: SessionKey;
}

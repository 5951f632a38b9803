import type {
  CommandsChangedMessage,
  FilesPersistedMessage,
  MirrorErrorMessage,
  PluginInstallMessage,
  SessionTitleChangedMessage,
  SessionWritesLostMessage,
  WorkerShuttingDownMessage,
} from "@reins/messages";
import * as z from "zod";
import { slashCommandSchema } from "../control/session-info.ts";
import { open } from "../open.ts";
import { sessionKeySchema } from "../session.ts";
import { system } from "./system-base.ts";

/** Schema of {@link CommandsChangedMessage}. */
export const commandsChangedMessageSchema: z.ZodType<CommandsChangedMessage> = system("commands_changed", {
  commands: z.array(slashCommandSchema),
});

/** Schema of {@link PluginInstallMessage}. */
export const pluginInstallMessageSchema: z.ZodType<PluginInstallMessage> = system("plugin_install", {
  status: open("started", "installed", "failed", "completed"),
  name: z.string().exactOptional(),
  error: z.string().exactOptional(),
});

/** Schema of {@link SessionWritesLostMessage}. */
export const sessionWritesLostMessageSchema: z.ZodType<SessionWritesLostMessage> = system("session_writes_lost", {
  error_code: open("ENOSPC", "EDQUOT"),
  lost: z.array(open("transcript", "global_config")),
  transcript_session_ids: z.array(z.string()).exactOptional(),
});

/** Schema of {@link SessionTitleChangedMessage}. */
export const sessionTitleChangedMessageSchema: z.ZodType<SessionTitleChangedMessage> = system("session_title_changed", {
  title: z.string(),
});

/** Schema of {@link FilesPersistedMessage}. */
export const filesPersistedMessageSchema: z.ZodType<FilesPersistedMessage> = system("files_persisted", {
  files: z.array(z.looseObject({ filename: z.string(), file_id: z.string() })),
  failed: z.array(z.looseObject({ filename: z.string(), error: z.string() })),
  processed_at: z.string(),
});

/** Schema of {@link WorkerShuttingDownMessage}. */
export const workerShuttingDownMessageSchema: z.ZodType<WorkerShuttingDownMessage> = system("worker_shutting_down", {
  reason: z.string(),
});

/** Schema of {@link MirrorErrorMessage}. */
export const mirrorErrorMessageSchema: z.ZodType<MirrorErrorMessage> = system("mirror_error", {
  error: z.string(),
  key: sessionKeySchema,
});

import type {
  PluginConfig,
  SessionInfo,
  SessionKey,
  SessionMessage,
  SettingSource,
  TranscriptEntry,
} from "@reins/messages";
import * as z from "zod";
import { loose, pinned } from "./pinned.ts";

/** Schema of {@link SessionKey}. */
export const sessionKeySchema: z.ZodType<SessionKey> = loose({
  projectKey: z.string(),
  sessionId: z.string(),
  subpath: z.string().exactOptional(),
});

/** Schema of {@link TranscriptEntry}. */
export const transcriptEntrySchema: z.ZodType<TranscriptEntry> = loose({
  type: z.string(),
  uuid: z.string().exactOptional(),
  timestamp: z.string().exactOptional(),
});

/** Schema of {@link SessionInfo}. */
export const sessionInfoSchema: z.ZodType<SessionInfo> = loose({
  sessionId: z.string(),
  summary: z.string(),
  lastModified: z.number(),
  fileSize: z.number().exactOptional(),
  customTitle: z.string().exactOptional(),
  firstPrompt: z.string().exactOptional(),
  gitBranch: z.string().exactOptional(),
  cwd: z.string().exactOptional(),
  tag: z.string().exactOptional(),
  createdAt: z.number().exactOptional(),
  archived: z.boolean().exactOptional(),
});

/** Schema of {@link SessionMessage}. */
export const sessionMessageSchema: z.ZodType<SessionMessage> = loose({
  type: z.enum(["user", "assistant", "system"]),
  uuid: z.string(),
  session_id: z.string(),
  message: z.unknown(),
  parent_tool_use_id: z.string().nullable(),
  parent_agent_id: z.string().nullable(),
});

/** Schema of {@link SettingSource}. */
export const settingSourceSchema: z.ZodType<SettingSource> = pinned(z.enum(["user", "project", "local"]));

/** Schema of {@link PluginConfig}. */
export const pluginConfigSchema: z.ZodType<PluginConfig> = loose({
  type: z.literal("local"),
  path: z.string(),
  skipMcpDiscovery: z.boolean().optional(),
});

/** Names a transcript in a session store. */
export interface SessionKey {
  /** Stands for the working directory. */
  readonly projectKey: string;
  readonly sessionId: string;
  /** A side transcript, such as `subagents/agent-<id>`; absent for the main one, never empty. */
  readonly subpath?: string;
}

/** A line of a transcript, as the CLI wrote it. */
export interface TranscriptEntry {
  readonly type: string;
  readonly uuid?: string;
  /** ISO 8601. */
  readonly timestamp?: string;
  readonly [field: string]: unknown;
}

/** What a list of sessions says about one. */
export interface SessionInfo {
  readonly sessionId: string;
  /** Its title, or its beginning. */
  readonly summary: string;
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  /** Bytes; of local transcripts only. */
  readonly fileSize?: number;
  readonly customTitle?: string;
  readonly firstPrompt?: string;
  readonly gitBranch?: string;
  readonly cwd?: string;
  readonly tag?: string;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
  readonly archived?: boolean;
}

/** A message read from a transcript. */
export interface SessionMessage {
  readonly type: "user" | "assistant" | "system";
  readonly uuid: string;
  readonly session_id: string;
  readonly message: unknown;
  readonly parent_tool_use_id: string | null;
  readonly parent_agent_id: string | null;
}

/** Which settings files the CLI loads. */
export type SettingSource = "user" | "project" | "local";

/** A plugin from a directory. */
export interface PluginConfig {
  readonly type: "local";
  readonly path: string;
  /** Default false. True leaves the plugin's MCP servers out. */
  readonly skipMcpDiscovery?: boolean | undefined;
}

import type { OpenString } from "../open.ts";
import type { PermissionMode } from "../permissions.ts";
import type { Acknowledged } from "./acknowledged.ts";

/** Requests that change a session, by subtype. */
export interface SettingsRequests {
  /** Error codes: `invalid_mode`, `bypass_not_launched`, and those of mode `auto`. */
  readonly set_permission_mode: {
    readonly request: { readonly subtype: "set_permission_mode"; readonly mode: PermissionMode };
    readonly response: { readonly mode: PermissionMode };
  };
  /** Absent, null and `default` go back to the default. The CLI tries the model with a request of one token. */
  readonly set_model: {
    readonly request: { readonly subtype: "set_model"; readonly model?: string | null | undefined };
    readonly response: { readonly model: string };
  };
  readonly set_max_thinking_tokens: {
    readonly request: SetMaxThinkingTokensRequest;
    readonly response: Acknowledged;
  };
  /** Settings of this session only. Top-level keys replace, null takes a key back; one bad key refuses all. */
  readonly apply_flag_settings: {
    readonly request: {
      readonly subtype: "apply_flag_settings";
      readonly settings: Readonly<Record<string, unknown>>;
    };
    readonly response: Acknowledged;
  };
  /** Writes a settings file. Of `localSettings` only `outputStyle`, of `userSettings` only `effortLevel`. */
  readonly update_settings: {
    readonly request: {
      readonly subtype: "update_settings";
      readonly source: "localSettings" | "userSettings";
      readonly settings: Readonly<Record<string, unknown>>;
    };
    readonly response: Acknowledged;
  };
  /** Makes the calls of one server be asked about more often; it cannot loosen. Warns for a server that is not known yet. */
  readonly set_mcp_permission_mode_override: {
    readonly request: {
      readonly subtype: "set_mcp_permission_mode_override";
      readonly serverName: string;
      readonly mode: "default" | "auto" | null;
    };
    readonly response: { readonly warning?: string };
  };
  readonly rename_session: {
    readonly request: {
      readonly subtype: "rename_session";
      readonly title: string;
      readonly source?: "remote" | "host" | undefined;
      readonly session_id?: string | undefined;
    };
    readonly response: Acknowledged;
  };
  /** Null when no title could be made. */
  readonly generate_session_title: {
    readonly request: {
      readonly subtype: "generate_session_title";
      readonly description: string;
      readonly persist?: boolean | undefined;
    };
    readonly response: { readonly title: string | null };
  };
  /** In two steps: the directory of the answer `needs_trust` goes back as `trusted_directory`. */
  readonly set_cwd: { readonly request: SetCwdRequest; readonly response: SetCwdResponse };
  readonly register_repo_root: {
    readonly request: RegisterRepoRootRequest;
    readonly response: { readonly directory: string };
  };
  /** Refused without a terminal. */
  readonly set_color: {
    readonly request: { readonly subtype: "set_color"; readonly color: string };
    readonly response: Acknowledged;
  };
  readonly set_has_subscribers: {
    readonly request: { readonly subtype: "set_has_subscribers"; readonly has_subscribers: boolean | null };
    readonly response: Acknowledged;
  };
  readonly set_prompt_suggestions_paused: {
    readonly request: { readonly subtype: "set_prompt_suggestions_paused"; readonly paused: boolean };
    readonly response: Acknowledged;
  };
}

/** Changes how much the model thinks, and how much of it is shown. Null goes back to the default. */
export interface SetMaxThinkingTokensRequest {
  readonly subtype: "set_max_thinking_tokens";
  readonly max_thinking_tokens?: number | null | undefined;
  readonly thinking_display?: "summarized" | "omitted" | "highlights" | null | undefined;
}

/** Changes the working directory. */
export interface SetCwdRequest {
  readonly subtype: "set_cwd";
  readonly path: string;
  readonly trust_accepted?: boolean | undefined;
  /** What the answer `needs_trust` named. */
  readonly trusted_directory?: string | undefined;
}

/** What became of the working directory. */
export type SetCwdResponse =
  | { readonly status: "needs_trust"; readonly directory: string }
  | {
      readonly status: "ok";
      readonly cwd: string;
      readonly changed: boolean;
      readonly transcript_relocated: boolean;
    }
  | { readonly status: "rejected"; readonly reason: OpenString<"not_found">; readonly message: string };

/** Adds a directory to the workspace. It has to lie below the working directory or an added one. */
export interface RegisterRepoRootRequest {
  readonly subtype: "register_repo_root";
  readonly directory: string;
  readonly reload_claude_md?: boolean | undefined;
  readonly reload_plugins?: boolean | undefined;
  readonly reload_skills?: boolean | undefined;
}

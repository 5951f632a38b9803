import type { OpenString } from "../open.ts";
import type { HookInputBase } from "./hook-input-base.ts";

/** A settings file changed on disk. */
export interface ConfigChangeHookInput extends HookInputBase {
  readonly hook_event_name: "ConfigChange";
  readonly source: OpenString<"user_settings" | "project_settings" | "local_settings" | "policy_settings" | "skills">;
  readonly file_path?: string;
}

/** A worktree is wanted. Who registers this replaces git: the hook has to make the directory and name it. [verified on CLI 2.1.328] */
export interface WorktreeCreateHookInput extends HookInputBase {
  readonly hook_event_name: "WorktreeCreate";
  readonly name: string;
}

/** A worktree that a hook made is no longer wanted: the hook has to remove it. */
export interface WorktreeRemoveHookInput extends HookInputBase {
  readonly hook_event_name: "WorktreeRemove";
  readonly worktree_path: string;
}

/** A file of instructions, such as CLAUDE.md, was loaded. */
export interface InstructionsLoadedHookInput extends HookInputBase {
  readonly hook_event_name: "InstructionsLoaded";
  readonly file_path: string;
  readonly memory_type: OpenString<"User" | "Project" | "Local" | "Managed">;
  readonly load_reason: OpenString<"session_start" | "nested_traversal" | "path_glob_match" | "include" | "compact">;
  readonly globs?: string[];
  readonly trigger_file_path?: string;
  readonly parent_file_path?: string;
}

/** The working directory changed. Reaches a callback only when a command hook of this event exists. [verified on CLI 2.1.328] */
export interface CwdChangedHookInput extends HookInputBase {
  readonly hook_event_name: "CwdChanged";
  readonly old_cwd: string;
  readonly new_cwd: string;
}

/** A file changed that a hook asked to watch, with `watchPaths`. */
export interface FileChangedHookInput extends HookInputBase {
  readonly hook_event_name: "FileChanged";
  readonly file_path: string;
  readonly event: OpenString<"change" | "add" | "unlink">;
}

/** A directory was added to the workspace. */
export interface DirectoryAddedHookInput extends HookInputBase {
  readonly hook_event_name: "DirectoryAdded";
  readonly directory: string;
  readonly source: OpenString<"slash_command" | "register_repo_root">;
}

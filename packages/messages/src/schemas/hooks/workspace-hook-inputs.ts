import type {
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";
import { hookInputBase } from "./hook-input-base.ts";

/** Schema of {@link ConfigChangeHookInput}. */
export const configChangeHookInputSchema: z.ZodType<ConfigChangeHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("ConfigChange"),
  source: open("user_settings", "project_settings", "local_settings", "policy_settings", "skills"),
  file_path: z.string().exactOptional(),
});

/** Schema of {@link WorktreeCreateHookInput}. */
export const worktreeCreateHookInputSchema: z.ZodType<WorktreeCreateHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("WorktreeCreate"),
  name: z.string(),
});

/** Schema of {@link WorktreeRemoveHookInput}. */
export const worktreeRemoveHookInputSchema: z.ZodType<WorktreeRemoveHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("WorktreeRemove"),
  worktree_path: z.string(),
});

/** Schema of {@link InstructionsLoadedHookInput}. */
export const instructionsLoadedHookInputSchema: z.ZodType<InstructionsLoadedHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("InstructionsLoaded"),
  file_path: z.string(),
  memory_type: open("User", "Project", "Local", "Managed"),
  load_reason: open("session_start", "nested_traversal", "path_glob_match", "include", "compact"),
  globs: z.array(z.string()).exactOptional(),
  trigger_file_path: z.string().exactOptional(),
  parent_file_path: z.string().exactOptional(),
});

/** Schema of {@link CwdChangedHookInput}. */
export const cwdChangedHookInputSchema: z.ZodType<CwdChangedHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("CwdChanged"),
  old_cwd: z.string(),
  new_cwd: z.string(),
});

/** Schema of {@link FileChangedHookInput}. */
export const fileChangedHookInputSchema: z.ZodType<FileChangedHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("FileChanged"),
  file_path: z.string(),
  event: open("change", "add", "unlink"),
});

/** Schema of {@link DirectoryAddedHookInput}. */
export const directoryAddedHookInputSchema: z.ZodType<DirectoryAddedHookInput> = loose({
  ...hookInputBase,
  hook_event_name: z.literal("DirectoryAdded"),
  directory: z.string(),
  source: open("slash_command", "register_repo_root"),
});

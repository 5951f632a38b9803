import type { OpenString } from "../open.ts";
import type { HookInputBase } from "./hook-input-base.ts";

/** A conversation begins. Callbacks of a host see the sources `clear` and `compact` only. [verified on CLI 2.1.328] */
export interface SessionStartHookInput extends HookInputBase {
  readonly hook_event_name: "SessionStart";
  readonly source: OpenString<"startup" | "resume" | "clear" | "compact" | "fork">;
  readonly model?: string;
  readonly session_title?: string;
  /** On resume and fork. */
  readonly seconds_since_last_response?: number;
  readonly context_tokens?: number;
  readonly prompt_cache_likely_expired?: boolean;
  readonly estimated_cache_write_usd?: number;
}

/** A conversation ends. Not delivered at the end of input. The CLI waits 1.5 s. [verified on CLI 2.1.328] */
export interface SessionEndHookInput extends HookInputBase {
  readonly hook_event_name: "SessionEnd";
  readonly reason: OpenString<"clear" | "resume" | "logout" | "prompt_input_exit" | "other">;
}

/** The CLI is set up. For command hooks only, never a callback. */
export interface SetupHookInput extends HookInputBase {
  readonly hook_event_name: "Setup";
  readonly trigger: OpenString<"init" | "maintenance">;
}

/** The conversation is about to be compacted. */
export interface PreCompactHookInput extends HookInputBase {
  readonly hook_event_name: "PreCompact";
  readonly trigger: OpenString<"manual" | "auto">;
  readonly custom_instructions: string | null;
}

/** The conversation was compacted. */
export interface PostCompactHookInput extends HookInputBase {
  readonly hook_event_name: "PostCompact";
  readonly trigger: OpenString<"manual" | "auto">;
  readonly compact_summary: string;
}

/** The model is about to be changed. */
export interface PreModelSwitchHookInput extends ModelSwitchHookInputBase {
  readonly hook_event_name: "PreModelSwitch";
}

/** The model was changed. */
export interface PostModelSwitchHookInput extends ModelSwitchHookInputBase {
  readonly hook_event_name: "PostModelSwitch";
}

/** What the hooks around a change of the model are told. */
export interface ModelSwitchHookInputBase extends HookInputBase {
  readonly from_model: string;
  readonly to_model: string;
  readonly requested_model: string | null;
  /** `auto` and `resume` after the change only. */
  readonly source: OpenString<"command" | "picker" | "sdk" | "auto" | "resume">;
  readonly context_tokens: number;
  readonly prompt_cache_warm: boolean;
  readonly cache_ttl: OpenString<"5m" | "1h">;
  /** US dollars. */
  readonly estimated_cache_write_usd: number;
  readonly pricing: OpenString<"configured" | "catalog" | "default">;
}

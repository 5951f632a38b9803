import type { OpenString } from "./open.ts";

/** Whether the faster way to run the model is in use. */
export type FastModeState = OpenString<"off" | "cooldown" | "on">;

/** Why it is not. */
export type FastModeDisabledReason = OpenString<
  | "free"
  | "preference"
  | "extra_usage_disabled"
  | "network_error"
  | "unknown"
  | "not_first_party"
  | "disabled_by_env"
  | "model_not_allowed"
  | "sdk_opt_in_required"
  | "pending"
>;

import type { FastModeDisabledReason, FastModeState } from "@reins/messages";
import type * as z from "zod";
import { open } from "./open.ts";
import { pinned } from "./pinned.ts";

/** Schema of {@link FastModeState}. */
export const fastModeStateSchema: z.ZodType<FastModeState> = pinned(open("off", "cooldown", "on"));

/** Schema of {@link FastModeDisabledReason}. */
export const fastModeDisabledReasonSchema: z.ZodType<FastModeDisabledReason> = pinned(
  open(
    "free",
    "preference",
    "extra_usage_disabled",
    "network_error",
    "unknown",
    "not_first_party",
    "disabled_by_env",
    "model_not_allowed",
    "sdk_opt_in_required",
    "pending",
  ),
);

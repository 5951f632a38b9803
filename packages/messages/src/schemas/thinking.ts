import type { ThinkingAdaptive, ThinkingConfig, ThinkingDisabled, ThinkingEnabled } from "@reins/messages";
import * as z from "zod";
import { kinds } from "./kinds.ts";
import { loose, pinned } from "./pinned.ts";

/** Schema of {@link ThinkingAdaptive}. */
export const thinkingAdaptiveSchema: z.ZodType<ThinkingAdaptive> = loose({
  type: z.literal("adaptive"),
  display: z.enum(["summarized", "omitted"]).optional(),
});

/** Schema of {@link ThinkingEnabled}. */
export const thinkingEnabledSchema: z.ZodType<ThinkingEnabled> = loose({
  type: z.literal("enabled"),
  budgetTokens: z.number().optional(),
  display: z.enum(["summarized", "omitted"]).optional(),
});

/** Schema of {@link ThinkingDisabled}. */
export const thinkingDisabledSchema: z.ZodType<ThinkingDisabled> = loose({ type: z.literal("disabled") });

/** Schema of {@link ThinkingConfig}. */
export const thinkingConfigSchema: z.ZodType<ThinkingConfig> = pinned(
  kinds("type", [thinkingAdaptiveSchema, thinkingEnabledSchema, thinkingDisabledSchema]),
);

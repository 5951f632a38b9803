import type { AuthStatusMessage, RateLimitInfo, RateLimitMessage, RateLimitStatus } from "@reins/messages";
import * as z from "zod";
import { message } from "./envelope.ts";
import { open } from "./open.ts";
import { loose, pinned } from "./pinned.ts";

/** Schema of {@link RateLimitStatus}. */
export const rateLimitStatusSchema: z.ZodType<RateLimitStatus> = pinned(open("allowed", "allowed_warning", "rejected"));

/** Schema of {@link RateLimitInfo}. */
export const rateLimitInfoSchema: z.ZodType<RateLimitInfo> = loose({
  status: rateLimitStatusSchema,
  resetsAt: z.number().exactOptional(),
  rateLimitType: open(
    "five_hour",
    "seven_day",
    "seven_day_opus",
    "seven_day_sonnet",
    "seven_day_overage_included",
    "overage",
  ).exactOptional(),
  utilization: z.number().exactOptional(),
  overageStatus: rateLimitStatusSchema.exactOptional(),
  overageResetsAt: z.number().exactOptional(),
  overageDisabledReason: open(
    "overage_not_provisioned",
    "org_level_disabled",
    "org_level_disabled_until",
    "out_of_credits",
    "seat_tier_level_disabled",
    "member_level_disabled",
    "seat_tier_zero_credit_limit",
    "group_zero_credit_limit",
    "member_zero_credit_limit",
    "org_service_level_disabled",
    "no_limits_configured",
    "fetch_error",
    "unknown",
  ).exactOptional(),
  isUsingOverage: z.boolean().exactOptional(),
  overageInUse: z.boolean().exactOptional(),
  overageEnabled: z.boolean().exactOptional(),
  surpassedThreshold: z.number().exactOptional(),
  limitScope: open("service", "channel", "group_pool").exactOptional(),
  errorCode: open("credits_required").exactOptional(),
  canUserPurchaseCredits: z.boolean().exactOptional(),
  hasChargeableSavedPaymentMethod: z.boolean().exactOptional(),
  unifiedWindows: z.unknown().exactOptional(),
  memberSpendLimit: z.unknown().exactOptional(),
});

/** Schema of {@link RateLimitMessage}. */
export const rateLimitMessageSchema: z.ZodType<RateLimitMessage> = message("rate_limit_event", {
  rate_limit_info: rateLimitInfoSchema,
});

/** Schema of {@link AuthStatusMessage}. */
export const authStatusMessageSchema: z.ZodType<AuthStatusMessage> = message("auth_status", {
  isAuthenticating: z.boolean(),
  output: z.array(z.string()),
  error: z.string().exactOptional(),
});

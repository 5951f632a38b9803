import type { MessageBase } from "./envelope.ts";
import type { OpenString } from "./open.ts";

/**
 * Limits of a subscription, when they change. After the assistant message, or before the one that reports the rejection. With a login
 * of claude.ai only. [verified on CLI 2.1.328]
 */
export interface RateLimitMessage extends MessageBase {
  readonly type: "rate_limit_event";
  readonly rate_limit_info: RateLimitInfo;
}

/** How far the limits are used up. */
export interface RateLimitInfo {
  readonly status: RateLimitStatus;
  /** Seconds since 1970. */
  readonly resetsAt?: number;
  readonly rateLimitType?: OpenString<
    "five_hour" | "seven_day" | "seven_day_opus" | "seven_day_sonnet" | "seven_day_overage_included" | "overage"
  >;
  /** 0 to 1. */
  readonly utilization?: number;
  readonly overageStatus?: RateLimitStatus;
  /** Seconds since 1970. */
  readonly overageResetsAt?: number;
  readonly overageDisabledReason?: OpenString<
    | "overage_not_provisioned"
    | "org_level_disabled"
    | "org_level_disabled_until"
    | "out_of_credits"
    | "seat_tier_level_disabled"
    | "member_level_disabled"
    | "seat_tier_zero_credit_limit"
    | "group_zero_credit_limit"
    | "member_zero_credit_limit"
    | "org_service_level_disabled"
    | "no_limits_configured"
    | "fetch_error"
    | "unknown"
  >;
  readonly isUsingOverage?: boolean;
  readonly overageInUse?: boolean;
  readonly overageEnabled?: boolean;
  readonly surpassedThreshold?: number;
  readonly limitScope?: OpenString<"service" | "channel" | "group_pool">;
  readonly errorCode?: OpenString<"credits_required">;
  readonly canUserPurchaseCredits?: boolean;
  readonly hasChargeableSavedPaymentMethod?: boolean;
  /** Internal. */
  readonly unifiedWindows?: unknown;
  /** Internal. */
  readonly memberSpendLimit?: unknown;
}

/** Whether the next request will be let through. */
export type RateLimitStatus = OpenString<"allowed" | "allowed_warning" | "rejected">;

/** How a login goes. With `--enable-auth-status`, after the initialize reply and on change. [verified on CLI 2.1.328] */
export interface AuthStatusMessage extends MessageBase {
  readonly type: "auth_status";
  readonly isAuthenticating: boolean;
  /** Lines for people. */
  readonly output: string[];
  readonly error?: string;
}

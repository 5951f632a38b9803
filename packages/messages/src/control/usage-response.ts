import type { ExtraUsage, SessionTotals } from "../assistant.ts";
import type { OpenString } from "../open.ts";

/** Totals of the session, and limits of a subscription. All but the session is null or false with an API key. */
export interface UsageResponse {
  readonly session: SessionTotals;
  readonly subscription_type: string | null;
  readonly rate_limits_available: boolean;
  readonly rate_limits: {
    readonly five_hour?: RateLimitWindow | null;
    readonly seven_day?: RateLimitWindow | null;
    readonly seven_day_oauth_apps?: RateLimitWindow | null;
    readonly seven_day_opus?: RateLimitWindow | null;
    readonly seven_day_sonnet?: RateLimitWindow | null;
    readonly model_scoped?: (RateLimitWindow & { readonly display_name: string })[];
    readonly extra_usage?: ExtraUsage | null;
  } | null;
  readonly behaviors: { readonly day: UsageBehaviors; readonly week: UsageBehaviors } | null;
}

/** A limit over a window of time. */
export interface RateLimitWindow {
  readonly utilization: number | null;
  /** ISO 8601. */
  readonly resets_at: string | null;
}

/** What used up the limits. */
export interface UsageBehaviors {
  readonly request_count: number;
  readonly session_count: number;
  readonly behaviors: {
    readonly key: OpenString<
      | "cache_miss"
      | "long_context"
      | "subagent_heavy"
      | "high_parallel"
      | "cron"
      | "max_effort"
      | "workflow"
      | "always_on_context"
      | "large_tool_results"
    >;
    readonly pct: number;
    readonly count: number;
  }[];
  readonly recommendations?: {
    readonly key: string;
    readonly pct: number;
    readonly title: string;
    readonly detail?: string;
  }[];
  readonly fix?: { readonly keys: string[]; readonly messages: string[] };
  readonly agents: UsageShare[];
  readonly skills: UsageShare[];
  readonly plugins: UsageShare[];
  readonly mcp_servers: UsageShare[];
}

/** A share of the use, in percent. */
export interface UsageShare {
  readonly name: string;
  readonly pct: number;
}

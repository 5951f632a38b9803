import type { OpenString } from "./open.ts";

/**
 * Tokens of one API response, as the API counts them.
 *
 * On assistant messages it is what the API sent with the beginning of the response, so `output_tokens` is not final there.
 * Gateways leave members out or set them to null.
 */
export interface ApiUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: CacheCreationUsage | null;
  readonly output_tokens_details?: { readonly thinking_tokens?: number | null } | null;
  readonly server_tool_use?: ServerToolUsage | null;
  readonly service_tier?: OpenString<"standard" | "priority" | "batch"> | null;
  readonly inference_geo?: string | null;
  readonly speed?: OpenString<"standard" | "fast"> | null;
  readonly iterations?: unknown;
  readonly fallback_credit?: unknown;
}

/** Tokens written to the prompt cache, by their time to live. */
export interface CacheCreationUsage {
  readonly ephemeral_1h_input_tokens: number;
  readonly ephemeral_5m_input_tokens: number;
}

/** Calls of tools that the API runs itself. */
export interface ServerToolUsage {
  readonly web_search_requests: number;
  readonly web_fetch_requests: number;
}

/**
 * Tokens of one turn's main loop. Subagents, compaction and helper calls are not in it, and it is unreliable on error results;
 * see {@link ModelUsage} for the whole. [verified on CLI 2.1.328]
 */
export interface TurnUsage extends ApiUsage {
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation: CacheCreationUsage;
  readonly server_tool_use: ServerToolUsage;
  readonly service_tier: OpenString<"standard" | "priority" | "batch">;
}

/**
 * What one model used since the process began, all calls included: subagents, compaction, helpers.
 *
 * A running total, never to be summed over results. A resumed session begins with the totals of its earlier processes, a
 * conversation reset begins at zero again. [verified on CLI 2.1.328]
 */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thinkingTokens?: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheCreationEphemeral5mInputTokens?: number;
  readonly cacheCreationEphemeral1hInputTokens?: number;
  readonly webSearchRequests: number;
  /** US dollars. The CLI's own estimate from its price list, no bill. */
  readonly costUSD: number;
  /** Size of the model's context window, in tokens. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** The model's public id where the key is an alias or a provider's name for it. */
  readonly canonicalModel?: string;
  readonly provider?: string;
  /** Where the prices came from. */
  readonly costBasis?: OpenString<"list" | "managed" | "unknown">;
}

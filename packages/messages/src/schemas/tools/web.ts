import type { WebFetchInput, WebFetchOutput, WebSearchHits, WebSearchInput, WebSearchOutput } from "@reins/messages";
import * as z from "zod";
import { loose } from "../pinned.ts";

/** Schema of {@link WebFetchInput}. */
export const webFetchInputSchema: z.ZodType<WebFetchInput> = loose({
  url: z.string(),
  prompt: z.string(),
  offset: z.number().exactOptional(),
});

/** Schema of {@link WebFetchOutput}. */
export const webFetchOutputSchema: z.ZodType<WebFetchOutput> = loose({
  url: z.string(),
  bytes: z.number(),
  code: z.number(),
  codeText: z.string(),
  result: z.string(),
  durationMs: z.number(),
  artifactRead: z
    .looseObject({ slug: z.string(), ver: z.string().exactOptional(), seeded: z.literal(false).exactOptional() })
    .exactOptional(),
});

/** Schema of {@link WebSearchInput}. */
export const webSearchInputSchema: z.ZodType<WebSearchInput> = loose({
  query: z.string(),
  allowed_domains: z.array(z.string()).exactOptional(),
  blocked_domains: z.array(z.string()).exactOptional(),
});

/** Schema of {@link WebSearchHits}. */
export const webSearchHitsSchema: z.ZodType<WebSearchHits> = loose({
  tool_use_id: z.string(),
  content: z.array(z.looseObject({ title: z.string(), url: z.string(), snippet: z.string().exactOptional() })),
});

/** Schema of {@link WebSearchOutput}. */
export const webSearchOutputSchema: z.ZodType<WebSearchOutput> = loose({
  query: z.string(),
  results: z.array(z.union([webSearchHitsSchema, z.string()])),
  durationSeconds: z.number(),
  searchCount: z.number().exactOptional(),
});

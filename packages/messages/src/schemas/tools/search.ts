import type {
  GlobInput,
  GlobOutput,
  GrepInput,
  GrepMode,
  GrepOutput,
  ToolSearchInput,
  ToolSearchOutput,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose, pinned } from "../pinned.ts";

/** Schema of {@link GlobInput}. */
export const globInputSchema: z.ZodType<GlobInput> = loose({ pattern: z.string(), path: z.string().exactOptional() });

/** Schema of {@link GlobOutput}. */
export const globOutputSchema: z.ZodType<GlobOutput> = loose({
  durationMs: z.number(),
  numFiles: z.number(),
  filenames: z.array(z.string()),
  truncated: z.boolean(),
  totalMatches: z.number().exactOptional(),
  countIsComplete: z.boolean().exactOptional(),
  timedOut: z.boolean().exactOptional(),
});

/** Schema of {@link GrepMode}. */
export const grepModeSchema: z.ZodType<GrepMode> = pinned(open("content", "files_with_matches", "count"));

/** Schema of {@link GrepInput}. */
export const grepInputSchema: z.ZodType<GrepInput> = loose({
  pattern: z.string(),
  path: z.string().exactOptional(),
  glob: z.string().exactOptional(),
  type: z.string().exactOptional(),
  output_mode: grepModeSchema.exactOptional(),
  "-A": z.number().exactOptional(),
  "-B": z.number().exactOptional(),
  "-C": z.number().exactOptional(),
  context: z.number().exactOptional(),
  "-n": z.boolean().exactOptional(),
  "-i": z.boolean().exactOptional(),
  "-o": z.boolean().exactOptional(),
  head_limit: z.number().exactOptional(),
  offset: z.number().exactOptional(),
  multiline: z.boolean().exactOptional(),
});

/** Schema of {@link GrepOutput}. */
export const grepOutputSchema: z.ZodType<GrepOutput> = loose({
  mode: grepModeSchema.exactOptional(),
  numFiles: z.number(),
  filenames: z.array(z.string()),
  content: z.string().exactOptional(),
  numLines: z.number().exactOptional(),
  numMatches: z.number().exactOptional(),
  totalFiles: z.number().exactOptional(),
  totalLines: z.number().exactOptional(),
  appliedLimit: z.number().exactOptional(),
  appliedOffset: z.number().exactOptional(),
  timedOut: z.boolean().exactOptional(),
});

/** Schema of {@link ToolSearchInput}. */
export const toolSearchInputSchema: z.ZodType<ToolSearchInput> = loose({
  query: z.string(),
  max_results: z.number().exactOptional(),
});

/** Schema of {@link ToolSearchOutput}. */
export const toolSearchOutputSchema: z.ZodType<ToolSearchOutput> = loose({
  matches: z.array(z.string()),
  query: z.string(),
  total_deferred_tools: z.number(),
});

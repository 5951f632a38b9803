import type { CompactBoundaryMessage, CompactMetadata } from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";
import { system } from "./system-base.ts";

/** Schema of {@link CompactMetadata}. */
export const compactMetadataSchema: z.ZodType<CompactMetadata> = loose({
  trigger: open("manual", "auto"),
  pre_tokens: z.number(),
  post_tokens: z.number().exactOptional(),
  duration_ms: z.number().exactOptional(),
  preserved_segment: z
    .looseObject({ head_uuid: z.string(), anchor_uuid: z.string(), tail_uuid: z.string() })
    .exactOptional(),
  preserved_messages: z
    .looseObject({
      anchor_uuid: z.string(),
      uuids: z.array(z.string()),
      all_uuids: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  cumulative_dropped_tokens: z.number().exactOptional(),
});

/** Schema of {@link CompactBoundaryMessage}. */
export const compactBoundaryMessageSchema: z.ZodType<CompactBoundaryMessage> = system("compact_boundary", {
  compact_metadata: compactMetadataSchema,
  logical_parent_uuid: z.string().nullable().exactOptional(),
  historical: z.boolean().exactOptional(),
});

import type { OpenString } from "../open.ts";
import type { SystemBase } from "./system-base.ts";

/** The conversation was compacted. The summary follows as a user message with `isSynthetic`. [verified on CLI 2.1.328] */
export interface CompactBoundaryMessage extends SystemBase {
  readonly subtype: "compact_boundary";
  readonly compact_metadata: CompactMetadata;
  /** Internal. */
  readonly logical_parent_uuid?: string | null;
  /** Internal: the message is older than the process. */
  readonly historical?: boolean;
}

/** What a compaction did. Counts are tokens. */
export interface CompactMetadata {
  readonly trigger: OpenString<"manual" | "auto">;
  readonly pre_tokens: number;
  readonly post_tokens?: number;
  readonly duration_ms?: number;
  readonly preserved_segment?: {
    readonly head_uuid: string;
    readonly anchor_uuid: string;
    readonly tail_uuid: string;
  };
  /** Messages that were kept as they are, such as the prompt that waited. */
  readonly preserved_messages?: {
    readonly anchor_uuid: string;
    readonly uuids: string[];
    readonly all_uuids?: string[];
  };
  /** Internal. */
  readonly cumulative_dropped_tokens?: number;
}

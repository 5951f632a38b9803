import type {
  BashCommandFrame,
  HostBlock,
  HostUserContent,
  KeepAliveFrame,
  TranscriptMirrorFrame,
  UpdateEnvironmentVariablesFrame,
  UserFrame,
} from "@reins/messages";
import * as z from "zod";
import { contentBlockSchema } from "./content-blocks.ts";
import { messageOriginSchema } from "./origin.ts";
import { loose, pinned } from "./pinned.ts";
import { transcriptEntrySchema } from "./session.ts";

/** Schema of {@link HostBlock}. */
export const hostBlockSchema: z.ZodType<HostBlock> = pinned(
  z.union([contentBlockSchema, z.looseObject({ type: z.string() })]),
);

/** Schema of {@link HostUserContent}. */
export const hostUserContentSchema: z.ZodType<HostUserContent> = loose({
  role: z.literal("user"),
  content: z.union([z.string(), z.array(hostBlockSchema)]),
});

/** Schema of {@link UserFrame}. */
export const userFrameSchema: z.ZodType<UserFrame> = loose({
  type: z.literal("user"),
  message: hostUserContentSchema,
  parent_tool_use_id: z.string().nullable().optional(),
  session_id: z.string().optional(),
  uuid: z.string().optional(),
  priority: z.enum(["now", "next", "later"]).optional(),
  shouldQuery: z.boolean().optional(),
  client_composed: z.literal(true).optional(),
  isSynthetic: z.boolean().optional(),
  origin: messageOriginSchema.optional(),
  pasted_content: z.array(z.union([z.string(), z.array(hostBlockSchema)])).optional(),
  inline_pastes: z.array(z.string()).optional(),
  tool_use_result: z.unknown().exactOptional(),
  timestamp: z.string().optional(),
});

/** Schema of {@link BashCommandFrame}. */
export const bashCommandFrameSchema: z.ZodType<BashCommandFrame> = loose({
  type: z.literal("bash_command"),
  command: z.string(),
  cwd: z.string().optional(),
  uuid: z.string().optional(),
});

/** Schema of {@link UpdateEnvironmentVariablesFrame}. */
export const updateEnvironmentVariablesFrameSchema: z.ZodType<UpdateEnvironmentVariablesFrame> = loose({
  type: z.literal("update_environment_variables"),
  variables: z.record(z.string(), z.string()),
  request_id: z.string().optional(),
});

/** Schema of {@link KeepAliveFrame}. */
export const keepAliveFrameSchema: z.ZodType<KeepAliveFrame> = loose({
  type: z.literal("keep_alive"),
  startup_mark: z.string().exactOptional(),
});

/** Schema of {@link TranscriptMirrorFrame}. */
export const transcriptMirrorFrameSchema: z.ZodType<TranscriptMirrorFrame> = loose({
  type: z.literal("transcript_mirror"),
  filePath: z.string(),
  entries: z.array(transcriptEntrySchema),
});

import type { HookInputBase, ToolHookInputBase } from "@reins/messages";
import * as z from "zod";
import type { Shape } from "../agree.ts";
import { mcpServerProvenanceSchema } from "../permissions.ts";
import { shape } from "../pinned.ts";

/** Fields of {@link HookInputBase}. */
export const hookInputBase: Shape<HookInputBase> = shape({
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  prompt_id: z.string().exactOptional(),
  permission_mode: z.string().exactOptional(),
  effort: z.looseObject({ level: z.string() }).exactOptional(),
  agent_id: z.string().exactOptional(),
  agent_type: z.string().exactOptional(),
});

/** Fields of {@link ToolHookInputBase}. */
export const toolHookInputBase: Shape<ToolHookInputBase> = shape({
  ...hookInputBase,
  tool_name: z.string(),
  tool_input: z.unknown(),
  mcp_server: mcpServerProvenanceSchema.exactOptional(),
});

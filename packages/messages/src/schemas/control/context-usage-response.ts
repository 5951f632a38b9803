import type {
  ContextAgent,
  ContextGridSquare,
  ContextMcpTool,
  ContextMessageBreakdown,
  ContextSkill,
  ContextUsageResponse,
  ContextUsageResponseCategory,
} from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";

/** Schema of {@link ContextUsageResponseCategory}. */
export const contextUsageResponseCategorySchema: z.ZodType<ContextUsageResponseCategory> = loose({
  id: open(
    "system_prompt",
    "system_tools",
    "mcp_tools",
    "mcp_instructions",
    "mcp_tools_deferred",
    "system_tools_deferred",
    "custom_agents",
    "memory_files",
    "skills",
    "messages",
    "autocompact_buffer",
    "compact_buffer",
    "free_space",
  ).exactOptional(),
  name: z.string(),
  tokens: z.number(),
  color: z.string(),
  isDeferred: z.boolean().exactOptional(),
  kind: open("used", "free", "buffer", "deferred"),
});

/** Schema of {@link ContextGridSquare}. */
export const contextGridSquareSchema: z.ZodType<ContextGridSquare> = loose({
  color: z.string(),
  isFilled: z.boolean(),
  categoryName: z.string(),
  tokens: z.number(),
  percentage: z.number(),
  squareFullness: z.number(),
});

/** Schema of {@link ContextMcpTool}. */
export const contextMcpToolSchema: z.ZodType<ContextMcpTool> = loose({
  name: z.string(),
  serverName: z.string(),
  tokens: z.number(),
  isLoaded: z.boolean().exactOptional(),
});

/** Schema of {@link ContextAgent}. */
export const contextAgentSchema: z.ZodType<ContextAgent> = loose({
  agentType: z.string(),
  source: z.string(),
  pluginId: z.string().exactOptional(),
  path: z.string().exactOptional(),
  tokens: z.number(),
});

/** Schema of {@link ContextSkill}. */
export const contextSkillSchema: z.ZodType<ContextSkill> = loose({
  name: z.string(),
  source: z.string(),
  pluginName: z.string().exactOptional(),
  pluginId: z.string().exactOptional(),
  path: z.string().exactOptional(),
  tokens: z.number(),
});

/** Schema of {@link ContextMessageBreakdown}. */
export const contextMessageBreakdownSchema: z.ZodType<ContextMessageBreakdown> = loose({
  toolCallTokens: z.number(),
  toolResultTokens: z.number(),
  attachmentTokens: z.number(),
  assistantMessageTokens: z.number(),
  userMessageTokens: z.number(),
  redirectedContextTokens: z.number(),
  unattributedTokens: z.number(),
  toolCallsByType: z.array(z.looseObject({ name: z.string(), callTokens: z.number(), resultTokens: z.number() })),
  attachmentsByType: z.array(z.looseObject({ name: z.string(), tokens: z.number() })),
});

/** Schema of {@link ContextUsageResponse}. */
export const contextUsageResponseSchema: z.ZodType<ContextUsageResponse> = loose({
  categories: z.array(contextUsageResponseCategorySchema),
  totalTokens: z.number(),
  maxTokens: z.number(),
  rawMaxTokens: z.number(),
  percentage: z.number(),
  autocompactSource: z.string().exactOptional(),
  gridRows: z.array(z.array(contextGridSquareSchema)),
  model: z.string(),
  memoryFiles: z.array(z.looseObject({ path: z.string(), type: z.string(), tokens: z.number() })),
  mcpTools: z.array(contextMcpToolSchema),
  mcpInstructions: z.array(z.looseObject({ serverName: z.string(), tokens: z.number() })).exactOptional(),
  deferredBuiltinTools: z
    .array(z.looseObject({ name: z.string(), tokens: z.number(), isLoaded: z.boolean() }))
    .exactOptional(),
  systemTools: z.array(z.looseObject({ name: z.string(), tokens: z.number() })).exactOptional(),
  systemPromptSections: z.array(z.looseObject({ name: z.string(), tokens: z.number() })).exactOptional(),
  agents: z.array(contextAgentSchema),
  slashCommands: z
    .looseObject({ totalCommands: z.number(), includedCommands: z.number(), tokens: z.number() })
    .exactOptional(),
  skills: z
    .looseObject({
      totalSkills: z.number(),
      includedSkills: z.number(),
      tokens: z.number(),
      skillFrontmatter: z.array(contextSkillSchema),
    })
    .exactOptional(),
  autoCompactThreshold: z.number().exactOptional(),
  isAutoCompactEnabled: z.boolean(),
  messageBreakdown: contextMessageBreakdownSchema.exactOptional(),
  apiUsage: z
    .looseObject({
      input_tokens: z.number(),
      output_tokens: z.number(),
      cache_creation_input_tokens: z.number(),
      cache_read_input_tokens: z.number(),
    })
    .nullable(),
});

import type { AgentDefinition } from "@reins/messages";
import * as z from "zod";
import { mcpServerConfigSchema } from "./mcp.ts";
import { permissionModeSchema } from "./permissions.ts";
import { loose } from "./pinned.ts";
import { effortLevelSchema } from "./system/init.ts";

/** Schema of {@link AgentDefinition}. */
export const agentDefinitionSchema: z.ZodType<AgentDefinition> = loose({
  description: z.string(),
  prompt: z.string(),
  tools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()).optional(),
  model: z.string().optional(),
  mcpServers: z.array(z.union([z.string(), z.record(z.string(), mcpServerConfigSchema)])).optional(),
  skills: z.array(z.string()).optional(),
  initialPrompt: z.string().optional(),
  maxTurns: z.number().optional(),
  autoCompactWindow: z.number().optional(),
  background: z.boolean().optional(),
  omitClaudeMd: z.boolean().optional(),
  memory: z.enum(["user", "project", "local"]).optional(),
  effort: z.union([effortLevelSchema, z.number()]).optional(),
  permissionMode: permissionModeSchema.optional(),
  observer: z.string().optional(),
  observerMessage: z.string().optional(),
  criticalSystemReminder_EXPERIMENTAL: z.string().optional(),
});

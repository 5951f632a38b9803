import type { AccountInfo, AgentInfo, ModelInfo, SlashCommand } from "@reins/messages";
import * as z from "zod";
import { open } from "../open.ts";
import { loose } from "../pinned.ts";
import { effortLevelSchema } from "../system/init.ts";

/** Schema of {@link SlashCommand}. */
export const slashCommandSchema: z.ZodType<SlashCommand> = loose({
  name: z.string(),
  description: z.string(),
  argumentHint: z.string(),
  aliases: z.array(z.string()).exactOptional(),
  builtin: z.boolean().exactOptional(),
});

/** Schema of {@link AgentInfo}. */
export const agentInfoSchema: z.ZodType<AgentInfo> = loose({
  name: z.string(),
  description: z.string(),
  model: z.string().exactOptional(),
});

/** Schema of {@link ModelInfo}. */
export const modelInfoSchema: z.ZodType<ModelInfo> = loose({
  value: z.string(),
  resolvedModel: z.string().exactOptional(),
  displayName: z.string(),
  description: z.string(),
  supportsEffort: z.boolean().exactOptional(),
  supportedEffortLevels: z.array(effortLevelSchema).exactOptional(),
  supportsAdaptiveThinking: z.boolean().exactOptional(),
  supportsFastMode: z.boolean().exactOptional(),
  supportsAutoMode: z.boolean().exactOptional(),
  supportsThinkingOff: z.boolean().exactOptional(),
});

/** Schema of {@link AccountInfo}. */
export const accountInfoSchema: z.ZodType<AccountInfo> = loose({
  email: z.string().exactOptional(),
  organization: z.string().exactOptional(),
  subscriptionType: z.string().exactOptional(),
  tokenSource: z.string().exactOptional(),
  apiKeySource: z.string().exactOptional(),
  apiProvider: open(
    "firstParty",
    "bedrock",
    "vertex",
    "foundry",
    "anthropicAws",
    "anthropicGoogleCloud",
    "mantle",
    "gateway",
  ).exactOptional(),
});

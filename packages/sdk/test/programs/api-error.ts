import { query } from "@anthropic-ai/claude-agent-sdk";
import { apiError, type ModelScript } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = () => apiError(400, { message: "bad thing" });

export async function run({ options }: Place): Promise<unknown> {
  return record(query({ prompt: "Fail.", options }));
}

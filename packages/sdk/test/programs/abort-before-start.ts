import { AbortError, query } from "@anthropic-ai/claude-agent-sdk";
import type { ModelScript } from "@reins/testkit";
import type { Place } from "./program.ts";

export const model: ModelScript = [];

export async function run({ options }: Place): Promise<unknown> {
  const abortController = new AbortController();
  abortController.abort();
  try {
    for await (const _ of query({ prompt: "Never.", options: { ...options, abortController } }));
    return "ended";
  } catch (error) {
    return { isAbort: error instanceof AbortError };
  }
}

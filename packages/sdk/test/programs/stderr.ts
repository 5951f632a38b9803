import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = [text("Hello.")];

export async function run({ options }: Place): Promise<unknown> {
  let told = "";
  const seen = await record(
    query({
      prompt: "Say hello.",
      options: { ...options, extraArgs: { "debug-to-stderr": null }, debug: true, stderr: (data) => (told += data) },
    }),
  );
  return { ...seen, isTold: told.length > 0 };
}

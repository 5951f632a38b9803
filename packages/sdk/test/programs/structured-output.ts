import { query } from "@anthropic-ai/claude-agent-sdk";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { type Place, record } from "./program.ts";

export const model: ModelScript = ({ toolResults: [result] }) =>
  result ? text("Done.") : toolUse("StructuredOutput", { total: 42 });

export async function run({ options }: Place): Promise<unknown> {
  const schema = {
    type: "object",
    properties: { total: { type: "number" } },
    required: ["total"],
    additionalProperties: false,
  };
  return record(query({ prompt: "Add up.", options: { ...options, outputFormat: { type: "json_schema", schema } } }));
}

import type { ToolUseBlock } from "../content-blocks.ts";
import { isRecord } from "../record.ts";
import type { UserMessage, UserReplayMessage } from "../user.ts";
import type { ToolInputs, ToolName, ToolOutputs } from "./tool-map.ts";

/**
 * Gives the input of a tool use with the type of the tool; undefined when another tool is used, or when the model's input was no JSON.
 *
 * The values are the model's, so check before you trust one: the CLI itself refuses what does not fit only when the tool is to run.
 *
 * @param name The tool's name. `Agent` also finds uses under the name `Task`, and `TaskStop` those under `KillShell` and `KillBash`.
 * @example
 * for (const block of toolUses(message)) console.log(toolInput("Bash", block)?.command);
 */
export function toolInput<Name extends ToolName>(name: Name, block: ToolUseBlock): ToolInputs[Name] | undefined {
  if (block.name !== name && aliases(name).every((alias) => alias !== block.name)) return undefined;
  if (!isRecord(block.input) || Object.hasOwn(block.input, "__unparsedToolInput")) return undefined;
  // The model was asked for this type; see above for what that is worth.
  return block.input as ToolInputs[Name];
}

/**
 * Gives what a tool gave, with the type of the tool; undefined when the tool failed, and on messages of subagents, which lack it.
 *
 * A message does not name the tool: find its name by the `tool_use_id` of the result.
 *
 * @param name The name of the tool whose result the message brings.
 */
export function toolOutput<Name extends ToolName>(
  name: Name,
  message: UserMessage | UserReplayMessage,
): ToolOutputs[Name] | undefined;
export function toolOutput(_name: ToolName, message: UserMessage | UserReplayMessage): unknown {
  const output = message.tool_use_result;
  // Failures are told in a text.
  return typeof output === "object" && output !== null ? output : undefined;
}

function aliases(name: ToolName): readonly string[] {
  if (name === "Agent") return ["Task"];
  return name === "TaskStop" ? ["KillShell", "KillBash"] : [];
}

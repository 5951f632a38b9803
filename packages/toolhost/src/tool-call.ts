import type { ToolContext } from "./call-context.ts";
import { textOfThrown, toCallToolResult } from "./handler-result.ts";
import { isRecord } from "./json.ts";
import type { RegisteredTool } from "./registration.ts";
import type { RunningRequest } from "./running-requests.ts";
import type { StandardIssue } from "./standard-schema.ts";
import { type CallToolResult, toolResult } from "./tool-result.ts";

/** Runs a tool and gives its result, whatever it does. Never rejects. */
export async function runTool(
  tool: RegisteredTool,
  given: unknown,
  context: ToolContext,
  request: RunningRequest,
): Promise<CallToolResult> {
  try {
    const input = given ?? {};
    if (!isRecord(input)) return argumentsError(tool, [{ message: "expected an object" }]);
    // The CLI does not check arguments (verified against 2.1.328).
    const checked = await tool.input.validate(input);
    if (checked.issues !== undefined) return argumentsError(tool, checked.issues);
    // What is given up while its arguments are looked at does not begin.
    if (!request.isOpen) return toolResult.error("The call was cancelled.");
    const { handler } = tool;
    return toCallToolResult(await handler(checked.value, context));
  } catch (error) {
    return toolResult.error(textOfThrown(error));
  }
}

function argumentsError(tool: RegisteredTool, issues: readonly StandardIssue[]): CallToolResult {
  return toolResult.error(`Invalid arguments for tool ${tool.listing.name}: ${issues.map(describeIssue).join("; ")}`);
}

function describeIssue({ path = [], message }: StandardIssue): string {
  const keys = path.map((segment) => String(typeof segment === "object" ? segment.key : segment));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}

import { ReinsError } from "@reins/streamjson";

/** A tool or a server cannot be registered as it is. The message says what the rule is. */
export class ToolDefinitionError extends ReinsError {
  readonly code = "REINS_TOOL_DEFINITION" as const;
  /** Name of the tool, or of the server where the problem is not with a tool. */
  readonly definition: string;

  constructor(definition: string, problem: string, cause?: unknown) {
    super(`${JSON.stringify(definition)} ${problem}`, cause === undefined ? undefined : { cause });
    this.definition = definition;
  }

  override get name(): string {
    return "ToolDefinitionError";
  }
}

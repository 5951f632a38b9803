import { expect, expectTypeOf, test } from "vitest";
import type { ToolUseBlock } from "../content-blocks.ts";
import type { UserMessage } from "../user.ts";
import type { ReadImageOutput } from "./files.ts";
import type { BashInput, BashOutput } from "./shell.ts";
import { toolInput, toolOutput } from "./tool-input.ts";
import type { ToolInputs, ToolName, ToolOutputs } from "./tool-map.ts";

function use(name: string, input: Readonly<Record<string, unknown>>): ToolUseBlock {
  return { type: "tool_use", id: "t1", name, input };
}

function bringing(tool_use_result: unknown): UserMessage {
  return {
    type: "user",
    message: { role: "user", content: [] },
    parent_tool_use_id: null,
    tool_use_result,
    uuid: "u",
    session_id: "s",
  };
}

test("gives the input of the named tool, and nothing for another tool", () => {
  const input = { command: "ls" };
  expect(toolInput("Bash", use("Bash", input))).toBe(input);
  expect(toolInput("Bash", use("Read", input))).toBeUndefined();
  expect(toolInput("Bash", use("Task", input))).toBeUndefined();
  expect(toolInput("Agent", use("Task", input))).toBe(input);
  expect(toolInput("TaskStop", use("KillShell", input))).toBe(input);
});

test("gives nothing for an input that was no JSON", () => {
  expect(toolInput("Bash", use("Bash", { __unparsedToolInput: { raw: "{", len: 1 } }))).toBeUndefined();
});

test("gives what a tool gave, and nothing for the text of a failure", () => {
  const output = { stdout: "a", stderr: "", interrupted: false };
  expect(toolOutput("Bash", bringing(output))).toBe(output);
  expect(toolOutput("Bash", bringing("Error: Exit code 3"))).toBeUndefined();
  expect(toolOutput("Bash", bringing(undefined))).toBeUndefined();
});

test("inputs and outputs have the tool's types", () => {
  expectTypeOf(toolInput("Bash", use("Bash", {}))).toEqualTypeOf<BashInput | undefined>();
  expectTypeOf(toolOutput("Bash", bringing(undefined))).toEqualTypeOf<BashOutput | undefined>();
  expectTypeOf<keyof ToolOutputs>().toEqualTypeOf<ToolName>();
  expectTypeOf<ToolInputs[ToolName]>().not.toBeAny();
  (output: ToolOutputs["Read"]): void => {
    if (output.type === "image") expectTypeOf(output).toEqualTypeOf<ReadImageOutput>();
  };
  // @ts-expect-error: no such tool
  toolInput("bash", use("Bash", {}));
});

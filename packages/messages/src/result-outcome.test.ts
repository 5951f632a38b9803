import { expect, test } from "vitest";
import type { ResultErrorMessage, ResultMessage, ResultSuccessMessage } from "./result.ts";
import { isStartupFailure, resultOutcome } from "./result-outcome.ts";

const common = {
  type: "result",
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
  },
  modelUsage: {},
  permission_denials: [],
  uuid: "u",
  session_id: "s",
} as const;

function success(fields: Partial<ResultSuccessMessage> = {}): ResultMessage {
  return {
    ...common,
    permission_denials: [],
    subtype: "success",
    is_error: false,
    result: "",
    terminal_reason: "completed",
    ...fields,
  };
}

function failure(subtype: ResultErrorMessage["subtype"], fields: Partial<ResultErrorMessage> = {}): ResultMessage {
  return { ...common, permission_denials: [], subtype, is_error: true, errors: [], ...fields };
}

/** The result without its terminal reason, as the CLI writes it where no model ran. */
function zeroed({ terminal_reason: _, ...result }: ResultMessage): ResultMessage {
  return { ...result, num_turns: 0 } as ResultMessage;
}

test("an answer is completed, also an empty one and one of an older CLI", () => {
  expect(resultOutcome(success({ result: "4" }))).toEqual({
    kind: "completed",
    text: "4",
    structuredOutput: undefined,
  });
  expect(resultOutcome(success()).kind).toBe("completed");
  const { terminal_reason: _, ...older } = success({ result: "4" });
  expect(resultOutcome(older as ResultMessage).kind).toBe("completed");
  const structured_output = { a: 5 };
  expect(resultOutcome(success({ structured_output }))).toMatchObject({ structuredOutput: structured_output });
});

test("an API error is a failure although its subtype is success", () => {
  const fields = { is_error: true, result: "API Error: 529", api_error_status: 529, terminal_reason: "api_error" };
  expect(resultOutcome(success(fields))).toEqual({
    kind: "failed",
    text: "API Error: 529",
    reason: "api_error",
    apiErrorStatus: 529,
  });
  expect(resultOutcome(success({ ...fields, api_error_status: null }))).toMatchObject({ apiErrorStatus: undefined });
});

test("a prompt that a hook blocked is no empty success", () => {
  expect(resultOutcome(zeroed(success({ result: "Not allowed." })))).toEqual({
    kind: "prompt-blocked",
    text: "Not allowed.",
  });
});

test("a prompt that was only stored, and a local command, are told apart from an answer", () => {
  expect(resultOutcome(zeroed(success()))).toEqual({ kind: "prompt-stored", text: "" });
  expect(resultOutcome(zeroed(success({ local_command: "compact" })))).toEqual({
    kind: "local-command",
    text: "",
    command: "compact",
  });
});

test("a turn that a hook ended or put off is told apart from an answer", () => {
  expect(resultOutcome(success({ terminal_reason: "hook_stopped" })).kind).toBe("hook-stopped");
  expect(resultOutcome(success({ terminal_reason: "stop_hook_prevented", result: "a" }))).toMatchObject({
    kind: "hook-stopped",
    text: "a",
  });
  const toolUse = { id: "t1", name: "Bash", input: {} };
  expect(resultOutcome(success({ terminal_reason: "tool_deferred", deferred_tool_use: toolUse }))).toEqual({
    kind: "tool-deferred",
    text: "",
    toolUse,
  });
});

test("an interrupt is no failure, and shows nobody the CLI's diagnostic", () => {
  const errors = ["[ede_diagnostic] result_type=user"];
  expect(resultOutcome(failure("error_during_execution", { terminal_reason: "aborted_tools", errors }))).toEqual({
    kind: "interrupted",
    text: "",
    during: "tools",
  });
  const streaming = failure("error_during_execution", { terminal_reason: "aborted_streaming", errors });
  expect(resultOutcome(streaming)).toMatchObject({ kind: "interrupted", during: "streaming" });
});

test.each([
  ["error_max_turns", "turns"],
  ["error_max_budget_usd", "budget"],
  ["error_max_structured_output_retries", "structured-output-retries"],
] as const)("%s is a limit", (subtype, limit) => {
  expect(resultOutcome(failure(subtype, { errors: ["Reached it"] }))).toEqual({
    kind: "limit-reached",
    text: "Reached it",
    limit,
  });
});

test("a CLI that did not start is known by its reason or by its emptiness", () => {
  const result = zeroed(failure("error_during_execution", { errors: ["No conversation found"] }));
  expect(resultOutcome(result)).toEqual({ kind: "not-started", text: "No conversation found", reason: undefined });
  expect(isStartupFailure(result)).toBe(true);
  const named = failure("error_during_execution", { startup_failure_reason: "bypass_root" });
  expect(resultOutcome(named)).toMatchObject({ kind: "not-started", reason: "bypass_root" });
  expect(isStartupFailure(success())).toBe(false);
});

test("an error that is not known yet is a failure, never a success", () => {
  // Such a subtype cannot be written down within the types.
  const subtype = "error_of_tomorrow" as unknown as ResultErrorMessage["subtype"];
  expect(resultOutcome(failure(subtype, { errors: ["a", "b"] }))).toMatchObject({ kind: "failed", text: "a\nb" });
  expect(resultOutcome(failure(subtype, { is_error: false }))).toMatchObject({ kind: "failed" });
});

test("a result that a gateway left bare does not crash", () => {
  const bare = { type: "result", subtype: "success", is_error: true } as unknown as ResultMessage;
  expect(resultOutcome(bare)).toEqual({ kind: "failed", text: "", reason: undefined, apiErrorStatus: undefined });
  const error = { type: "result", subtype: "error_max_turns", is_error: true } as unknown as ResultMessage;
  expect(resultOutcome(error)).toMatchObject({ kind: "limit-reached", text: "" });
});

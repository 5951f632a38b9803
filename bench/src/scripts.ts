// What scripted CLIs of several rows have in common.

/** A small partial message. */
export const streamEvent = {
  type: "stream_event",
  event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello wor" } },
  session_id: "11111111-1111-4111-8111-111111111111",
  parent_tool_use_id: null,
  uuid: "00000000-0000-4000-8000-000000000001",
} as const;

/** The end of a turn. */
export const result = {
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 10,
  duration_api_ms: 5,
  num_turns: 1,
  result: "done",
  session_id: "11111111-1111-4111-8111-111111111111",
  total_cost_usd: 0.01,
  usage: { input_tokens: 10, output_tokens: 5 },
  modelUsage: {},
  permission_denials: [],
  uuid: "00000000-0000-4000-8000-000000000001",
} as const;

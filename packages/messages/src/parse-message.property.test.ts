import fc from "fast-check";
import { expect, test } from "vitest";
import { deltaOf } from "./delta-of.ts";
import { MessageParseError } from "./errors.ts";
import { isKnownMessage } from "./guards.ts";
import type { KnownMessage } from "./message.ts";
import { messageText, toolResultsById, toolUses } from "./message-content.ts";
import { parseMessage } from "./parse-message.ts";
import { resultOutcome } from "./result-outcome.ts";
import { toolInput, toolOutput } from "./tools/tool-input.ts";
import { UsageMeter } from "./usage-meter.ts";

const json = fc.jsonValue({ maxDepth: 3 });

function oddly(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const mostlyGood = Object.entries(fields).map(([name, good]) => [
    name,
    fc.oneof({ weight: 4, arbitrary: good }, json),
  ]);
  return fc.record(Object.fromEntries(mostlyGood), { requiredKeys: [] });
}

const usage = oddly({ input_tokens: fc.nat(), output_tokens: fc.nat() });
const block = oddly({
  type: fc.constantFrom("text", "tool_use", "tool_result", "new"),
  text: fc.string(),
  id: fc.string(),
  name: fc.constantFrom("Bash", "new"),
  input: fc.dictionary(fc.string(), json),
  content: fc.oneof(fc.string(), fc.array(json)),
});
const message = oddly({ id: fc.string(), content: fc.array(fc.oneof(block, json)), usage });
const frame = oddly({
  type: fc.constantFrom(
    ...["assistant", "user", "result", "system", "stream_event", "conversation_reset", "new"],
    ...["control_request", "control_response", "control_cancel_request", "keep_alive", "transcript_mirror"],
  ),
  subtype: fc.constantFrom("success", "error_during_execution", "init", "new"),
  message,
  event: oddly({
    type: fc.constantFrom("message_start", "content_block_delta", "message_delta", "new"),
    message,
    usage,
  }),
  request: oddly({ subtype: fc.string() }),
  response: oddly({ request_id: fc.string() }),
  is_error: fc.boolean(),
  errors: fc.array(fc.string()),
  terminal_reason: fc.constantFrom("completed", "api_error", "new"),
  num_turns: fc.nat(),
  modelUsage: fc.dictionary(fc.string(), oddly({ inputTokens: fc.nat() })),
  tool_use_result: json,
});

test("whatever comes is classified or refused with a MessageParseError, and never changed", () => {
  fc.assert(
    fc.property(frame, (value) => {
      const before = JSON.stringify(value);
      const known = parsed(value);
      if (known !== undefined) expect(isKnownMessage(value)).toBe(true);
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});

test("no helper stumbles over a message that was taken", () => {
  fc.assert(
    fc.property(fc.array(frame), (values) => {
      const meter = new UsageMeter();
      for (const known of values.map(parsed)) {
        if (known === undefined) continue;
        meter.observe(known);
        deltaOf(known);
        toolResultsById([known]);
        for (const use of toolUses(known)) toolInput("Bash", use);
        if (known.type === "assistant" || known.type === "user") expect(typeof messageText(known)).toBe("string");
        if (known.type === "user") toolOutput("Bash", known);
        if (known.type === "result") resultOutcome(known);
      }
      expect(meter.total).toBeDefined();
      expect(meter.live).toBeDefined();
    }),
  );
});

/** The message that a value is, if it is one. */
function parsed(value: object): KnownMessage | undefined {
  try {
    const result = parseMessage(value);
    expect(result.kind === "control" ? result.frame : result.message).toBe(value);
    return result.kind === "message" ? result.message : undefined;
  } catch (error) {
    if (error instanceof MessageParseError) return undefined;
    throw error;
  }
}

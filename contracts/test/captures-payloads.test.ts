import {
  hookInputSchemas,
  inboundRequestSchemas,
  outboundRequestSchemas,
  toolOutputSchemas,
} from "@reins/messages/schemas";
import { decodeFrame, type FrameValue } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { goldenFolder, readCaptures } from "../tools/capture-files.ts";
import { entriesOf, memberOf } from "./replay-entries.ts";

const captures = await readCaptures(goldenFolder);

/** What schemas of every kind have in common; the tables hold them by names of the wire. */
interface Schema {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly unknown[] } | undefined };
}

function problemsOf(schema: Schema | undefined, value: unknown): readonly unknown[] {
  return schema === undefined ? ["there is no schema for it"] : (schema.safeParse(value).error?.issues ?? []);
}

function schemaOf<Table extends object>(table: Table, name: unknown): Table[keyof Table] | undefined {
  // The name comes off the wire.
  return Object.hasOwn(table, String(name)) ? table[String(name) as keyof Table] : undefined;
}

describe.each(captures.map((capture) => [capture.name, capture] as const))("the capture %s", (_, capture) => {
  const entries = entriesOf(capture);
  const ofCli = (type: string): FrameValue[] =>
    entries.flatMap(({ dir, frame }) => (dir === "in" && frame.type === type ? [frame] : []));

  test("has requests of the CLI, and hook inputs in them, that fit their schemas", () => {
    for (const frame of ofCli("control_request")) {
      const request = memberOf(frame, "request");
      expect(problemsOf(schemaOf(inboundRequestSchemas, request["subtype"])?.request, request)).toEqual([]);

      if (request["subtype"] !== "hook_callback") continue;
      const input = Object(request["input"]);
      expect(problemsOf(schemaOf(hookInputSchemas, input.hook_event_name), input), input.hook_event_name).toEqual([]);
    }
  });

  test("has answers of the CLI that fit the schemas of what was asked", () => {
    const requests = new Map(
      entries
        .filter(({ dir, frame }) => dir === "out" && frame.type === "control_request")
        .map(({ frame }) => [frame["request_id"], memberOf(frame, "request")["subtype"]]),
    );
    for (const frame of ofCli("control_response")) {
      const { subtype, request_id, response = {} } = memberOf(frame, "response");
      const asked = requests.get(request_id);
      // With --replay-user-messages the host's own answers come back.
      if (subtype !== "success" || asked === undefined) continue;
      const problems = problemsOf(schemaOf(outboundRequestSchemas, asked)?.response, response);

      expect(problems, String(asked)).toEqual([]);
    }
  });

  test("has results of built-in tools that fit their schemas", () => {
    const tools = new Map<unknown, string>();
    for (const { text } of capture.lines) {
      const frame = decodeFrame(text);
      if (frame.error !== undefined) continue;
      const { content } = Object(frame.value["message"]);
      for (const block of Array.isArray(content) ? content : []) {
        if (block.type === "tool_use") tools.set(block.id, block.name);
        const output = frame.value["tool_use_result"];
        const schema = schemaOf(toolOutputSchemas, tools.get(block.tool_use_id));
        // The result of a call that failed is a text.
        if (block.type !== "tool_result" || schema === undefined || typeof output !== "object") continue;

        expect(problemsOf(schema, output), tools.get(block.tool_use_id)).toEqual([]);
      }
    }
  });
});

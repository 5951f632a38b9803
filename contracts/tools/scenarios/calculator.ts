import type { RecordingHost } from "../recording-host.ts";

/** What a served calculator does otherwise than a good server. */
export interface CalculatorFaults {
  /** Calls of the tool are left without an answer. */
  readonly neverAnswers?: boolean;
  /** Answers of calls, in order, in place of the sum: members of the JSON-RPC answer, or an error. */
  readonly answers?: readonly (Readonly<Record<string, unknown>> | Error)[];
}

/** Serves an in-process MCP server with the one tool `add`, whatever the name under which it was declared. */
export function serveCalculator(
  cli: RecordingHost,
  { neverAnswers = false, answers = [] }: CalculatorFaults = {},
): void {
  const left = [...answers];
  cli.serve("mcp_message", (request) => {
    const message = Object(request["message"]);
    const reply = (result: unknown): Readonly<Record<string, unknown>> => ({
      mcp_response: { jsonrpc: "2.0", id: message.id, result },
    });
    switch (message.method) {
      case "initialize":
        return reply({
          protocolVersion: message.params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "calc", version: "1.0.0" },
        });
      case "tools/list":
        return reply({ tools: [add] });
      case "tools/call": {
        if (neverAnswers) return undefined;
        const answer = left.shift();
        if (answer instanceof Error) return answer;
        if (answer !== undefined) return { mcp_response: { jsonrpc: "2.0", id: message.id, ...answer } };
        const { a, b } = message.params.arguments;
        return reply({ content: [{ type: "text", text: String(a + b) }] });
      }
      default:
        // A notification is confirmed with anything.
        return { mcp_response: { jsonrpc: "2.0", id: 0, result: {} } };
    }
  });
}

const add = {
  name: "add",
  description: "Adds two numbers",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
};

// What must work in every runtime, without a child: a session with a tool, and a message whose text holds what some readers take for the
// end of a line.
import { deepEqual, equal } from "node:assert/strict";
import { collect, createToolServer, query, tool } from "@reins/sdk";
import { MemorySessionStore } from "@reins/sessions";
import { decodeFrames, encodeFrame } from "@reins/streamjson";
import { scriptedCli } from "@reins/testkit/memory";
import { z } from "zod";

const odd = "a\u2028b\u2029c\u0085d\u{1f600}";
const uuid = "00000000-0000-4000-8000-000000000001";
const session_id = "11111111-1111-4111-8111-111111111111";

for await (const frame of decodeFrames(new Blob([encodeFrame({ type: "user", text: odd })]).stream())) {
  equal(frame.value.text, odd);
}

const call = {
  subtype: "mcp_message",
  server_name: "calc",
  message: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "add", arguments: { a: 2, b: 40 } } },
};
const content = [{ type: "text", text: odd }];
const cli = scriptedCli({
  steps: [
    { do: "init" },
    { do: "read", match: { type: "user" } },
    { do: "write", frame: { type: "control_request", request_id: "1", request: call } },
    { do: "read", match: { type: "control_response" }, as: "answer" },
    {
      do: "write",
      frame: {
        type: "assistant",
        message: { id: "m", role: "assistant", content },
        session_id,
        uuid,
        parent_tool_use_id: null,
      },
    },
    {
      do: "write",
      frame: {
        type: "result",
        subtype: "success",
        is_error: false,
        result: "{{answer.response.response.mcp_response.result.content.0.text}}",
        session_id,
        uuid,
      },
    },
    { do: "write", frame: { type: "system", subtype: "session_state_changed", state: "idle", session_id, uuid } },
    { do: "readEnd" },
  ],
});
const add = tool("add", "Adds.", { a: z.number(), b: z.number() }, ({ a, b }) => String(a + b));
const mcpServers = { calc: createToolServer({ name: "calc", tools: [add] }) };
const seen = [];
for await (const message of query({ prompt: odd, options: { transport: cli.transport, mcpServers } })) {
  if (message.type === "assistant") equal(message.message.content[0].text, odd);
  if (message.type === "result") seen.push(message.result);
}
deepEqual(seen, ["42"]);

const store = new MemorySessionStore();
const key = { projectKey: "-p", sessionId: session_id };
await store.append(key, [{ type: "user", uuid, text: odd }]);
deepEqual(await store.load(key), [{ type: "user", uuid, text: odd }]);
equal(typeof collect, "function");
console.log("ok");

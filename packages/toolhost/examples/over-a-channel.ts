import { createToolServer, type JsonRpcMessage, tool } from "@reins/toolhost";
import { z } from "zod";

const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, async ({ a, b }) => String(a + b));
const calc = createToolServer({ name: "calc", tools: [add] });

// One session with one client. Any channel that carries JSON will do: here, messages in a list.
const session = calc.connect();
const incoming: JsonRpcMessage[] = [
  { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: "2025-11-25" } },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "add", arguments: { a: 2, b: 40 } } },
  { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "add", arguments: { a: "2" } } },
];
for (const message of incoming) {
  const response = await session.handle(message);
  if (response !== undefined) console.log(JSON.stringify(response.result));
}
session.close();

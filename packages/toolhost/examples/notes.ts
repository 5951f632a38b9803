import { createToolServer, type JsonRpcMessage, tool, toolResult } from "@reins/toolhost";

const notes = new Map([["today", "Water the plants."]]);

const add = tool({
  name: "add",
  description: "Adds notes.",
  inputSchema: { type: "object", properties: { notes: { type: "object" } }, required: ["notes"] },
  handler: (input, { progress, log, signal }) => {
    const given = Object.entries(input["notes"] as object);
    for (const [index, [name, text]] of given.entries()) {
      signal.throwIfAborted();
      notes.set(name, String(text));
      progress(index + 1, given.length, name);
    }
    log(`${notes.size} notes`);
    return toolResult.content(["Added:", toolResult.json([...notes.keys()])]);
  },
});

const server = createToolServer({
  name: "notes",
  tools: [add],
  resources: [{ uri: "notes://today", name: "Today", read: () => notes.get("today") ?? "" }],
  prompts: [{ name: "plan", arguments: [{ name: "day" }], get: ({ day = "today" }) => `Plan ${day} from my notes.` }],
  onProgress: ({ tool, done, total }) => console.log(`${tool}: ${done} of ${total}`),
});

const session = server.connect((message) => console.log(message.method));
const ask = async (method: string, params: JsonRpcMessage["params"] = {}): Promise<void> => {
  const response = await session.handle({ jsonrpc: "2.0", id: method, method, params });
  console.log(JSON.stringify(response?.result ?? response?.error));
};
await ask("initialize");
await ask("tools/call", { name: "add", arguments: { notes: { tomorrow: "Feed the cat." } } });
await ask("resources/read", { uri: "notes://today" });
server.add(
  tool("clear", "Removes all notes.", undefined, () => {
    notes.clear();
    return "Cleared.";
  }),
);
await ask("tools/call", { name: "clear" });
session.close();

// The MCP server that scenarios start over stdio. Its tools are named after what they show.
import process from "node:process";

const tools = [
  { name: "rich", description: "Gives every kind of content", inputSchema: { type: "object", properties: {} } },
  { name: "fail", description: "Fails", inputSchema: { type: "object", properties: {} } },
  {
    name: "ask_user",
    description: "Asks the user",
    inputSchema: { type: "object", properties: { url: { type: "boolean" } } },
  },
];
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const form = {
  message: "What is your name?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name"],
  },
};
const link = { mode: "url", message: "Please sign in", url: "https://example.com/login", elicitationId: "el-1" };

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** What waits for an answer of the client, by the id of the request. */
const waiting = new Map();

function call(id, { name, arguments: input }) {
  const result = (fields) => send({ id, result: fields });
  const text = (value) => [{ type: "text", text: value }];
  switch (name) {
    case "rich":
      return result({
        content: [
          ...text("rich text"),
          { type: "image", data: image, mimeType: "image/png" },
          { type: "resource_link", uri: "file:///made.txt", name: "made.txt" },
        ],
        structuredContent: { answer: 42 },
      });
    case "fail":
      return result({ content: text("It failed."), isError: true });
    case "ask_user": {
      const question = `question-${id}`;
      waiting.set(question, (answer) => {
        if (input.url === true && answer.action === "accept") {
          send({ method: "notifications/elicitation/complete", params: { elicitationId: link.elicitationId } });
        }
        result({ content: text(JSON.stringify(answer)) });
      });
      return send({ id: question, method: "elicitation/create", params: input.url === true ? link : form });
    }
    default:
      return send({ id, error: { code: -32602, message: "There is no such tool." } });
  }
}

function handle({ id, method, params, result, error }) {
  if (method === undefined) {
    waiting.get(id)?.(result ?? { action: `error ${error.code}` });
  } else if (method === "initialize") {
    const { protocolVersion } = params;
    send({
      id,
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "ask", version: "1.0.0" } },
    });
  } else if (method === "tools/list") {
    send({ id, result: { tools } });
  } else if (method === "tools/call") {
    call(id, params);
  } else if (id !== undefined) {
    send({ id, result: {} });
  }
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) handle(JSON.parse(line));
});
process.stdin.on("end", () => process.exit());

import { text, toolUse } from "@reins/testkit";
import { asked, type Scenario } from "../scenario.ts";
import { serveCalculator } from "./calculator.ts";
import { stdioServerArgv, stdioServerConfig, stdioServerFile } from "./stdio-server.ts";

/** Tools over MCP: servers in the host's process and over stdio, and questions of theirs. */
export const mcp: readonly Scenario[] = [
  {
    name: "mcp-sdk-tool",
    shows: "an in-process server: handshake by mcp_message, can_use_tool with mcp_server, tools/call",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [toolUse("mcp__calc__add", { a: 2, b: 3 }), text("It is 5.")],
      async host(cli) {
        serveCalculator(cli);
        await cli.initialize({ sdkMcpServers: ["calc"] });
        await cli.asked("mcp_message", { message: { method: "tools/list" } });
        cli.prompt("Add 2 and 3");
        cli.allow(await cli.asked("can_use_tool"));
        await cli.result();
      },
    }),
  },
  {
    name: "mcp-sdk-manifest",
    shows: "a server that is declared with its manifest: it is spoken to only when its tool is called",
    argv: ["--setting-sources", "", "--tools", "", "--allowedTools", "mcp__calc__add"],
    play: () => ({
      model: [toolUse("mcp__calc__add", { a: 20, b: 3 }), text("It is 23.")],
      async host(cli) {
        serveCalculator(cli);
        await cli.initialize({
          sdkMcpServers: ["calc"],
          sdkMcpServerConfigs: { calc: { timeout: 5000 } },
          sdkMcpServerManifests: {
            calc: {
              initializeResult: {
                protocolVersion: "2025-11-25",
                capabilities: { tools: {} },
                serverInfo: { name: "calc", version: "1.0.0" },
              },
              tools: [
                { name: "add", description: "Adds two numbers", inputSchema: { type: "object", properties: {} } },
              ],
            },
          },
        });
        await cli.turn("Add 20 and 3");
      },
    }),
  },
  {
    name: "mcp-sdk-errors",
    shows: "calls of an in-process tool that give isError, an error response, and a JSON-RPC error",
    argv: ["--setting-sources", "", "--tools", "", "--allowedTools", "mcp__calc__add"],
    play: () => ({
      model: [add(), text("One."), add(), text("Two."), add(), text("Three.")],
      async host(cli) {
        const answers = [
          { result: { content: [{ type: "text", text: "It failed." }], isError: true } },
          new Error("The server is gone."),
          { error: { code: -32000, message: "It exploded." } },
        ];
        serveCalculator(cli, { answers });
        await cli.initialize({ sdkMcpServers: ["calc"] });
        await cli.asked("mcp_message", { message: { method: "tools/list" } });
        for (const prompt of ["First", "Second", "Third"]) await cli.turn(prompt);
      },
    }),
  },
  {
    name: "mcp-sdk-server-messages",
    shows:
      "an in-process server speaks up: progress, a log line, a ping, a question that is refused, and a changed list of tools",
    argv: ["--setting-sources", "", "--tools", "", "--allowedTools", "mcp__calc__add"],
    play: () => ({
      model: [add(), text("Finished.")],
      async host(cli) {
        const fromServer = (message: object): Promise<unknown> =>
          cli.request("mcp_message", { server_name: "calc", message: { jsonrpc: "2.0", ...message } });
        serveCalculator(cli, { neverAnswers: true });
        await cli.initialize({ sdkMcpServers: ["calc"] });
        await cli.asked("mcp_message", { message: { method: "tools/list" } });
        cli.prompt("Add 2 and 3");
        const call = await cli.asked("mcp_message", { message: { method: "tools/call" } });
        const progress = { progressToken: 2, progress: 1, total: 2, message: "half way" };
        await fromServer({ method: "notifications/progress", params: progress });
        await fromServer({ method: "notifications/message", params: { level: "info", data: "a log line" } });
        await fromServer({ id: "ping-1", method: "ping" });
        await cli.asked("mcp_message", { message: { id: "ping-1" } });
        const question = { message: "Name?", requestedSchema: { type: "object", properties: {} } };
        cli.sendRequest("mcp_message", {
          server_name: "calc",
          message: { jsonrpc: "2.0", id: "ask-1", method: "elicitation/create", params: question },
        });
        await cli.asked("mcp_message", { message: { id: "ask-1" } });
        cli.answer(call, {
          mcp_response: { jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "5" }] } },
        });
        await cli.result();
        await fromServer({ method: "notifications/tools/list_changed" });
        await cli.asked("mcp_message", { message: { method: "tools/list" } });
      },
    }),
  },
  {
    name: "mcp-stdio-results",
    shows: "a stdio server: content of every kind with structuredContent, and a call that fails",
    argv: ["--setting-sources", "", "--tools", "", ...stdioServerArgv()],
    files: stdioServerFile,
    play: () => ({
      model: [toolUse("mcp__ask__rich", {}), toolUse("mcp__ask__fail", {}), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Use your tools");
      },
    }),
  },
  {
    name: "mcp-status-and-servers",
    shows: "mcp_set_servers, mcp_status, mcp_toggle, mcp_reconnect and mcp_call on a stdio server",
    argv: ["--setting-sources", "", "--tools", ""],
    files: stdioServerFile,
    play: () => ({
      async host(cli) {
        const args = stdioServerConfig.args.map((arg) => arg.replace("{{cwd}}", cli.folders.cwd));
        await cli.initialize();
        await cli.request("mcp_set_servers", { servers: { ask: { type: "stdio", command: "node", args } } });
        await cli.request("mcp_status");
        await cli.request("mcp_call", { tool: "mcp__ask__rich", arguments: {} });
        await cli.request("mcp_call", { tool: "mcp__ask__missing" });
        await cli.request("mcp_toggle", { serverName: "ask", enabled: false });
        await cli.request("mcp_status");
        await cli.request("mcp_toggle", { serverName: "ask", enabled: true });
        await cli.request("mcp_reconnect", { serverName: "ask" });
        await cli.request("mcp_reconnect", { serverName: "missing" });
        await cli.request("mcp_set_servers", { servers: {} });
        await cli.request("mcp_status");
      },
    }),
  },
  {
    name: "elicitation-form",
    shows: "a form of a stdio server: accepted, declined, cancelled, refused by an error",
    argv: ["--setting-sources", "", "--tools", "", ...stdioServerArgv()],
    files: stdioServerFile,
    play: () => ({
      model: ["One.", "Two.", "Three.", "Four."].flatMap((answer) => [toolUse("mcp__ask__ask_user", {}), text(answer)]),
      async host(cli) {
        await cli.initialize();
        cli.prompt("Ask me");
        cli.answer(await cli.asked("elicitation"), { action: "accept", content: { name: "Ada", age: 36 } });
        await cli.result();
        for (const action of ["decline", "cancel"]) {
          cli.prompt("Ask me");
          cli.answer(await cli.asked("elicitation"), { action });
          await cli.result();
        }
        cli.prompt("Ask me");
        cli.refuse(await cli.asked("elicitation"), "Nobody is here.");
        await cli.result();
      },
    }),
  },
  {
    name: "elicitation-url",
    shows: "a link of a stdio server: accepted, then elicitation_complete",
    argv: ["--setting-sources", "", "--tools", "", ...stdioServerArgv()],
    files: stdioServerFile,
    play: () => ({
      model: [toolUse("mcp__ask__ask_user", { url: true }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Ask me");
        cli.answer(await cli.asked("elicitation"), { action: "accept" });
        await cli.result();
      },
    }),
  },
  {
    name: "elicitation-interrupted",
    shows: "an interrupt while a question is open: it is withdrawn",
    argv: ["--setting-sources", "", "--tools", "", ...stdioServerArgv()],
    files: stdioServerFile,
    play: () => ({
      model: [toolUse("mcp__ask__ask_user", {})],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Ask me");
        await cli.until(asked("elicitation"));
        await cli.request("interrupt");
        await cli.result();
      },
    }),
  },
  {
    name: "keep-alive",
    shows: "a control request that takes more than 30 s: keep_alive meanwhile",
    argv: ["--setting-sources", "", "--tools", "", ...stdioServerArgv()],
    files: stdioServerFile,
    play: () => ({
      async host(cli) {
        await cli.initialize();
        const call = cli.sendRequest("mcp_call", { tool: "mcp__ask__ask_user", arguments: {} });
        const question = await cli.asked("elicitation");
        await cli.until({ type: "keep_alive" }, 45_000);
        cli.answer(question, { action: "decline" });
        await cli.responseTo(call);
      },
    }),
  },
];

function add(): ReturnType<typeof toolUse> {
  return toolUse("mcp__calc__add", { a: 2, b: 3 });
}

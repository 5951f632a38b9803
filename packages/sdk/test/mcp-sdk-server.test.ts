import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createGate, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { z } from "zod";
import { type McpSdkServerConfig, type Message, OptionError, type Options, query } from "../src/index.ts";
import { realCli } from "./real-cli.ts";

// Servers of the MCP SDK in the shape in which users of the official SDK hand them over, with the real CLI.

function createFiles(): McpServer {
  const files = new McpServer({ name: "files", version: "1.0.0" });
  files.registerTool("read", { inputSchema: { path: z.string() } }, ({ path }) => ({
    content: [{ type: "text", text: `contents of ${path}` }],
  }));
  files.registerTool("wait", {}, () => new Promise(() => {}));
  return files;
}

async function resultOf(messages: AsyncIterable<Message>): Promise<unknown> {
  let result: unknown;
  for await (const message of messages) if (message.type === "result") result = message;
  return result;
}

test("a config with an McpServer works, again and again, and its timeout reaches the CLI", async () => {
  await using setup = await realCli(({ toolResults }) =>
    toolResults.length > 0
      ? text(toolResults.map((result) => result.text).join(" / "))
      : [toolUse("mcp__files__read", { path: "a" }), toolUse("mcp__files__wait", {})],
  );
  const files: McpSdkServerConfig = { type: "sdk", name: "other name", instance: createFiles(), timeout: 1000 };
  const options: Options = {
    ...setup.options,
    mcpServers: { files },
    allowedTools: ["mcp__files"],
  };
  for (const prompt of ["Go.", "Again."])
    expect(await resultOf(query({ prompt, options }))).toMatchObject({
      subtype: "success",
      result: expect.stringMatching(/^contents of a \/ MCP server "files" tool "wait" timed out after 1s/),
    });
});

test("an instance that is in a query already fails in the second one, which goes on without it", async () => {
  const gate = createGate();
  await using setup = await realCli(({ userText }) =>
    userText === "First." ? { content: text("Done."), hold: gate.opened } : text("Done."),
  );
  const options: Options = {
    ...setup.options,
    mcpServers: { files: { type: "sdk", name: "files", instance: createFiles() } },
  };
  const first = resultOf(query({ prompt: "First.", options }));
  await setup.model.waitForRequest(1);
  const errors: unknown[] = [];
  const second = query({
    prompt: "Second.",
    options: { ...options, onCallbackError: (error) => errors.push(error) },
  });
  let servers: unknown;
  for await (const message of second)
    if (message.type === "system" && message.subtype === "init") servers = message.mcp_servers;
  gate.open();
  expect(servers).toMatchObject([{ name: "files", status: "failed" }]);
  expect(errors[0]).toMatchObject({ name: "McpServerInUseError" });
  expect(await first).toMatchObject({ subtype: "success" });
});

test("an instance that is no server is refused at the call", () => {
  const mcpServers = { files: { type: "sdk" as const, name: "files", instance: {} as never } };
  const start = (): unknown => query({ prompt: "Go.", options: { mcpServers } });
  expect(start).toThrow(OptionError);
  expect(start).toThrow(/"files" whose instance is no server of the MCP SDK/);
});

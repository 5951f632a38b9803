import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { createSandbox, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { z } from "zod";
import { fromMcpServer } from "../src/index.ts";
import { startHost } from "./host.ts";

// A real McpServer in the process of the host, with the real CLI at the other end.

const argv = ["--tools=", "--allowedTools=mcp__files"];

/** A server that does what servers of the SDK do beside giving a text. */
function createFiles(onWait: (signal: AbortSignal) => void = () => {}): McpServer {
  const files = new McpServer({ name: "other name", version: "3.0.0" }, { instructions: "Files for tests." });
  files.registerTool("read", { description: "Reads.", inputSchema: { path: z.string() } }, async ({ path }, extra) => {
    const { progressToken = 0 } = extra._meta ?? {};
    await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    return { content: [{ type: "text", text: `${path} by ${extra._meta?.["claudecode/toolUseId"]}` }] };
  });
  files.registerTool("fail", {}, () => {
    throw new Error("out of order");
  });
  files.registerTool("ask", {}, async () => {
    const { action } = await files.server.elicitInput({
      message: "Sure?",
      requestedSchema: { type: "object", properties: {} },
    });
    return { content: [{ type: "text", text: action }] };
  });
  files.registerTool("ping", {}, async () => {
    await files.server.ping();
    return { content: [{ type: "text", text: "pong" }] };
  });
  files.registerTool("grow", {}, () => {
    files.registerTool("grown", {}, () => ({ content: [{ type: "text", text: "new" }] }));
    return { content: [{ type: "text", text: "grown" }] };
  });
  files.registerTool("wait", {}, ({ signal }) => {
    onWait(signal);
    return new Promise(() => {});
  });
  return files;
}

test("an McpServer lists, calls, fails, asks, grows and is interrupted like any server", async () => {
  let begin = (_: AbortSignal): void => {};
  const begun = new Promise<AbortSignal>((resolve) => {
    begin = resolve;
  });
  const calls = [
    toolUse("mcp__files__read", { path: "a" }, "toolu_read"),
    toolUse("mcp__files__read", { path: 5 }, "toolu_wrong"),
    ...["fail", "ask", "ping", "grow"].map((name) => toolUse(`mcp__files__${name}`, {}, `toolu_${name}`)),
  ];
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ userText, toolNames, toolResults }, index) => {
    if (userText === "Wait.") return toolUse("mcp__files__wait", {}, "toolu_wait");
    if (toolResults.length === 0) return calls;
    if (toolResults.some(({ toolUseId }) => toolUseId === "toolu_grown")) return text("Done.");
    // The CLI reads a list that changed beside the turn, and may call the model before it has it.
    const isKnown = toolNames.includes("mcp__files__grown");
    return isKnown
      ? toolUse("mcp__files__grown", {}, "toolu_grown")
      : toolUse("mcp__files__ping", {}, `toolu_${index}`);
  });
  await using sandbox = await createSandbox({ model });
  await using host = await startHost({ files: fromMcpServer("files", createFiles(begin)) }, sandbox, { argv });
  expect(await host.turn("Go.")).toMatchObject({ subtype: "success", result: "Done." });
  expect(host.toolResult("toolu_read")?.content).toEqual([{ type: "text", text: "a by toolu_read" }]);
  expect(host.toolResult("toolu_wrong")).toMatchObject({
    is_error: true,
    content: expect.stringContaining("Invalid arguments for tool read"),
  });
  expect(host.toolResult("toolu_fail")).toMatchObject({ is_error: true, content: "out of order" });
  expect(host.toolResult("toolu_ask")).toMatchObject({
    is_error: true,
    content: "Client does not support form elicitation.",
  });
  expect(host.toolResult("toolu_ping")?.content).toEqual([{ type: "text", text: "pong" }]);
  expect(host.toolResult("toolu_grown")?.content).toEqual([{ type: "text", text: "new" }]);
  expect(model.requests[0]?.systemText).toContain("Files for tests.");

  const interrupted = host.turn("Wait.");
  const signal = await begun;
  await host.request("interrupt");
  expect(await interrupted).toMatchObject({ subtype: "error_during_execution" });
  expect(signal.aborted).toBe(true);
});

test("a function gives each of two sessions at once its own McpServer", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(({ toolResults }) =>
    toolResults.length === 0 ? toolUse("mcp__files__read", { path: "a" }, "toolu_read") : text("Done."),
  );
  await using sandbox = await createSandbox({ model });
  const files = fromMcpServer("files", () => createFiles());
  await using one = await startHost({ files }, sandbox, { argv });
  await using two = await startHost({ files }, sandbox, { argv });
  await Promise.all([one.turn("Go."), two.turn("Go.")]);
  for (const host of [one, two])
    expect(host.toolResult("toolu_read")?.content).toEqual([{ type: "text", text: "a by toolu_read" }]);
});

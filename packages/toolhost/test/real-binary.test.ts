import { readFile } from "node:fs/promises";
import {
  createSandbox,
  type ModelScript,
  type Sandbox,
  type ScriptedModel,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { createToolServer, type ToolContext, type ToolProgress, tool, toolResult } from "../src/index.ts";
import { startHost } from "./host.ts";

interface Setup extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
}

async function setUp(script: ModelScript, env: Record<string, string> = {}): Promise<Setup> {
  const leaks = startLeakCheck();
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model, env });
  return {
    model,
    sandbox,
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      await model.close();
      await leaks.assertClean();
    },
  };
}

/** A promise, and what settles it. */
function signalled<Value>(): { readonly promise: Promise<Value>; readonly give: (value: Value) => void } {
  let give = (_: Value): void => {};
  const promise = new Promise<Value>((resolve) => {
    give = resolve;
  });
  return { promise, give };
}

const allowS = ["--tools=", "--allowedTools=mcp__s"];

/** A PNG of one pixel. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("the real CLI lists and calls the tools, in two sessions with one server at once", async () => {
  const progress: ToolProgress[] = [];
  const server = createToolServer({
    name: "s",
    instructions: "Tools for tests.",
    onProgress: (event) => progress.push(event),
    tools: [
      tool("add", "Adds.", { a: z.number(), b: z.number() }, ({ a, b }, context) => {
        context.progress(1, 2);
        context.log("adding");
        return String(a + b);
      }),
      tool("fail", "Fails.", {}, () => {
        throw new Error("out of order");
      }),
      tool("nothing", "Returns nothing.", {}, (() => undefined) as never),
      tool("draw", "Draws.", {}, () => toolResult.content(["A pixel:", toolResult.image(pixel)])),
      tool("scan", "Scans.", {}, () => toolResult.image("AAAA", "image/tiff")),
      tool("photo", "Reads.", {}, () => ({
        content: [{ type: "resource", resource: { uri: "a:b", blob: pixel, mimeType: "image/png" } }],
      })),
      tool("marked", "Has marks.", {}, () => ({
        content: [{ type: "text", text: "x", annotations: { audience: ["user"], priority: 1 }, _meta: { a: 1 } }],
        _meta: { b: 2 },
      })),
      tool("shy", "Fails without a word.", {}, () => ({ isError: true, content: [] })),
      tool("torn", "Fails in pictures.", {}, () =>
        toolResult.content([toolResult.error("a"), toolResult.image(pixel), toolResult.error("b")]),
      ),
      tool("sound", "Beeps.", {}, () => ({ content: [{ type: "audio", data: "AAAA", mimeType: "audio/wav" }] })),
      tool("page", "Reads.", {}, () => ({ content: [{ type: "resource", resource: { uri: "a:b", text: "x" } }] })),
      tool("blob", "Reads.", {}, () => ({
        content: [{ type: "resource", resource: { uri: "a:b", blob: "AAAA", mimeType: "application/pdf" } }],
      })),
      tool("link", "Links.", {}, () => ({
        content: [{ type: "resource_link", uri: "a:b", name: "n", description: "d" }],
      })),
      tool("data", "Gives data.", {}, () => ({ content: [], structuredContent: { a: 1 } })),
      tool("json", "Gives data to read.", {}, () => ({ a: [1] })),
      tool("empty", "Has no output.", {}, () => ({ content: [] })),
      tool("bad", "Gives a bad block.", {}, () => ({ content: [{ type: "video" }] })),
      tool("long", "Talks.", {}, () => "x".repeat(300_000), { maxResultSizeChars: 500_000 }),
      tool("longer", "Talks more.", {}, () => "y".repeat(300_000)),
      tool("longest", "Talks most.", {}, () => "z".repeat(5_000_000)),
      tool("whose", "Tells the id.", {}, (_, { toolUseId = "none" }) => toolUseId),
    ],
  });
  const calls = [
    toolUse("mcp__s__add", { a: 2, b: 40 }, "toolu_add"),
    toolUse("mcp__s__add", { a: "two" }, "toolu_wrong"),
    ...["scan", "photo", "marked", "shy", "torn"].map((name) => toolUse(`mcp__s__${name}`, {}, `toolu_${name}`)),
    ...["fail", "nothing", "draw", "sound", "page", "blob", "link", "data", "json", "empty", "bad"].map((name) =>
      toolUse(`mcp__s__${name}`, {}, `toolu_${name}`),
    ),
    ...["long", "longer", "longest", "whose"].map((name) => toolUse(`mcp__s__${name}`, {}, `toolu_${name}`)),
  ];
  await using setup = await setUp(({ toolResults }) => (toolResults.length === 0 ? calls : text("Done.")));
  const converse = async (): Promise<void> => {
    await using host = await startHost({ s: server }, setup.sandbox, { argv: allowS });
    expect(await host.turn("Go.")).toMatchObject({ subtype: "success", result: "Done." });
    expect(host.methods.slice(0, 3)).toEqual(["s initialize", "s notifications/initialized", "s tools/list"]);
    const content = (name: string): unknown => host.toolResult(`toolu_${name}`)?.content;
    expect(content("add")).toEqual([{ type: "text", text: "42" }]);
    expect(content("wrong")).toMatch(/^Invalid arguments for tool add: a: .+; b: /);
    expect(host.toolResult("toolu_wrong")).toHaveProperty("is_error", true);
    expect(content("fail")).toBe("out of order");
    expect(content("nothing")).toBe("The tool returned no result.");
    expect(content("draw")).toMatchObject([{ text: "A pixel:" }, { type: "image" }, { type: "text" }]);
    expect(content("scan")).toMatchObject([
      { text: expect.stringMatching(/^\[Image from s\] .*image\/tiff, 3 bytes/) },
    ]);
    expect(content("photo")).toMatchObject([
      { text: "[Resource from s at a:b] " },
      { type: "image" },
      { text: expect.stringMatching(/^\[Image: source/) },
    ]);
    expect(content("marked")).toEqual([{ type: "text", text: "x" }]);
    expect([content("shy"), content("torn")]).toEqual(["Unknown error", "a\nb"]);
    expect(content("sound")).toMatchObject([
      { text: expect.stringMatching(/^\[Audio from s\] .*audio\/wav, 3 bytes/) },
    ]);
    expect(content("page")).toEqual([{ type: "text", text: "[Resource from s at a:b] x" }]);
    expect(content("blob")).toMatchObject([
      { text: expect.stringMatching(/^\[Resource from s at a:b\] .*pdf, 3 bytes/) },
    ]);
    expect(content("link")).toEqual([{ type: "text", text: "[Resource link: n] a:b (d)" }]);
    expect(content("data")).toBe('{"a":1}');
    expect(content("json")).toEqual([{ type: "text", text: '{"a":[1]}' }]);
    expect(content("empty")).toBe("(mcp__s__empty completed with no output)");
    expect(content("bad")).toBe('The tool returned a malformed result: block 0 is of the unknown type "video".');
    expect(content("long")).toEqual([{ type: "text", text: "x".repeat(300_000) }]);
    // In which words depends on how many tokens the API counts.
    const isInFile = expect.stringMatching(/[Ss]aved to:? .*tool-results/);
    expect([content("longer"), content("longest")]).toEqual([isInFile, isInFile]);
    expect(content("whose")).toEqual([{ type: "text", text: "toolu_whose" }]);
    // Nothing is cut on the way there.
    const path = /saved to:? (\S+\.(?:txt|json))/.exec(String(content("longest")))?.[1];
    expect(await readFile(path ?? "", "utf8")).toContain("z".repeat(5_000_000));
  };
  await Promise.all([converse(), converse()]);
  expect(progress).toEqual([
    expect.objectContaining({ tool: "add", toolUseId: "toolu_add", done: 1, total: 2 }),
    expect.objectContaining({ tool: "add", toolUseId: "toolu_add", done: 1, total: 2 }),
  ]);
  const [request] = setup.model.requests;
  const offered = request?.body.tools?.find(({ name }) => name === "mcp__s__add");
  expect(offered).toMatchObject({ description: "Adds.", input_schema: { type: "object", required: ["a", "b"] } });
  expect(JSON.stringify(request?.body)).toContain("Tools for tests.");
});

test("an interrupt of the real CLI aborts the signal of the call that runs", async () => {
  const begun = signalled<AbortSignal>();
  const wait = tool("wait", "Waits for ever.", {}, (_, { signal }) => {
    begun.give(signal);
    return new Promise<string>(() => {});
  });
  await using setup = await setUp([toolUse("mcp__s__wait", {}, "toolu_wait")]);
  await using host = await startHost({ s: createToolServer({ name: "s", tools: [wait] }) }, setup.sandbox, {
    argv: allowS,
  });
  const ended = host.turn("Go.");
  const signal = await begun.promise;
  await host.request("interrupt");
  expect(await ended).toMatchObject({ subtype: "error_during_execution", terminal_reason: "aborted_tools" });
  expect(host.methods.at(-1)).toBe("s notifications/cancelled");
  expect(signal.reason).toMatchObject({ name: "AbortError", message: "The call was cancelled." });
});

test("a call that takes too long ends by the server's time, and by the CLI's where the server's is longer", async () => {
  const signals: AbortSignal[] = [];
  const hang = (_: unknown, { signal }: ToolContext): Promise<string> => {
    signals.push(signal);
    return new Promise<string>(() => {});
  };
  const server = createToolServer({
    name: "s",
    tools: [tool("quick", "", {}, hang, { timeoutMs: 50 }), tool("slow", "", {}, hang)],
  });
  const calls = [toolUse("mcp__s__quick", {}, "toolu_quick"), toolUse("mcp__s__slow", {}, "toolu_slow")];
  await using setup = await setUp([calls, text("Done.")]);
  await using host = await startHost({ s: server }, setup.sandbox, {
    argv: allowS,
    initialize: { sdkMcpServerConfigs: { s: { timeout: 1000 } } },
  });
  expect(await host.turn("Go.")).toMatchObject({ subtype: "success" });
  expect(host.toolResult("toolu_quick")).toMatchObject({ is_error: true, content: "The call took longer than 50 ms." });
  expect(host.toolResult("toolu_slow")?.content).toMatch(/tool "slow" timed out after 1s/);
  await vi.waitFor(() => expect(signals.map((signal) => signal.aborted)).toEqual([true, true]));
});

test("ten calls of one message run at once where the tool only reads, and each gets its own result", async () => {
  const arrived = signalled<void>();
  let running = 0;
  const echo = tool(
    "echo",
    "Says it again.",
    { n: z.number() },
    async ({ n }) => {
      if (++running === 10) arrived.give();
      await arrived.promise;
      return `n=${n}`;
    },
    { annotations: { readOnlyHint: true } },
  );
  const calls = Array.from({ length: 10 }, (_, n) => toolUse("mcp__s__echo", { n }, `toolu_${n}`));
  await using setup = await setUp([calls, text("Done.")]);
  await using host = await startHost({ s: createToolServer({ name: "s", tools: [echo] }) }, setup.sandbox, {
    argv: allowS,
  });
  expect(await host.turn("Go.")).toMatchObject({ subtype: "success" });
  for (let n = 0; n < 10; n++)
    expect(host.toolResult(`toolu_${n}`)?.content).toEqual([{ type: "text", text: `n=${n}` }]);
});

test("tools that are added, replaced and removed while the session runs are there, are new, and are gone", async () => {
  const say = (name: string, word: string): ReturnType<typeof tool> => tool(name, "", {}, () => word);
  const server = createToolServer({ name: "s", tools: [say("stays", "old"), say("goes", "")] });
  await using setup = await setUp([
    text("One."),
    [
      toolUse("mcp__s__comes", {}, "toolu_comes"),
      toolUse("mcp__s__stays", {}, "toolu_stays"),
      toolUse("mcp__s__goes", {}, "toolu_goes"),
    ],
    text("Two."),
  ]);
  await using host = await startHost({ s: server }, setup.sandbox, { argv: allowS });
  await host.turn("First.");
  server.add(say("comes", "added"));
  server.replace(say("stays", "new"));
  server.remove("goes");
  await vi.waitFor(() => expect(host.methods.filter((method) => method === "s tools/list")).toHaveLength(2), 5_000);
  expect(await host.turn("Second.")).toMatchObject({ result: "Two." });
  expect(setup.model.requests[0]?.toolNames).not.toContain("mcp__s__comes");
  expect(setup.model.requests[1]?.toolNames).toContain("mcp__s__comes");
  expect(host.toolResult("toolu_comes")?.content).toEqual([{ type: "text", text: "added" }]);
  expect(host.toolResult("toolu_stays")?.content).toEqual([{ type: "text", text: "new" }]);
  expect(host.toolResult("toolu_goes")?.content).toMatch(/No such tool available/);
});

test("two servers may have tools of one name, and servers come and go with mcp_set_servers", async () => {
  const named = (name: string): ReturnType<typeof createToolServer> => {
    const who = tool("who", "", {}, (_, { server }) => server);
    return createToolServer({ name, tools: [who] });
  };
  const both = [toolUse("mcp__a__who", {}, "toolu_a"), toolUse("mcp__b__who", {}, "toolu_b")];
  const later = [
    toolUse("mcp__a__who", {}, "toolu_a2"),
    toolUse("mcp__b__who", {}, "toolu_b2"),
    toolUse("mcp__c__who", {}, "toolu_c"),
  ];
  await using setup = await setUp([both, text("One."), later, text("Two.")]);
  await using host = await startHost({ a: named("a"), b: named("b") }, setup.sandbox, {
    argv: ["--tools=", "--allowedTools=mcp__a,mcp__b,mcp__c"],
  });
  await host.turn("First.");
  expect(host.toolResult("toolu_a")?.content).toEqual([{ type: "text", text: "a" }]);
  expect(host.toolResult("toolu_b")?.content).toEqual([{ type: "text", text: "b" }]);
  host.serve("c", named("c"));
  const servers = { b: { type: "sdk", name: "b" }, c: { type: "sdk", name: "c" } };
  expect(await host.request("mcp_set_servers", { servers })).toMatchObject({ added: ["c"], removed: ["a"] });
  expect(await host.turn("Second.")).toMatchObject({ result: "Two." });
  expect(host.methods.filter((method) => method === "b initialize")).toHaveLength(2);
  expect(host.toolResult("toolu_b2")?.content).toEqual([{ type: "text", text: "b" }]);
  expect(host.toolResult("toolu_c")?.content).toEqual([{ type: "text", text: "c" }]);
  expect(host.toolResult("toolu_a2")?.content).toMatch(/No such tool available/);
});

test("a subagent calls a tool like everybody, with the id of its own tool use", async () => {
  const who = tool("who", "", {}, (_, { toolUseId = "none" }) => toolUseId);
  const input = { description: "ask", prompt: "SUBAGENT", subagent_type: "general-purpose", run_in_background: false };
  await using setup = await setUp(({ userText, toolResults }) => {
    if (toolResults.length > 0) return text(toolResults[0]?.text ?? "");
    return userText.includes("SUBAGENT")
      ? toolUse("mcp__s__who", {}, "toolu_inner")
      : toolUse("Task", input, "toolu_outer");
  });
  await using host = await startHost(
    { s: createToolServer({ name: "s", tools: [who], alwaysLoad: true }) },
    setup.sandbox,
    {
      argv: ["--tools=Task", "--allowedTools=mcp__s,Task"],
    },
  );
  expect(await host.turn("Go.")).toMatchObject({ subtype: "success" });
  const inner = setup.model.requests.find(({ toolResults }) => toolResults[0]?.toolUseId === "toolu_inner");
  expect(inner?.toolResults).toMatchObject([{ text: "toolu_inner", isError: false }]);
});

test("policies make the CLI ask although a rule allows the tool, and take a tool away", async () => {
  const server = createToolServer({
    name: "s",
    tools: [
      tool("free", "", {}, () => "free"),
      tool("asked", "", {}, () => "asked", { permissionPolicy: "always_ask" }),
      tool("gone", "", {}, () => "gone", { permissionPolicy: "always_deny" }),
    ],
  });
  const calls = ["free", "asked", "gone"].map((name) => toolUse(`mcp__s__${name}`, {}, `toolu_${name}`));
  await using setup = await setUp([calls, text("Done.")]);
  await using host = await startHost({ s: server }, setup.sandbox, {
    argv: allowS,
    initialize: { sdkMcpServerConfigs: { s: server.settings } },
  });
  await host.turn("Go.");
  expect(host.asked).toEqual(["mcp__s__asked"]);
  expect(host.toolResult("toolu_free")?.content).toEqual([{ type: "text", text: "free" }]);
  expect(host.toolResult("toolu_asked")?.content).toEqual([{ type: "text", text: "asked" }]);
  expect(host.toolResult("toolu_gone")?.content).toMatch(/No such tool available/);
});

test("deferred tools are found by their hint and their name, and those that are always loaded are there", async () => {
  const server = createToolServer({
    name: "s",
    tools: [
      tool("here", "Is there.", {}, () => "here", { alwaysLoad: true }),
      tool("hidden", "Is found.", {}, () => "found", { searchHint: "zebra stripes" }),
    ],
  });
  await using setup = await setUp([
    toolUse("ToolSearch", { query: "zebra" }, "toolu_search"),
    toolUse("mcp__s__hidden", {}, "toolu_hidden"),
    text("Done."),
  ]);
  await using host = await startHost({ s: server }, setup.sandbox, {
    argv: ["--tools=ToolSearch", "--allowedTools=mcp__s,ToolSearch"],
  });
  await host.turn("Go.");
  expect(setup.model.requests[0]?.toolNames).toContain("mcp__s__here");
  expect(setup.model.requests[0]?.toolNames).not.toContain("mcp__s__hidden");
  expect(host.toolResult("toolu_search")?.content).toEqual([{ type: "tool_reference", tool_name: "mcp__s__hidden" }]);
  expect(host.toolResult("toolu_hidden")?.content).toEqual([{ type: "text", text: "found" }]);
});

test("a list in pages is read to its end", async () => {
  const names = ["a", "b", "c", "d", "e"];
  const server = createToolServer({
    name: "s",
    pageSize: 2,
    tools: names.map((name) => tool(name, "", {}, () => name)),
  });
  await using setup = await setUp([text("Done.")]);
  await using host = await startHost({ s: server }, setup.sandbox, { argv: allowS });
  await host.turn("Go.");
  expect(host.methods.filter((method) => method === "s tools/list")).toHaveLength(3);
  expect(setup.model.requests[0]?.toolNames).toEqual(expect.arrayContaining(names.map((name) => `mcp__s__${name}`)));
});

test("resources are listed and read by the model", async () => {
  const server = createToolServer({
    name: "s",
    resources: [{ uri: "memo://one", name: "One", mimeType: "text/plain", read: () => "the first" }],
  });
  await using setup = await setUp([
    [
      toolUse("ListMcpResourcesTool", {}, "toolu_list"),
      toolUse("ReadMcpResourceTool", { server: "s", uri: "memo://one" }, "toolu_read"),
    ],
    text("Done."),
  ]);
  await using host = await startHost({ s: server }, setup.sandbox, { argv: [] });
  await host.turn("Go.");
  expect(JSON.stringify(host.toolResult("toolu_list"))).toContain("memo://one");
  expect(JSON.stringify(host.toolResult("toolu_read"))).toContain("the first");
});

test("handshake results that the host captured spare the CLI the handshake", async () => {
  const server = createToolServer({ name: "s", tools: [tool("t", "", {}, () => "called")] });
  const capture = server.connect();
  const ask = async (method: string, params?: unknown): Promise<unknown> =>
    (await capture.handle({ jsonrpc: "2.0", id: method, method, ...(params !== undefined && { params }) }))?.result;
  const initializeResult = await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {} });
  const manifest = { initializeResult, toolsListResult: await ask("tools/list") };
  capture.close();
  await using setup = await setUp([toolUse("mcp__s__t", {}, "toolu_t"), text("Done.")]);
  await using host = await startHost({ s: server }, setup.sandbox, {
    argv: allowS,
    initialize: { sdkMcpServerManifests: { s: manifest } },
  });
  await host.turn("Go.");
  expect(host.methods).toEqual(["s tools/call"]);
  expect(host.toolResult("toolu_t")?.content).toEqual([{ type: "text", text: "called" }]);
});

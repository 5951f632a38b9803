import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { decodeFrames } from "@reins/streamjson";
import { findTestBinary, type ModelScript, type Sandbox, text, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { realCli } from "./real-cli.ts";

// Published programs that depend on the official Agent SDK, with ours in its place: a resolve hook answers for its name.

const folder = join(import.meta.dirname, "..");

const model: ModelScript = ({ userText, toolResults: [result] }) => {
  if (result) return text(`Got ${result.text}.`);
  // Nobody but an abort ends this answer.
  if (userText.includes("Wait"))
    return { content: text("Hello ", "there."), hold: new Promise(() => {}), afterEvents: 3 };
  return userText.includes("tool")
    ? toolUse("Bash", { command: "echo hi", description: "Echo" })
    : text("Hello ", "there.");
};

/** Arguments with which node takes ours, from its source, where a program imports the official one. It says so on standard error. */
function ourArguments(): string[] {
  const source = JSON.stringify(pathToFileURL(join(folder, "src/index.ts")).href);
  const ours = dataUrl(`export * from ${source}; process.stderr.write("ours\\n");`);
  const hook = `export const resolve = (name, context, next) =>
    next(name === "@anthropic-ai/claude-agent-sdk" ? ${JSON.stringify(ours)} : name, context);`;
  const main = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;
  return ["--conditions=@reins/source", "--import=tsx", `--import=${dataUrl(main)}`];
}

function environment({ env }: Sandbox): Record<string, string> {
  return { ...env, CLAUDE_CODE_EXECUTABLE: findTestBinary() };
}

function dataUrl(script: string): string {
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

test("a provider of the AI SDK answers, streams a tool call, and is aborted", async () => {
  await using setup = await realCli(model);
  const program = `
    import { generateText, streamText } from "ai";
    import { createClaudeCode } from "ai-sdk-provider-claude-code";
    const { cwd, cli } = JSON.parse(process.argv[1]);
    const defaultSettings = { pathToClaudeCodeExecutable: cli, cwd, env: { ...process.env }, settingSources: [] };
    const claude = createClaudeCode({ defaultSettings });
    const said = await generateText({ model: claude("sonnet"), prompt: "Say hello." });
    const stream = streamText({ model: claude("sonnet", { allowedTools: ["Bash"] }), prompt: "Use the tool." });
    const parts = [];
    for await (const part of stream.fullStream) parts.push(part.type);
    const abort = new AbortController();
    const aborted = [];
    const other = streamText({ model: claude("sonnet"), prompt: "Wait.", abortSignal: abort.signal });
    for await (const part of other.fullStream) {
      aborted.push(part.type);
      if (part.type === "text-start") abort.abort();
    }
    const usage = said.usage.outputTokens;
    console.log(JSON.stringify({ text: said.text, usage, parts, streamed: await stream.text, aborted }));`;
  const { cwd } = setup.sandbox;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...ourArguments(), "--input-type=module", "-e", program, JSON.stringify({ cwd, cli: findTestBinary() })],
    { cwd: folder, env: environment(setup.sandbox), timeout: 50_000 },
  );
  expect(stderr).toContain("ours\n");
  const outcome: { readonly parts: string[]; readonly aborted: string[] } = JSON.parse(stdout);
  expect(outcome).toMatchObject({ text: "Hello there.", usage: 5, streamed: "Got hi." });
  expect(outcome.parts).toEqual(expect.arrayContaining(["tool-call", "tool-result", "finish"]));
  expect(outcome.aborted).toContain("abort");
});

test("an ACP agent opens a session, answers, uses a tool, lists the session and loads it again", async () => {
  await using setup = await realCli(model);
  const { sandbox } = setup;
  const entry = fileURLToPath(import.meta.resolve("@agentclientprotocol/claude-agent-acp"));
  await using agent = startAgent(join(entry, "../index.js"), environment(sandbox));
  const { call, updates } = agent;
  await call("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const place = { cwd: sandbox.cwd, mcpServers: [] };
  const { sessionId } = await call("session/new", place);
  const prompt = (said: string): Promise<Answer> =>
    call("session/prompt", { sessionId, prompt: [{ type: "text", text: said }] });
  expect(await prompt("Say hello.")).toMatchObject({ stopReason: "end_turn" });
  expect(await prompt("Use the tool.")).toMatchObject({ stopReason: "end_turn" });
  // The CLI writes the transcript beside the turn.
  await vi.waitFor(async () => {
    expect(await call("session/list", { cwd: sandbox.cwd })).toMatchObject({ sessions: [{ sessionId }] });
  }, waiting);
  await call("session/load", { sessionId, ...place });
  const kinds = ["agent_message_chunk", "tool_call", "tool_call_update", "user_message_chunk"];
  await vi.waitFor(() => expect(updates()).toEqual(expect.arrayContaining(kinds)), waiting);
  expect(agent.said()).toContain("ours\n");
});

const waiting = { timeout: 10_000, interval: 100 };

type Answer = Readonly<Record<string, unknown>>;

interface Agent extends AsyncDisposable {
  readonly call: (method: string, params: object) => Promise<Answer>;
  /** The kinds of updates that came. */
  readonly updates: () => readonly string[];
  /** What it wrote to standard error. */
  readonly said: () => string;
}

/** An agent, and just enough of a client: it allows what it is asked. The end of its input ends it. */
function startAgent(path: string, env: Record<string, string>): Agent {
  const child = spawn(process.execPath, [...ourArguments(), path], { cwd: folder, env });
  const { stdin, stdout, stderr } = child;
  let said = "";
  stderr.setEncoding("utf8").on("data", (chunk: string) => {
    said += chunk;
  });
  stdin.on("error", () => {});
  const exit = once(child, "exit");
  const waiting = new Map<unknown, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  const seen: string[] = [];
  const send = (message: object): void => void stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  void exit.then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`The agent has ended: ${said}`));
  });
  const reading = (async () => {
    for await (const { value } of decodeFrames(stdout)) {
      const { id, method, params, result, error } = JSON.parse(JSON.stringify(value));
      if (method === undefined && error) waiting.get(id)?.reject(new Error(JSON.stringify(error)));
      else if (method === undefined) waiting.get(id)?.resolve(result);
      else if (id === undefined) seen.push(String(params?.update?.sessionUpdate));
      else {
        const optionId = params.options?.find(({ kind }: { kind: string }) => kind === "allow_once")?.optionId;
        send({ id, result: { outcome: { outcome: "selected", optionId } } });
      }
    }
  })();
  let id = 0;
  return {
    said: () => said,
    updates: () => seen,
    call: (method, params) =>
      new Promise((resolve, reject) => {
        id += 1;
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      }),
    async [Symbol.asyncDispose]() {
      stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await exit;
      clearTimeout(timer);
      await reading;
    },
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import {
  createGate,
  createSandbox,
  findTestBinary,
  type ModelScript,
  type Sandbox,
  type ScriptedModel,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { expect, test } from "vitest";
import {
  claudeCodeProvider,
  type PiContext,
  type PiEvent,
  type PiMessage,
  type PiProvider,
  type PiReply,
} from "../examples/pi-provider.ts";

const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
};

/** Stands in for pi: what its extensions get, and the loop that calls a model with all of the conversation. */
class StandInPi {
  readonly messages: PiMessage[] = [];
  systemPrompt = "You are in pi.";
  events: PiEvent[] = [];
  #provider: PiProvider | undefined;
  #shutDown: () => Promise<void> = async () => {};

  constructor(start: () => ChildProcess) {
    claudeCodeProvider(start)({
      registerProvider: (_, provider) => {
        this.#provider = provider;
      },
      on: (_, handler) => {
        this.#shutDown = handler;
      },
    });
  }

  shutDown(): Promise<void> {
    return this.#shutDown();
  }

  says(content: string): void {
    this.messages.push({ role: "user", content });
  }

  /** The result of the tool that the last message asks for. */
  hasRun(content: string, isError = false): void {
    this.messages.push({
      role: "toolResult",
      toolCallId: callOf(this.messages.at(-1)).id,
      content: [{ type: "text", text: content }],
      isError,
    });
  }

  /** Asks the model. */
  async ask(signal?: AbortSignal): Promise<PiReply> {
    const model = { id: "sonnet", api: "reins-bridge", provider: "claude-code" };
    const context: PiContext = { systemPrompt: this.systemPrompt, messages: [...this.messages], tools: [add] };
    const stream = this.#provider!.streamSimple(model, context, { ...(signal && { signal }) });
    this.events = [];
    for await (const event of stream) this.events.push(event);
    const reply = await stream.result();
    // pi keeps those that came to nothing, too.
    this.messages.push(reply);
    return reply;
  }
}

function callOf(message: PiMessage | undefined): { id: string; name: string; arguments: object } {
  const call = message?.role === "assistant" && message.content.find((block) => block.type === "toolCall");
  if (!call) throw new Error("The model asks for no tool.");
  return call;
}

interface Setup extends AsyncDisposable {
  readonly pi: StandInPi;
  readonly model: ScriptedModel;
  readonly bridges: readonly ChildProcess[];
}

/** pi with the provider, over a bridge as its users start it, over the real CLI. */
async function setUp(script: ModelScript): Promise<Setup> {
  const leaks = startLeakCheck();
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  await symlink(findTestBinary(), join(bin, "claude"));
  const bridges: ChildProcess[] = [];
  const pi = new StandInPi(() => {
    const bridge = startBridge(sandbox, bin);
    bridges.push(bridge);
    return bridge;
  });
  return {
    pi,
    model,
    bridges,
    [Symbol.asyncDispose]: async () => {
      await pi.shutDown();
      await model.close();
      await sandbox.close();
      await leaks.assertClean();
    },
  };
}

function startBridge(sandbox: Sandbox, bin: string): ChildProcess {
  const program = join(import.meta.dirname, "..", "examples", "bridge.ts");
  const argv = ["--conditions=@reins/source", `--import=${import.meta.resolve("tsx")}`, program];
  const options = sandbox.spawnOptions({ PATH: `${bin}:${sandbox.env["PATH"]}` });
  return spawn(process.execPath, argv, { ...options, stdio: ["pipe", "pipe", "inherit"] });
}

test("two turns with a tool that pi runs are one session, and an edited past begins another one", async () => {
  await using setup = await setUp([
    toolUse("mcp__host__add", { a: 2, b: 40 }),
    text("It is 42."),
    text("43."),
    text("Then 43."),
  ]);
  const { pi, model, bridges } = setup;
  pi.says("2 + 40?");
  expect(await pi.ask()).toMatchObject({ stopReason: "toolUse", model: "sonnet", provider: "claude-code" });
  expect(pi.events.map(({ type }) => type)).toEqual([
    "start",
    "toolcall_start",
    "toolcall_delta",
    "toolcall_end",
    "done",
  ]);
  expect(callOf(pi.messages.at(-1))).toMatchObject({ name: "add", arguments: { a: 2, b: 40 } });
  pi.hasRun("42");
  const answer = await pi.ask();
  expect(answer).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "It is 42." }] });
  expect(answer.usage.totalTokens).toBeGreaterThan(0);
  expect(pi.events.map(({ type }) => type)).toEqual(["start", "text_start", "text_delta", "text_end", "done"]);
  pi.says("And 1 more?");
  expect((await pi.ask()).content).toEqual([{ type: "text", text: "43." }]);
  // The model sees what the tool gave: it is the session of the first turn.
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain("tool_result");
  expect(model.requests[2]?.systemText).toContain("You are in pi.");
  pi.messages.splice(0, pi.messages.length, { role: "user", content: "2 + 40?" });
  pi.messages.push({ role: "assistant", content: [{ type: "text", text: "42." }] });
  pi.says("And 1 more?");
  expect((await pi.ask()).content).toEqual([{ type: "text", text: "Then 43." }]);
  expect(JSON.stringify(model.requests[3]?.body.messages)).not.toContain("tool_result");
  expect(bridges).toHaveLength(1);
  await pi.shutDown();
  expect(bridges[0]?.exitCode).toBe(0);
  model.assertDone();
});

test("an abort ends the turn, while the model answers and while pi runs a tool, and the session goes on", async () => {
  const gate = createGate();
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  await using setup = await setUp(async (_, index) => {
    if (index === 0) {
      asked();
      await gate.opened;
    }
    return [text("Too late."), toolUse("mcp__host__add", { a: 1, b: 2 }), text("Here.")][index];
  });
  const { pi, bridges } = setup;
  const whileAnswering = new AbortController();
  pi.says("Anything?");
  const answering = pi.ask(whileAnswering.signal);
  await isAsked;
  whileAnswering.abort();
  expect(await answering).toMatchObject({ stopReason: "aborted", content: [] });
  expect(pi.events.map(({ type }) => type)).toEqual(["start", "error"]);
  gate.open();
  pi.says("1 + 2?");
  const whileTool = new AbortController();
  await pi.ask(whileTool.signal);
  whileTool.abort();
  pi.hasRun("Aborted", true);
  expect(await pi.ask(whileTool.signal)).toMatchObject({ stopReason: "aborted", content: [] });
  pi.says("Still there?");
  expect(await pi.ask()).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Here." }] });
  expect(bridges).toHaveLength(1);
});

test("calls at the same time, what the user says meanwhile, and another system prompt", async () => {
  await using setup = await setUp((request) => {
    const said = JSON.stringify(request.body.messages);
    if (said.includes("Bye")) return text("Bye.");
    if (!said.includes("tool_result"))
      return [toolUse("mcp__host__add", { a: 1, b: 2 }), toolUse("mcp__host__add", { a: 3, b: 4 })];
    return text(said.includes("Be quick") ? "Quick: 3 and 7." : "3 and 7.");
  });
  const { pi, model, bridges } = setup;
  pi.says("1 + 2, 3 + 4?");
  const inputs: object[] = [];
  for (let reply = await pi.ask(); reply.stopReason === "toolUse"; reply = await pi.ask()) {
    const call = callOf(reply);
    inputs.push(call.arguments);
    if (inputs.length === 1) pi.hasRun("3");
    else {
      pi.hasRun("No such sum.", true);
      pi.says("Be quick.");
    }
  }
  expect(inputs).toEqual([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ]);
  expect(JSON.stringify(pi.messages.at(-1))).toContain("Quick: 3 and 7.");
  const results = model.requests.flatMap(({ toolResults }) => toolResults.map((result) => result.text));
  expect(results).toEqual(expect.arrayContaining(["3", "No such sum."]));
  pi.systemPrompt = "You are elsewhere.";
  pi.says("Bye");
  expect((await pi.ask()).content).toEqual([{ type: "text", text: "Bye." }]);
  expect(model.requests.at(-1)?.systemText).toContain("You are elsewhere.");
  expect(bridges).toHaveLength(1);
});

test("a bridge that cannot be started, or ends, is an error of the model, and the next call starts one", async () => {
  await using _leaks = startLeakCheck();
  const programs = [
    ["/no/such/program"],
    [process.execPath, "-e", "0"],
    [process.execPath, "-e", "process.stdin.resume()"],
  ];
  const bridges: ChildProcess[] = [];
  let third: () => void = () => {};
  const hasThird = new Promise<void>((resolve) => {
    third = resolve;
  });
  const pi = new StandInPi(() => {
    const [program = "", ...args] = programs[bridges.length] ?? [];
    const bridge = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"] });
    if (bridges.push(bridge) === 3) third();
    return bridge;
  });
  pi.says("Hi.");
  expect(await pi.ask()).toMatchObject({ stopReason: "error", errorMessage: expect.stringContaining("ENOENT") });
  expect(await pi.ask()).toMatchObject({ stopReason: "error", errorMessage: "The bridge ended." });
  // pi ends while a session is being opened.
  const asking = pi.ask();
  await hasThird;
  await pi.shutDown();
  expect(await asking).toMatchObject({ stopReason: "error", errorMessage: "The bridge ended." });
  expect(bridges.map(({ exitCode }) => exitCode)).toEqual([-2, 0, 0]);
});

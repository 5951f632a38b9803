import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { MemorySessionStore } from "@reins/sessions";
import type { FrameValue } from "@reins/streamjson";
import { type CliEnd, text, toolUse, transportPair } from "@reins/testkit";
import { expect, expectTypeOf, onTestFinished, test, vi } from "vitest";
import {
  AbortError,
  Client,
  collect,
  type Diagnostic,
  type Message,
  NoResultError,
  type Options,
  type Query,
  query,
  ResumeError,
  tool,
  UsageMeter,
} from "../src/index.ts";
import { realCli, user } from "./real-cli.ts";

// What hurts users of other SDKs, tried through the public API. The other tests of this folder have the details.

interface Scripted {
  readonly session: Query;
  readonly cli: CliEnd;
  readonly diagnostics: Diagnostic[];
}

/** A query of a CLI that the test plays. */
function scripted(options: Options = {}, prompt: Parameters<typeof query>[0]["prompt"] = "Hi."): Scripted {
  const { host, cli } = transportPair();
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const session = query({ prompt, options: { onDiagnostic, ...options, transport: host } });
  onTestFinished(() => session.close());
  return { session, cli, diagnostics };
}

const result: FrameValue = { type: "result", subtype: "success", is_error: false, result: "Done.", session_id: "s" };

async function textsOf(messages: AsyncIterable<Message>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const message of messages) if (message.type === "result" && "result" in message) seen.push(message.result);
  return seen;
}

test("the id of a session is the one that the CLI says, whatever was asked for", async () => {
  await using cli = await realCli(({ userText }) => text(`About ${userText}`));
  const first = cli.start("one");
  expect(first.sessionId).toBeUndefined();
  await textsOf(first);
  const resume = first.sessionId ?? "";
  const resumed = cli.start("two", { resume });
  await textsOf(resumed);
  expect(resumed.sessionId).toBe(resume);
  const forked = cli.start("three", { resume, forkSession: true });
  const ids = new Set<unknown>();
  for await (const message of forked) ids.add(message.session_id);
  expect(forked.sessionId).not.toBe(resume);
  expect([...ids]).toEqual([forked.sessionId]);
});

test("a session that is not there is an error of its own at once, with its id and the folder", async () => {
  await using cli = await realCli([]);
  const { configDir, cwd } = cli.sandbox;
  // Here it is, so that the folder is known to be the one in which the CLI keeps its sessions.
  await using other = await realCli(() => text("x"));
  await textsOf(other.start("Hi."));
  const [kept] = await readdir(join(other.sandbox.configDir, "projects"));
  expect(kept).toBe(realpathSync(other.sandbox.cwd).replace(/[^A-Za-z0-9]/g, "-"));

  const sessionId = "11111111-2222-4333-8444-555555555555";
  const session = cli.start("Go on.", { resume: sessionId });
  const folder = join(configDir, "projects", realpathSync(cwd).replace(/[^A-Za-z0-9]/g, "-"));
  const failure = { name: "ResumeError", sessionId, folder };
  await expect(session.initializationResult()).rejects.toMatchObject(failure);
  await expect(textsOf(session)).rejects.toSatisfy((error) => error instanceof ResumeError);
  // A store that does not have it either was asked by the name of that folder.
  const fromStore = cli.start("Go on.", { resume: sessionId, sessionStore: new MemorySessionStore() });
  await expect(textsOf(fromStore)).rejects.toMatchObject(failure);
  expect(cli.model.requests).toEqual([]);
});

test("something new on the wire is data, and ends nothing", async () => {
  const { session, cli } = scripted();
  const sent: FrameValue[] = [
    { type: "brand_new" },
    { type: "system", subtype: "brand_new", detail: [1] },
    { type: "stream_event", event: { type: "brand_new" } },
    { type: "assistant", message: { content: [{ type: "brand_new", x: 1 }] } },
    { type: "assistant", message: { content: "plain" } },
    { type: "user", message: { content: "plain" } },
    { type: "user" },
    { type: "result", subtype: "brand_new", is_error: true },
    { ...result, result: undefined },
  ];
  for (const frame of sent) await cli.send(frame);
  const seen: unknown[] = [];
  for await (const message of session) if (seen.push(message) === sent.length) break;
  expect(seen).toEqual(JSON.parse(JSON.stringify(sent)));
});

test("a long line is a message like any other", async () => {
  const { session, cli, diagnostics } = scripted();
  await cli.send({ type: "assistant", message: { content: [{ type: "text", text: "x".repeat(5_000_000) }] } });
  await cli.send(result);
  expect(await session.next()).toMatchObject({ value: { type: "assistant" } });
  expect(await session.next()).toMatchObject({ value: result });
  expect(diagnostics).toEqual([]);
});

test("an abort is one AbortError, once, and no request waits for a session that is over", async () => {
  const abortController = new AbortController();
  let signal: AbortSignal | undefined;
  const { session, cli } = scripted({
    abortController,
    canUseTool: (_name, _input, options) => {
      signal = options.signal;
      return new Promise(() => {});
    },
  });
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
  await cli.send({ type: "control_request", request_id: "p1", request });
  await cli.send({ type: "control_request", request_id: "p2", request });
  await vi.waitFor(() => expect(signal).toBeDefined(), { timeout: 10_000 });
  await cli.send({ type: "control_cancel_request", request_id: "p2" });
  await vi.waitFor(() => expect(signal?.aborted).toBe(true), { timeout: 10_000 });
  const pending = session.setModel("m");
  const reading = session.next();
  abortController.abort(new Error("enough"));
  await expect(reading).rejects.toBeInstanceOf(AbortError);
  await expect(pending).rejects.toBeInstanceOf(AbortError);
  await expect(session.next()).resolves.toEqual({ done: true, value: undefined });
  await expect(session.setModel("m")).rejects.toBeInstanceOf(AbortError);
});

test("an interrupt ends the turn and not the session, and a request takes a deadline and a signal", async () => {
  await using cli = await realCli(({ userText }) =>
    userText === "Wait." ? { content: text("a", "b"), hold: new Promise(() => {}), afterEvents: 3 } : text("Here."),
  );
  await using client = new Client({ ...cli.options, includePartialMessages: true });
  const turn = await client.send("Wait.");
  for await (const message of client.receiveMessages()) if (message.type === "stream_event") break;
  await client.interrupt();
  expect(await turn.result).toMatchObject({ is_error: true });
  expect(await client.ask("Are you there?")).toMatchObject({ result: "Here." });
  await expect(client.interrupt({ signal: AbortSignal.abort(new Error("mine")) })).rejects.toThrow("mine");
  await expect(client.request("side_question", { question: "x" }, { timeoutMs: 0 })).rejects.toMatchObject({
    name: "ControlTimeoutError",
  });
});

test("a tool needs no zod: a JSON Schema does, and nothing of ours loads it", async () => {
  const plain = tool("add", "", { type: "object", properties: { a: { type: "number" } } }, ({ a }) => String(a));
  expect(plain.name).toBe("add");
  const script = `
    await import(${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)});
    await import("zod").then(() => console.log("loaded"), ({ message }) => console.log(message));`;
  const hook = `export const resolve = (name, context, next) => {
    if (/^zod(\\/|$)/.test(name)) throw new Error("zod was imported");
    return next(name, context);
  };`;
  const dataUrl = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;
  const main = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hook))});`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--conditions=@reins/source", "--import=tsx", `--import=${dataUrl(main)}`, "--input-type=module", "-e", script],
    { cwd: join(import.meta.dirname, ".."), timeout: 50_000 },
  );
  // So the import of ours would have failed as this one did.
  expect(stdout).toBe("zod was imported\n");
});

test("a message is no any, and its kind narrows it", () => {
  expectTypeOf<Message>().not.toBeAny();
  expectTypeOf<Extract<Message, { type: "result" }>["is_error"]>().toEqualTypeOf<boolean>();
  expectTypeOf<Awaited<ReturnType<Query["next"]>>["value"]>().not.toBeAny();
});

test("a permission callback is asked with a prompt that is a text, its allow is taken, and its failure denies", async () => {
  const answers = [{ behavior: "allow" }, undefined, { allow: true }] as never[];
  const asked: unknown[] = [];
  await using cli = await realCli(({ toolResults: [done] }) =>
    done ? text(done.isError ? done.text : "It ran.") : toolUse("Bash", { command: "touch made", description: "d" }),
  );
  const run = (): Promise<unknown[]> =>
    textsOf(
      cli.start("Make it.", {
        tools: ["Bash"],
        canUseTool: (name) => {
          asked.push(name);
          return answers.shift() as never;
        },
      }),
    );
  expect(await run()).toEqual(["It ran."]);
  for (let index = 0; index < 2; index++) expect(await run()).toEqual([expect.stringContaining("canUseTool")]);
  expect(asked).toEqual(["Bash", "Bash", "Bash"]);
});

test("money and tokens are counted once", async () => {
  await using cli = await realCli(({ toolResults }) =>
    toolResults.length > 0
      ? text("Done.")
      : [text("I look."), toolUse("Bash", { command: "echo x", description: "d" })],
  );
  const meter = new UsageMeter();
  const totals: number[] = [];
  const ids = new Set<string>();
  async function* prompts(): AsyncGenerator<ReturnType<typeof user>> {
    yield user("one");
    yield user("two");
  }
  for await (const message of cli.start(prompts(), { tools: ["Bash"], allowedTools: ["Bash"] })) {
    meter.observe(message);
    if (message.type === "assistant") ids.add(message.message.id);
    if (message.type === "result") totals.push(message.total_cost_usd);
  }
  expect(meter.total.costUsd).toBe(totals.at(-1));
  expect(ids.size).toBeGreaterThan(0);
});

test("text that is no JSON is reported, and the frames around it are delivered", async () => {
  const { session, cli, diagnostics } = scripted();
  await cli.write(`A banner\n${JSON.stringify({ type: "system", subtype: "init" })}\nWarning: {\n`);
  await cli.send(result);
  expect(await session.next()).toMatchObject({ value: { subtype: "init" } });
  expect(await session.next()).toMatchObject({ value: result });
  expect(diagnostics.map((one) => one.kind === "malformed-frame" && one.frame.text)).toEqual([
    "A banner",
    "Warning: {",
  ]);
});

test("a CLI that dies early fails what waits for it with its exit, and a late answer changes nothing", async () => {
  let answer = (): void => {};
  const { session, cli } = scripted({
    canUseTool: () =>
      new Promise((resolve) => {
        answer = () => resolve({ behavior: "allow" });
      }),
  });
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
  await cli.send({ type: "control_request", request_id: "p1", request });
  const waiting = [session.initializationResult(), session.setModel("m"), session.next()];
  const failures = Promise.all(waiting.map((one) => one.catch((error: unknown) => error)));
  cli.writeError("out of memory");
  cli.exit({ code: 3 });
  for (const failure of await failures) expect(failure).toMatchObject({ exitCode: 3, stderrTail: "out of memory" });
  answer();
  await expect(session.setModel("m")).rejects.toMatchObject({ exitCode: 3 });
});

test("no result at the end is an error that cannot be overlooked", async () => {
  const { session, cli } = scripted();
  await cli.read();
  await cli.send({ type: "assistant", message: { content: [] } });
  expect(await session.next()).toMatchObject({ value: { type: "assistant" } });
  const reading = session.next();
  // The prompt is on its way before the CLI ends.
  await cli.read();
  cli.exit();
  await expect(reading).rejects.toBeInstanceOf(NoResultError);
});

test("what the prompt throws is what the reader gets", async () => {
  async function* prompts(): AsyncGenerator<ReturnType<typeof user>> {
    yield user("one");
    throw new Error("source failed");
  }
  const { session } = scripted({}, prompts());
  await expect(session.next()).rejects.toThrow("source failed");
});

test("a turn that a hook blocked does not look like an empty success, and several results keep to their prompts", async () => {
  await using cli = await realCli(({ userText }) => text(`About ${userText}`));
  const outcome = await collect({
    prompt: "secret",
    options: {
      ...cli.options,
      hooks: { UserPromptSubmit: [{ hooks: [() => ({ decision: "block", reason: "no" })] }] },
    },
  });
  expect(outcome.outcome.kind).not.toBe("completed");
  expect(outcome.messages).toContainEqual(expect.objectContaining({ type: "system", subtype: "informational" }));

  await using client = new Client(cli.options);
  const turns = await Promise.all(["one", "two"].map((content) => client.send(content)));
  const results = await Promise.all(turns.map((turn) => turn.result));
  for (const [index, turn] of turns.entries())
    if (turn.promptUuids.length === 1)
      expect(results[index]).toMatchObject({ result: `About ${["one", "two"][index]}` });
    else expect(results[0]).toBe(results[1]);
});

test("a hook that the CLI will not call is said when it is registered", () => {
  const { diagnostics } = scripted({ hooks: { Setup: [{ hooks: [() => {}] }] } });
  expect(diagnostics).toMatchObject([{ kind: "hook-out-of-reach", event: "Setup" }]);
});

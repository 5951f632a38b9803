import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
  type CliLog,
  type CliStep,
  createGate,
  createSandbox,
  findTestBinary,
  type ModelScript,
  scriptedCliExecutable,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "@reins/testkit";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, type TestContext, test } from "vitest";
import { schemaFolder } from "../tools/schema-files.ts";

// A host in another language, written from the pages alone: where it fails, either it or a page is wrong.

type Wire = Readonly<Record<string, unknown>>;

const clients = fileURLToPath(new URL("../clients", import.meta.url));
const session = fileURLToPath(new URL("fixtures/python-session.py", import.meta.url));

test("it serves a scripted CLI that asks everything, in odd lines, and what it writes is valid", async (context) => {
  const interpreter = findPython(context);
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "text", text: "\ufeff\r\n\n" },
      { do: "text", text: 'a banner\nnull\n[1]\n{"type":NaN}\n{"type":"control_response"}\n' },
      {
        do: "read",
        match: { "request.subtype": "initialize" },
        as: "init",
        expect: { "request.sdkMcpServers": ["calc"] },
      },
      // Before the answer to initialize, as the real one does.
      ...mcp("m1", { id: 0, method: "initialize", params: { protocolVersion: "2099-01-01" } }),
      ...mcp("m2", { method: "notifications/initialized" }),
      ...mcp("m3", { id: 1, method: "tools/list" }),
      { do: "write", frame: success("{{init.request_id}}", { hooks_applied: true, a_key_of_tomorrow: 1 }) },
      { do: "read", match: { type: "user" } },
      ...ask("p1", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t1", input: { command: "rm denied" } }),
      ...ask("p2", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t2", input: { command: "rm raises" } }),
      ...ask("p3", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t3", input: { command: "rm odd" } }),
      ...ask("p4", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t4", input: { command: "rm nan" } }),
      ...ask("p5", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t5", input: { command: "ls" } }),
      ...ask("p6", { subtype: "can_use_tool" }),
      // Withdrawn, and asked twice: there is no answer, and one call of the handler.
      send("p7", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t7", input: { command: "rm waits" } }),
      send("p7", { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "t7", input: { command: "rm waits" } }),
      { do: "write", frame: { type: "control_cancel_request", request_id: "p7" } },
      { do: "write", frame: { type: "control_cancel_request", request_id: "nothing" } },
      ...ask("h1", hook("hook_0", { hook_event_name: "PreToolUse", tool_input: {} })),
      ...ask("h2", hook("hook_0", { hook_event_name: "PreToolUse", tool_input: { command: "rm hooked" } })),
      ...ask("h3", hook("hook_1", { hook_event_name: "UserPromptSubmit", prompt: "bad" })),
      ...ask("h4", hook("hook_2", { hook_event_name: "PermissionRequest", tool_input: { command: "rm hooked" } })),
      ...ask("h5", hook("hook_3", { hook_event_name: "Stop", prompt: "bad" })),
      ...ask("h6", hook("hook_9", { hook_event_name: "Stop" })),
      ...mcp("m4", { id: 2, method: "tools/call", params: { name: "add", arguments: { a: 2, b: 3 } } }),
      ...mcp("m5", { id: 3, method: "tools/call", params: { name: "add", arguments: { a: 2 } } }),
      ...mcp("m6", { id: 4, method: "tools/call", params: { name: "subtract" } }),
      ...mcp("m7", { id: 5, method: "prompts/list" }),
      ...mcp("m8", { id: 6, result: {} }),
      ...ask("m9", {
        subtype: "mcp_message",
        server_name: "other",
        message: { jsonrpc: "2.0", id: 0, method: "ping" },
      }),
      send("m10", call({ id: 7, method: "tools/call", params: { name: "wait" } })),
      ...mcp("m11", { method: "notifications/cancelled", params: { requestId: 7 } }),
      ...ask("e1", { subtype: "elicitation", mcp_server_name: "s", message: "Name?" }),
      send("d1", { subtype: "request_user_dialog", dialog_kind: "other", payload: {} }),
      ...ask("u1", { subtype: "a_question_of_tomorrow" }),
      { do: "write", frame: { type: "a_type_of_tomorrow" } },
      state("running"),
      // A result that does not begin with its type, with a line end that is none and half a character.
      { do: "text", text: '{"result":"a\u2028b\\ud83d","is_error":false,"type":"result","subtype":"success"}\r\n' },
      state("idle"),
      { do: "read", match: { "request.subtype": "set_permission_mode" }, as: "bad" },
      { do: "write", frame: success("nobody") },
      { do: "write", frame: failure("{{bad.request_id}}", "No.", "invalid_mode") },
      { do: "readEnd" },
      { do: "write", frame: { type: "system", subtype: "late" } },
      { do: "text", text: '{"type":"ass' },
    ],
  });

  const events = await run(interpreter, ["hi", cli.path]);

  const log = await cli.log();
  expect(log.failure).toBeUndefined();
  expect(log.env).toMatchObject({ CLAUDE_CODE_SDK_READS_SESSION_STATE: "1" });
  expect(answers(log)).toEqual({
    p1: { behavior: "deny", message: "Not that one." },
    p2: { behavior: "deny", message: "The permission callback failed: LookupError: no rule for this" },
    p3: { behavior: "deny", message: expect.stringContaining("neither allow nor deny") },
    p4: { behavior: "deny", message: expect.stringContaining("Out of range float") },
    p5: { behavior: "allow", updatedInput: { command: "ls" } },
    p6: { behavior: "deny", message: expect.stringContaining("") },
    h1: {},
    h2: {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "The hook failed: LookupError: the hook is broken",
      },
    },
    h3: { decision: "block", reason: "The hook failed: LookupError: the hook is broken" },
    h4: {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "The hook failed: LookupError: the hook is broken" },
      },
    },
    h5: "error: the hook is broken",
    h6: "error: 'hook_9'",
    m1: result(0, {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "calc", version: "1" },
    }),
    m2: result(0, {}),
    m3: result(1, { tools: [expect.objectContaining({ name: "add" }), expect.objectContaining({ name: "wait" })] }),
    m4: result(2, { content: [{ type: "text", text: "5" }] }),
    m5: result(3, { content: [{ type: "text", text: "ValueError: missing arguments: b" }], isError: true }),
    m6: { mcp_response: { jsonrpc: "2.0", id: 4, error: { code: -32602, message: "Unknown tool: subtract" } } },
    m7: { mcp_response: { jsonrpc: "2.0", id: 5, error: { code: -32601, message: "Method not found: prompts/list" } } },
    m8: result(0, {}),
    m9: "error: no MCP server other",
    m11: result(0, {}),
    e1: { action: "decline" },
    u1: "unsupported_request: Unsupported control request subtype: a_question_of_tomorrow",
  });
  expect(await invalidFrames(log)).toEqual([]);

  const seen = events.map((event) => Object.keys(event)[0]);
  expect(seen.filter((kind) => kind === "diagnostic")).toHaveLength(6);
  expect(events).toContainEqual({ withdrawn: true });
  expect(events.filter(({ asked }) => asked !== undefined)).toHaveLength(6);
  expect(events).toContainEqual({ tool_cancelled: true, receipt: null });
  expect(events).toContainEqual({ result: "a\u2028b\ud83d", is_error: false, reason: null });
  expect(events).toContainEqual({ refused: "No. (invalid_mode)" });
  expect(events).toContainEqual({ exit: 0, rest: ["system"] });
  expect(events.at(-1)).toEqual({ threads: 1 });
});

test("it reports a CLI that dies, with its exit and stderr, though a grandchild holds the pipes", async (context) => {
  const interpreter = findPython(context);
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "init", response: { hooks_applied: true } },
      { do: "read", match: { type: "user" } },
      { do: "orphan", ms: 8_000 },
      { do: "stderr", text: "out of memory\n" },
      { do: "text", text: '{"type":"ass' },
      { do: "exit", signal: "SIGKILL" },
    ],
  });

  const events = await run(interpreter, ["hi", cli.path]);

  // The two that read the pipes still wait.
  expect(events[0]).toEqual({ failed: "the CLI is gone (exit code -9): out of memory", threads: 3 });
});

test("it reports a start that fails", async (context) => {
  const interpreter = findPython(context);
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "stderr", text: "error: unknown option '--tools=Bash'\n" },
      { do: "exit", code: 1 },
    ],
  });

  const events = await run(interpreter, ["hi", cli.path]);

  const failed = "the CLI is gone (exit code 1): error: unknown option '--tools=Bash'";
  expect(events[0]).toMatchObject({ failed });
});

test("it kills a CLI that ignores the end of input and SIGTERM", async (context) => {
  const interpreter = findPython(context);
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({
    steps: [
      { do: "trap", signals: ["SIGTERM"] },
      { do: "init", response: { hooks_applied: true } },
      { do: "read", match: { type: "user" } },
      { do: "orphan", ms: 60_000 },
      // Without a state, as from a CLI that does not know the variable.
      { do: "write", frame: { type: "result", subtype: "success", is_error: false } },
      { do: "hang" },
    ],
  });

  const events = await run(interpreter, ["impatient", cli.path]);

  expect(events.at(-2)).toMatchObject({ failed: "left early" });
  expect(events.at(-1)).toEqual({ threads: 1 });
  const log = await cli.log();
  expect(log.inputEnded).toBe(true);
  expect(log.events).toContainEqual(expect.objectContaining({ kind: "signal", signal: "SIGTERM" }));
  const grandchild = log.events.flatMap((event) => (event.kind === "orphan" ? [event.pid] : []));
  expect(grandchild).toHaveLength(1);
  // Nothing, or a zombie that nobody reaps.
  const states = spawnSync("ps", ["-o", "stat=", "-p", grandchild.join()], { encoding: "utf8" });
  expect(states.stdout.trim()).toMatch(/^(Z.*)?$/);
});

test("it drives the real binary: a tool, questions, hooks, interrupts, and a clean exit", async (context) => {
  const gate = createGate();
  const { events, requests } = await runReal(
    context,
    ["add", "delete", "bad", "stream", "interrupt", "last"],
    [
      [toolUse("mcp__calc__add", { a: 2, b: 3 })],
      text("five"),
      toolUse("Bash", { command: "rm denied" }),
      toolUse("Bash", { command: "rm raises" }),
      toolUse("Bash", { command: "rm odd" }),
      toolUse("Bash", { command: "rm hooked" }),
      toolUse("Bash", { command: "mkdir allowed && ls" }),
      text("deleted nothing"),
      { content: text("stop me", "and more"), afterEvents: 3, hold: gate.opened },
      toolUse("mcp__calc__wait", {}),
      text("bye"),
    ],
  );
  gate.open();

  // Hooks and the cancelled tool report from threads of their own.
  expect(events.filter((event) => !("hook" in event || "tool_cancelled" in event))).toEqual([
    { asked: { a: 2, b: 3 } },
    { tool_result: [{ type: "text", text: "5" }], is_error: false },
    { result: "five", is_error: false, reason: "completed" },
    { asked: { command: "rm denied" } },
    { tool_result: "Not that one.", is_error: true },
    { asked: { command: "rm raises" } },
    { tool_result: "The permission callback failed: LookupError: no rule for this", is_error: true },
    { asked: { command: "rm odd" } },
    { tool_result: expect.stringContaining("neither allow nor deny"), is_error: true },
    {
      tool_result: "PreToolUse:Bash hook error: The hook failed: LookupError: the hook is broken",
      is_error: true,
    },
    { asked: { command: "mkdir allowed && ls" } },
    { tool_result: "allowed", is_error: false },
    { result: "deleted nothing", is_error: false, reason: "completed" },
    { result: expect.stringContaining("LookupError: the hook is broken"), is_error: false, reason: null },
    { receipt: { still_queued: [] } },
    { result: null, is_error: true, reason: "aborted_streaming" },
    { asked: {} },
    { tool_result: expect.anything(), is_error: true },
    // A tool runs while its message may still be streamed.
    { result: null, is_error: true, reason: expect.stringMatching(/^aborted_(tools|streaming)$/) },
    { result: "bye", is_error: false, reason: "completed" },
    { refused: expect.stringMatching(/^Cannot set permission mode: .* \(invalid_mode\)$/) },
    { exit: 0, rest: [] },
    { threads: 1 },
  ]);
  expect(new Set(events.map(({ hook: name }) => name))).toEqual(
    new Set([undefined, "UserPromptSubmit", "PreToolUse", "PermissionRequest", "Stop"]),
  );
  expect(events).toContainEqual({ tool_cancelled: true, receipt: { still_queued: [] } });
  expect(requests).toBe(11);
});

test("it tells why the real binary refused to start", async (context) => {
  const { events } = await runReal(context, ["resume"], []);

  const failed = "No conversation found with session ID: 00000000-0000-4000-8000-000000000000";
  expect(events).toEqual([expect.objectContaining({ failed }), { threads: 1 }]);
});

test("the example of its README runs", async (context) => {
  const interpreter = findPython(context);
  const readme = await readFile(join(clients, "README.md"), "utf8");
  const example = /```python\n(.*?)```/s.exec(readme)?.[1];
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([toolUse("mcp__calc__add", { a: 1234, b: 8765 }), text("It is 9999.")]);
  await using sandbox = await createSandbox({ model });
  const path = `${dirname(findTestBinary())}${delimiter}${process.env["PATH"]}`;

  const options = { ...sandbox.spawnOptions({ PATH: path }), cwd: clients };
  expect(await pythonOutput(interpreter, ["-c", String(example)], options)).toBe("It is 9999. False\n");

  expect(model.requests[1]?.toolResults).toMatchObject([{ text: "9999" }]);
  model.assertDone();
});

/** The path of an interpreter that can run the client. Skips the test where there is none. */
function findPython(context: TestContext): string {
  for (const command of ["python3", "python"]) {
    try {
      const code = "import sys; print(sys.executable if sys.version_info >= (3, 11) else '')";
      const path = execFileSync(command, ["-c", code], { timeout: 20_000, encoding: "utf8" }).trim();
      if (path !== "") return path;
    } catch {
      // Not in PATH, or one that only looks like it.
    }
  }
  return context.skip("The Python client needs Python 3.11 or newer, and there is none in PATH.");
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** What a program prints. It must end well, and without a word on stderr. */
async function pythonOutput(interpreter: string, argv: readonly string[], options: RunOptions): Promise<string> {
  // -B: no compiled files beside the sources. -X dev: what is left open is told on stderr.
  const child = spawn(interpreter, ["-B", "-X", "dev", ...argv], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
  });
  const [output, errors, [code]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, "exit"),
  ]);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return output;
}

/** What the session wrote, line by line. */
async function run(
  interpreter: string,
  argv: readonly string[],
  options: RunOptions = { env: { PATH: process.env["PATH"] } },
): Promise<Wire[]> {
  const output = await pythonOutput(interpreter, [session, ...argv], options);
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function runReal(
  context: TestContext,
  prompts: readonly string[],
  script: ModelScript,
): Promise<{ events: Wire[]; requests: number }> {
  const interpreter = findPython(context);
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(script);
  await using sandbox = await createSandbox({ model });
  const events = await run(interpreter, [prompts.join(","), findTestBinary()], sandbox.spawnOptions());
  model.assertDone();
  return { events, requests: model.requests.length };
}

function success(requestId: string, response?: Wire): Wire {
  return {
    type: "control_response",
    response: { subtype: "success", request_id: requestId, ...(response && { response }) },
  };
}

function failure(requestId: string, error: string, code: string): Wire {
  return { type: "control_response", response: { subtype: "error", request_id: requestId, error, error_code: code } };
}

function state(name: string): CliStep {
  const frame = { type: "system", subtype: "session_state_changed", state: name, sdk_host_only: true };
  return { do: "write", frame };
}

function hook(id: string, input: Wire): Wire {
  return { subtype: "hook_callback", callback_id: id, input };
}

function call(message: Wire): Wire {
  return { subtype: "mcp_message", server_name: "calc", message: { jsonrpc: "2.0", ...message } };
}

function result(id: number, value: Wire): Wire {
  return { mcp_response: { jsonrpc: "2.0", id, result: value } };
}

/** A question. */
function send(requestId: string, request: Wire): CliStep {
  return { do: "write", frame: { type: "control_request", request_id: requestId, request } };
}

/** A question, and its answer. */
function ask(requestId: string, request: Wire): CliStep[] {
  const match = { type: "control_response", "response.request_id": requestId };
  return [send(requestId, request), { do: "read", match }];
}

function mcp(requestId: string, message: Wire): CliStep[] {
  return ask(requestId, call(message));
}

/** What the host answered, by request id: the payload, or the error. An id that was answered twice fails. */
function answers(log: CliLog): Wire {
  const found: Record<string, unknown> = {};
  for (const frame of log.frames) {
    if (frame.type !== "control_response") continue;
    const { request_id: id, subtype, response, error, error_code: code = "error" } = frame["response"] as Wire;
    expect(found).not.toHaveProperty([String(id)]);
    found[String(id)] = subtype === "success" ? response : `${code}: ${error}`;
  }
  return found;
}

/** What the JSON Schemas beside the pages say against the frames of the host. */
async function invalidFrames(log: CliLog): Promise<string[]> {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  for (const file of await readdir(schemaFolder)) {
    ajv.addSchema(JSON.parse(await readFile(join(schemaFolder, file), "utf8")));
  }
  const subtypes: Record<string, string> = {
    p: "can_use_tool",
    h: "hook_callback",
    m: "mcp_message",
    e: "elicitation",
  };
  const problems: string[] = [];
  const check = (reference: string, value: unknown): void => {
    if (!ajv.validate(reference, value)) problems.push(`${JSON.stringify(value)}: ${ajv.errorsText()}`);
  };
  for (const frame of log.frames) check("host-frames.schema.json", frame);
  for (const [id, answer] of Object.entries(answers(log))) {
    if (typeof answer === "string") continue;
    check("control-responses.schema.json#/$defs/InboundResponses", { [String(subtypes[id.charAt(0)])]: answer });
  }
  return problems;
}

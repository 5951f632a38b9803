import { type FrameValue, MalformedFrameError, type Transport } from "@reins/streamjson";
import { transportPair } from "@reins/testkit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  ControlClient,
  type ControlClientOptions,
  ControlError,
  ControlTimeoutError,
  type InProcessServer,
  type JsonRpcMessage,
  NoResultError,
  type RequestHandler,
  ResultError,
  SessionClosedError,
} from "../src/index.ts";
import { answerTo, changed, refusalOf, type Session, session, values } from "./session.ts";

function throwBoom(): never {
  throw new Error("boom");
}

const prompt = { type: "user", message: { role: "user", content: "hi" } };
const result = { type: "result", subtype: "success", is_error: false };
const permission = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" }, tool_use_id: "toolu_1" };

describe("a request", () => {
  test("gets its own answer, whatever the order of the answers", async () => {
    const { client, cli, read } = session();
    const first = client.request("mcp_status");
    const second = client.request("get_settings", { detail: "full" });
    const [one, two] = [await read(), await read()];
    expect([one["request"], two["request"]]).toEqual([
      { subtype: "mcp_status" },
      { subtype: "get_settings", detail: "full" },
    ]);
    await cli.send(answerTo(two, { n: 2 }));
    await cli.send(answerTo(one));
    expect([await first, await second]).toEqual([{}, { n: 2 }]);
  });

  test("rejects with the CLI's text and code when it is refused", async () => {
    const { client, cli, read } = session();
    const answer = client.request("set_permission_mode", { mode: "no" });
    await cli.send(refusalOf(await read(), "Cannot set permission mode", "invalid_mode"));
    await expect(answer).rejects.toMatchObject({
      name: "ControlError",
      message: "Cannot set permission mode",
      subtype: "set_permission_mode",
      errorCode: "invalid_mode",
    });
  });

  test("rejects on an answer of an unknown shape, and is not taken for a success", async () => {
    const { client, cli, read } = session();
    const answer = client.request("mcp_status");
    await cli.send({
      type: "control_response",
      response: { request_id: (await read())["request_id"], subtype: "maybe" },
    });
    await expect(answer).rejects.toBeInstanceOf(ControlError);
  });

  test("is given up at its deadline, the CLI is told, and the late answer is an event", async () => {
    const { client, cli, read, diagnostics } = session();
    const answer = client.request("mcp_status", {}, { timeoutMs: 5 });
    const request = await read();
    await expect(answer).rejects.toBeInstanceOf(ControlTimeoutError);
    expect(await read()).toEqual({ type: "control_cancel_request", request_id: request["request_id"] });
    await cli.send(answerTo(request));
    await cli.send(result);
    await client.messages.next();
    expect(diagnostics.map((diagnostic) => diagnostic.kind)).toEqual(["unmatched-response"]);
  });

  test("is given up with the reason of its signal, and writes nothing when that had aborted before", async () => {
    const { client, read } = session();
    const controller = new AbortController();
    const answer = client.request("mcp_status", {}, { signal: controller.signal });
    const request = await read();
    controller.abort(new Error("enough"));
    await expect(answer).rejects.toThrow("enough");
    expect(await read()).toEqual({ type: "control_cancel_request", request_id: request["request_id"] });
    await expect(client.request("get_settings", {}, { signal: controller.signal })).rejects.toThrow("enough");
    await client.send(prompt);
    expect(await read()).toEqual(prompt);
  });

  test("rejects when the CLI exits, with its error, and so does every later one", async () => {
    const { client, cli, read } = session();
    const answers = [client.request("set_model"), client.request("mcp_status")];
    await read();
    cli.writeError("fatal: out of memory\n");
    cli.exit({ code: 3 });
    for (const settled of await Promise.allSettled([...answers, client.request("mcp_status")])) {
      expect(settled).toMatchObject({
        status: "rejected",
        reason: { exitCode: 3, stderrTail: "fatal: out of memory\n" },
      });
    }
    await expect(client.send(prompt)).rejects.toMatchObject({ exitCode: 3 });
    await expect(values(client)).rejects.toMatchObject({ exitCode: 3 });
  });

  test("rejects with the text of an error result when the CLI writes one in place of an answer", async () => {
    const { client, cli, read } = session();
    const answer = client.initialize();
    await read();
    await cli.send({
      type: "result",
      subtype: "error_during_execution",
      is_error: true,
      errors: ["No conversation found with session ID: x"],
    });
    cli.exit({ code: 1 });
    await expect(answer).rejects.toBeInstanceOf(ResultError);
    await expect(answer).rejects.toThrow("No conversation found with session ID: x");
    await expect(values(client)).rejects.toMatchObject({ name: "ResultError", cause: { exitCode: 1 } });
  });

  test("rejects at once when the session is closed", async () => {
    const { client, read } = session();
    const answer = client.request("mcp_status");
    await read();
    const closing = client.close();
    await expect(answer).rejects.toBeInstanceOf(SessionClosedError);
    await closing;
    await expect(client.request("mcp_status")).rejects.toBeInstanceOf(SessionClosedError);
  });

  test("rejects when it cannot be encoded, and the session goes on", async () => {
    const { client, read } = session();
    await expect(client.request("some_request", { n: 1n })).rejects.toMatchObject({ code: "REINS_FRAME_ENCODE" });
    await client.send(prompt);
    expect(await read()).toEqual(prompt);
  });

  test("that may take for ever is not given up at once, however for ever is said", async () => {
    const { client, cli, read } = session();
    const answers = [Infinity, Number.MAX_SAFE_INTEGER, 2 ** 31].map((timeoutMs) =>
      client.request("mcp_status", {}, { timeoutMs }),
    );
    const requests = [await read(), await read(), await read()];
    await client.send(prompt);
    // Nothing was given up in between.
    expect(await read()).toEqual(prompt);
    for (const request of requests) await cli.send(answerTo(request));
    expect(await Promise.all(answers)).toEqual([{}, {}, {}]);
  });

  test("rejects when the transport throws instead of rejecting", async () => {
    const { client } = session(
      {},
      changed({
        send: () => {
          throw new TypeError("broken transport");
        },
      }),
    );
    const answer = client.request("mcp_status");
    const closing = client.close();
    await expect(answer).rejects.toBeInstanceOf(SessionClosedError);
    await closing;
  });
});

test("initialize registers hooks under ids and names the in-process servers", async () => {
  const hook = async (): Promise<void> => {};
  const { client, cli, read } = session({
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hooks: [hook, hook] },
        { hooks: [hook], onFailure: "continue" },
      ],
      Stop: [{ hooks: [hook], timeout: 5 }],
    },
    mcpServers: { calc: { connect: () => ({ handle: async () => undefined, close: () => {} }) } },
  });
  const answer = client.initialize({ systemPrompt: [""] });
  const request = await read();
  expect(request["request"]).toEqual({
    subtype: "initialize",
    hooks: {
      PreToolUse: [
        { matcher: "Bash", hookCallbackIds: ["hook_0", "hook_1"], onFailure: "block" },
        { hookCallbackIds: ["hook_2"], onFailure: "continue" },
      ],
      Stop: [{ hookCallbackIds: ["hook_3"], timeout: 5 }],
    },
    sdkMcpServers: ["calc"],
    systemPrompt: [""],
  });
  await cli.send(answerTo(request, { pid: 1 }));
  expect(await answer).toEqual({ pid: 1 });
});

test("a hook for an event that does not exist is refused, since it would never be called", () => {
  const { host } = transportPair();
  onTestFinished(() => host.close());
  // What a caller without types could misspell.
  const hooks = { PreTooluse: [{ hooks: [] }] } as NonNullable<ControlClientOptions["hooks"]>;
  expect(() => new ControlClient(host, { hooks })).toThrow("unknown event PreTooluse");
});

test("hooks of the wrong shape are refused before anything is sent", () => {
  const { host } = transportPair();
  onTestFinished(() => host.close());
  // What a caller without types could pass.
  const hooks = { PreToolUse: [{ matcher: "Bash" }] } as unknown as NonNullable<ControlClientOptions["hooks"]>;
  expect(() => new ControlClient(host, { hooks })).toThrow("hooks.PreToolUse[0].hooks must be an array");
});

describe("a permission question", () => {
  test("is answered with the callback's decision, and with the input of the request where it gives none", async () => {
    const asked: unknown[] = [];
    const { ask } = session({
      canUseTool: (name, input, { toolUseID, suggestions, agentID }) => {
        asked.push({ name, input, toolUseID, suggestions, agentID });
        return { behavior: "allow" };
      },
    });
    expect(await ask("p1", { ...permission, permission_suggestions: [], agent_id: "a1" })).toEqual({
      subtype: "success",
      request_id: "p1",
      response: { behavior: "allow", updatedInput: { command: "ls" }, toolUseID: "toolu_1" },
    });
    expect(asked).toEqual([
      { name: "Bash", input: { command: "ls" }, toolUseID: "toolu_1", suggestions: [], agentID: "a1" },
    ]);
  });

  const notClear: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects with something else", () => Promise.reject("boom")],
    ["returns nothing", () => undefined],
    ["returns null", () => null],
    ["returns true", () => true],
    ["returns an unknown behavior", () => ({ behavior: "maybe" })],
    ["returns an input that is no object", () => ({ behavior: "allow", updatedInput: "ls" })],
    ["returns an input that cannot be written", () => ({ behavior: "allow", updatedInput: { n: 1n } })],
    ["returns updates that are no list", () => ({ behavior: "allow", updatedPermissions: {} })],
    ["throws what has no text", () => Promise.reject(Object.create(null))],
    [
      "throws an error whose message cannot be read",
      () => Promise.reject(Object.defineProperty(new Error("x"), "message", { get: throwBoom })),
    ],
    ["returns what cannot be read", () => new Proxy({}, { get: throwBoom, ownKeys: throwBoom })],
    ["returns a behavior that has no text", () => ({ behavior: { toString: 1 } })],
  ];
  test.each(notClear)("is denied when the callback %s", async (_, callback) => {
    // The callbacks are wrong on purpose.
    const { ask, diagnostics } = session({ canUseTool: callback as NonNullable<ControlClientOptions["canUseTool"]> });
    const answer = await ask("p1", permission);
    expect(answer).toMatchObject({
      subtype: "success",
      response: { behavior: "deny", message: expect.stringContaining("callback failed") },
    });
    expect(diagnostics).toMatchObject([{ kind: "callback-failed", subtype: "can_use_tool" }]);
  });

  test("is answered with what an instance of a class says", async () => {
    class Denial {
      get behavior(): "deny" {
        return "deny";
      }
      get message(): string {
        return "not here";
      }
      get interrupt(): boolean {
        return true;
      }
    }
    const { ask } = session({ canUseTool: () => new Denial() });
    expect(await ask("p1", permission)).toMatchObject({
      response: { behavior: "deny", message: "not here", interrupt: true },
    });
  });

  test("carries the text of what the callback threw in its denial", async () => {
    const { ask } = session({ canUseTool: () => Promise.reject(new Error("boom")) });
    expect(JSON.stringify(await ask("p1", permission))).toContain("boom");
  });

  test("gets a message with its denial even if the callback gave none", async () => {
    // A message is required by the type.
    const { ask } = session({ canUseTool: (() => ({ behavior: "deny" })) as never });
    expect(await ask("p1", permission)).toMatchObject({ response: { behavior: "deny", message: expect.any(String) } });
  });

  test("is refused when there is no callback", async () => {
    const { ask } = session();
    expect(await ask("p1", permission)).toMatchObject({
      subtype: "error",
      error: "canUseTool callback is not provided.",
    });
  });

  test("that is withdrawn aborts its signal and gets no answer, while others are served", async () => {
    const aborted: string[] = [];
    const { cli, ask, diagnostics } = session({
      canUseTool: (_, input, { signal, toolUseID }) =>
        toolUseID === "toolu_2"
          ? { behavior: "allow" }
          : new Promise((resolve) => {
              signal.addEventListener("abort", () => {
                aborted.push(toolUseID);
                resolve({ behavior: "allow", updatedInput: input });
              });
            }),
    });
    await cli.send({ type: "control_request", request_id: "p1", request: permission });
    await cli.send({ type: "control_cancel_request", request_id: "p1" });
    // The first answer that comes is that to the second request.
    await cli.send({ type: "control_request", request_id: "p2", request: { ...permission, tool_use_id: "toolu_2" } });
    expect((await cli.read())?.value["response"]).toMatchObject({ request_id: "p2" });
    expect(await ask("p3", { ...permission, tool_use_id: "toolu_2" })).toMatchObject({ request_id: "p3" });
    expect([aborted, diagnostics.map((diagnostic) => diagnostic.kind)]).toEqual([["toolu_1"], ["late-answer"]]);
  });

  test("that comes twice while it is open is asked and answered once", async () => {
    let calls = 0;
    let allow = (): void => {};
    const { cli, client, read } = session({
      canUseTool: () => {
        calls++;
        return new Promise((resolve) => {
          allow = () => resolve({ behavior: "allow" });
        });
      },
    });
    for (let i = 0; i < 2; i++) await cli.send({ type: "control_request", request_id: "p1", request: permission });
    await cli.send(result);
    await client.messages.next();
    allow();
    expect((await read())["response"]).toMatchObject({ request_id: "p1" });
    await client.send(prompt);
    expect([await read(), calls]).toEqual([prompt, 1]);
  });
});

describe("a hook", () => {
  function hooked(event: string, callback: () => unknown, onFailure?: "block" | "continue"): Session {
    // The callbacks are wrong on purpose.
    const matcher = { hooks: [callback as () => void], ...(onFailure === undefined ? {} : { onFailure }) };
    return session({ hooks: { [event]: [matcher] } });
  }
  const boom = throwBoom;
  const call = { subtype: "hook_callback", callback_id: "hook_0", input: {}, tool_use_id: "toolu_1" };

  test("gets the input and answers with its output", async () => {
    const seen: unknown[] = [];
    const { ask } = session({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async (input, toolUseID, { signal }) => {
                seen.push(input, toolUseID, signal.aborted);
                return { continue: false };
              },
            ],
          },
        ],
      },
    });
    expect(await ask("h1", { ...call, input: { hook_event_name: "PreToolUse" } })).toMatchObject({
      response: { continue: false },
    });
    expect(seen).toEqual([{ hook_event_name: "PreToolUse" }, "toolu_1", false]);
  });

  test("that returns nothing has no opinion", async () => {
    expect(await hooked("PreToolUse", () => undefined).ask("h1", call)).toMatchObject({
      subtype: "success",
      response: {},
    });
  });

  test("that fails denies where its event can deny", async () => {
    expect(await hooked("PreToolUse", boom).ask("h1", call)).toMatchObject({
      response: {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining("boom"),
        },
      },
    });
    expect(await hooked("PermissionRequest", boom).ask("h1", call)).toMatchObject({
      response: {
        hookSpecificOutput: {
          hookEventName: "PermissionRequest",
          decision: { behavior: "deny", message: expect.stringContaining("boom") },
        },
      },
    });
    expect(await hooked("UserPromptSubmit", boom).ask("h1", call)).toMatchObject({
      response: { decision: "block", reason: expect.stringContaining("boom") },
    });
  });

  class Opinion {
    get decision(): string {
      return "block";
    }
  }
  test.each([
    () => null,
    () => "deny",
    () => [],
    () => ({ n: 1n }),
    () => new Map([["decision", "block"]]),
    () => new Opinion(),
  ])("that gives no answer denies (%s)", async (callback) => {
    expect(await hooked("PreToolUse", callback).ask("h1", call)).toMatchObject({
      response: { hookSpecificOutput: { permissionDecision: "deny" } },
    });
  });

  test("that fails is an error response where its event cannot deny, and where its matcher says continue", async () => {
    for (const broken of [hooked("PostToolUse", boom), hooked("PreToolUse", boom, "continue")]) {
      expect(await broken.ask("h1", call)).toMatchObject({ subtype: "error", error: expect.stringContaining("boom") });
      expect(broken.diagnostics).toMatchObject([{ kind: "callback-failed", subtype: "hook_callback" }]);
    }
  });

  test("with an unknown id is answered with an error", async () => {
    expect(await session().ask("h1", call)).toMatchObject({
      subtype: "error",
      error: "No hook callback found for ID: hook_0",
    });
  });
});

describe("an in-process server", () => {
  function serving(
    handle: (message: JsonRpcMessage) => Promise<JsonRpcMessage | undefined>,
  ): Session & { closed: () => boolean } {
    let closed = false;
    const server: InProcessServer = {
      connect: () => ({
        handle,
        close: () => {
          closed = true;
        },
      }),
    };
    return { ...session({ mcpServers: { calc: server } }), closed: () => closed };
  }
  const message = (fields: FrameValue, server_name = "calc"): FrameValue => ({
    subtype: "mcp_message",
    server_name,
    message: { jsonrpc: "2.0", ...fields },
  });

  test("answers requests under their own id, 0 too, and acknowledges the rest", async () => {
    const { ask } = serving(async ({ id, method }) =>
      id === undefined ? undefined : { jsonrpc: "2.0", id, result: { method } },
    );
    expect(await ask("m1", message({ id: 0, method: "ping" }))).toMatchObject({
      response: { mcp_response: { jsonrpc: "2.0", id: 0, result: { method: "ping" } } },
    });
    expect(await ask("m2", message({ method: "notifications/initialized" }))).toMatchObject({
      response: { mcp_response: { result: {} } },
    });
    expect(await ask("m3", message({ id: 5, result: {} }))).toMatchObject({
      response: { mcp_response: { result: {} } },
    });
  });

  test("that fails or gives no valid response is answered for, since the CLI would wait for ever", async () => {
    const bad: (() => Promise<unknown>)[] = [
      () => Promise.reject(new Error("boom")),
      async () => undefined,
      async () => ({ jsonrpc: "2.0", id: 8, result: {} }),
      async () => ({ jsonrpc: "2.0", id: 7 }),
      async () => ({ jsonrpc: "2.0", id: 7, result: 5 }),
    ];
    for (const handle of bad) {
      // The servers are wrong on purpose.
      const { ask } = serving(handle as () => Promise<JsonRpcMessage | undefined>);
      expect(await ask("m1", message({ id: 7, method: "ping" }))).toMatchObject({
        response: { mcp_response: { id: 7, error: { code: -32603 } } },
      });
    }
  });

  test("that the CLI does not know is an error", async () => {
    const { ask } = serving(async () => undefined);
    expect(await ask("m1", message({ id: 1, method: "ping" }, "nope"))).toMatchObject({
      subtype: "error",
      error: "SDK MCP server not found: nope",
    });
    expect(await ask("m2", message({ id: 1, method: "ping" }, "__proto__"))).toMatchObject({ subtype: "error" });
  });

  test("that throws when a call is withdrawn does no harm", async () => {
    const { cli, ask } = serving((message) => {
      if (message.method === "notifications/cancelled") throwBoom();
      return message.id === 1 ? new Promise(() => {}) : Promise.resolve({ jsonrpc: "2.0", id: 2, result: {} });
    });
    await cli.send({ type: "control_request", request_id: "m1", request: message({ id: 1, method: "tools/call" }) });
    await cli.send({ type: "control_cancel_request", request_id: "m1" });
    expect(await ask("m2", message({ id: 2, method: "ping" }))).toMatchObject({
      response: { mcp_response: { id: 2 } },
    });
  });

  test("is closed with the session", async () => {
    const { ask, client, closed } = serving(async ({ id }) => ({ jsonrpc: "2.0", id: id ?? 0, result: {} }));
    await ask("m1", message({ id: 1, method: "ping" }));
    await client.close();
    expect(closed()).toBe(true);
  });

  test("sends messages of its own to the CLI", async () => {
    const { client, cli, read } = session({
      mcpServers: {
        calc: {
          connect: (send) => ({
            handle: async () => {
              send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
              return undefined;
            },
            close: () => {},
          }),
        },
      },
    });
    await cli.send({
      type: "control_request",
      request_id: "m1",
      request: message({ method: "notifications/initialized" }),
    });
    const request = await read();
    expect(request["request"]).toMatchObject({
      subtype: "mcp_message",
      server_name: "calc",
      message: { method: "notifications/tools/list_changed" },
    });
    await cli.send(answerTo(request));
    await client.close();
  });
});

describe("other requests of the CLI", () => {
  test("are answered as unsupported, in the words that the CLI knows", async () => {
    expect(await session().ask("u1", { subtype: "request_of_tomorrow" })).toEqual({
      subtype: "error",
      request_id: "u1",
      error: "Unsupported control request subtype: request_of_tomorrow",
      error_code: "unsupported_request",
    });
  });

  test("are left to the other clients of a shared session where they belong to them", async () => {
    const { cli, ask } = session();
    await cli.send({ type: "control_request", request_id: "r1", request: { subtype: "remote_tool_call" } });
    expect(await ask("u1", { subtype: "request_of_tomorrow" })).toMatchObject({ request_id: "u1" });
  });

  test("can be served, and unserved again", async () => {
    const { client, ask } = session();
    const stop = client.onRequest("ui_copy", {
      handle: (request) => ({ kind: "success", response: { copied: request["text"] } }),
    });
    expect(await ask("u1", { subtype: "ui_copy", text: "x" })).toMatchObject({ response: { copied: "x" } });
    stop();
    expect(await ask("u2", { subtype: "ui_copy", text: "x" })).toMatchObject({ subtype: "error" });
  });

  test("are served as before when what replaced that is taken back, in any order", async () => {
    const { client, ask } = session({ canUseTool: () => ({ behavior: "deny", message: "built in" }) });
    const denyAs = (message: string): (() => void) =>
      client.onRequest("can_use_tool", {
        handle: () => ({ kind: "success", response: { behavior: "deny", message } }),
      });
    const answers: unknown[] = [];
    const note = async (): Promise<void> => {
      const answer = (await ask(`p${answers.length}`, permission)) as { response: { message: string } };
      answers.push(answer.response.message);
    };
    const [stopFirst, stopSecond] = [denyAs("first"), denyAs("second")];
    await note();
    stopFirst();
    await note();
    stopSecond();
    await note();
    expect(answers).toEqual(["second", "second", "built in"]);
  });

  test.each([
    ["throws in its turn", { handle: throwBoom, onFailure: throwBoom }],
    ["gives no answer", { handle: () => undefined }],
    ["gives an answer of no kind", { handle: () => ({ kind: "sucess" }) }],
    ["throws what has no text", { handle: () => Promise.reject(Object.create(null)) }],
  ])("whose handler %s are answered with an error", async (_, handler) => {
    const { client, ask } = session();
    // The handlers are wrong on purpose.
    client.onRequest("ui_copy", handler as unknown as RequestHandler);
    expect(await ask("u1", { subtype: "ui_copy" })).toMatchObject({ subtype: "error", error: expect.any(String) });
  });

  test("that are withdrawn while a handler works that will give no answer do no harm", async () => {
    const { client, cli, ask } = session();
    let go = (): void => {};
    const handle = (): Promise<never> =>
      new Promise((resolve) => {
        // Wrong on purpose.
        go = () => resolve(undefined as never);
      });
    client.onRequest("ui_copy", { handle });
    await cli.send({ type: "control_request", request_id: "u1", request: { subtype: "ui_copy" } });
    await cli.send({ type: "control_cancel_request", request_id: "u1" });
    await ask("u2", { subtype: "other" });
    go();
    expect(await ask("u3", { subtype: "other" })).toMatchObject({ subtype: "error" });
  });

  // String() throws for it.
  const textless = { toString: 1, valueOf: 1 };
  test("whose members are not what they should be are answered or passed over, and end nothing", async () => {
    const { cli, ask } = session({
      canUseTool: () => ({ behavior: "deny", message: "no" }),
      hooks: { PreToolUse: [{ hooks: [() => undefined] }] },
      mcpServers: { calc: { connect: () => ({ handle: async () => undefined, close: () => {} }) } },
    });
    await cli.send({ type: "control_cancel_request", request_id: textless });
    await cli.send({ type: "control_cancel_request" });
    await cli.send({ type: "control_response", response: { subtype: "success", request_id: textless } });
    await cli.send({ type: "control_request", request_id: textless, request: { subtype: "ui_copy" } });
    await cli.send({ type: "control_request", request_id: "r0", request: [] });
    for (const [id, subtype] of ["", "__proto__", textless, null, 0].map((name, i) => [`s${i}`, name] as const))
      expect(await ask(id, { subtype })).toMatchObject({ subtype: "error", error_code: "unsupported_request" });
    const broken = { ...permission, tool_use_id: textless, tool_name: textless, input: textless };
    expect(await ask("__proto__", broken)).toMatchObject({ response: { behavior: "deny" } });
    const call = { subtype: "hook_callback", callback_id: textless, input: textless };
    expect(await ask("constructor", call)).toMatchObject({ subtype: "error" });
    const message = { jsonrpc: "2.0", id: textless, method: textless };
    const answer = await ask("", { subtype: "mcp_message", server_name: "calc", message });
    expect(answer).toMatchObject({ response: { mcp_response: { error: { code: -32603 } } } });
    expect(await ask("t1", { subtype: "mcp_message", server_name: textless, message })).toMatchObject({
      subtype: "error",
    });
  });

  test("decline an elicitation that nobody serves", async () => {
    expect(await session().ask("e1", { subtype: "elicitation", message: "?" })).toMatchObject({
      response: { action: "decline" },
    });
  });
});

describe("messages", () => {
  test("are everything but control traffic and frames for the host, in order", async () => {
    const { client, cli } = session();
    await cli.send({ type: "system", subtype: "session_state_changed", state: "running", sdk_host_only: true });
    await cli.send({ type: "keep_alive" });
    await cli.send({ type: "tomorrow", n: 1 });
    await cli.send({ type: "system", subtype: "session_state_changed", state: "idle" });
    await cli.send(result);
    cli.exit();
    expect(await values(client)).toEqual([
      { type: "tomorrow", n: 1 },
      { type: "system", subtype: "session_state_changed", state: "idle" },
      result,
    ]);
  });

  test("go on over lines that are no frames; those are reported as they were read", async () => {
    const { client, cli, diagnostics } = session();
    await cli.write("Welcome {\n");
    await cli.send(result);
    await cli.write("null\n[1]\n");
    cli.exit();
    expect(await values(client)).toEqual([result]);
    expect(diagnostics.map((diagnostic) => diagnostic.kind === "malformed-frame" && diagnostic.frame.text)).toEqual([
      "Welcome {",
      "null",
      "[1]",
    ]);
  });

  test("end with an error when the CLI ended without a result, and say what was cut off", async () => {
    const { client, cli, diagnostics } = session();
    await client.send(prompt);
    await cli.send({ type: "assistant" });
    await cli.write('{"type":"res');
    cli.exit();
    await expect(values(client)).rejects.toBeInstanceOf(NoResultError);
    expect(diagnostics).toMatchObject([{ kind: "malformed-frame", error: { truncated: true } }]);
    expect(diagnostics[0]?.kind === "malformed-frame" && diagnostics[0].error).toBeInstanceOf(MalformedFrameError);
  });

  test("end with an error when the CLI ended before it answered initialize, since prompts may wait for that", async () => {
    const { client, cli, read } = session();
    const initialization = client.initialize();
    initialization.catch(() => {});
    await read();
    cli.exit();
    await expect(values(client)).rejects.toBeInstanceOf(NoResultError);
    await expect(initialization).rejects.toBeInstanceOf(SessionClosedError);
  });

  test("end quietly when there was no prompt, and when the host closes", async () => {
    const quiet = session();
    quiet.cli.exit();
    expect(await values(quiet.client)).toEqual([]);
    const closed = session();
    await closed.client.send(prompt);
    const reading = values(closed.client);
    await closed.client.close();
    expect(await reading).toEqual([]);
  });

  test("end with the given reason when the host closes with one", async () => {
    const { client } = session();
    const failed = expect(values(client)).rejects.toThrow("the prompt failed");
    const answer = expect(client.request("mcp_status")).rejects.toThrow("the prompt failed");
    await client.close(new Error("the prompt failed"));
    await Promise.all([failed, answer]);
  });

  test("end with the error of the exit even when the text of the error result is no text", async () => {
    const { client, cli } = session();
    await client.send(prompt);
    await cli.send({ type: "result", subtype: {}, is_error: true, errors: [{ toString: 1, valueOf: 1 }, "second"] });
    cli.exit({ code: 1 });
    await expect(values(client)).rejects.toMatchObject({ name: "ResultError", cause: { exitCode: 1 } });
  });

  test("that were left tell of no error any more", async () => {
    const { client, cli } = session();
    const waiting = [client.messages.next(), client.messages.next()];
    await cli.send(result);
    await waiting[0];
    cli.exit({ code: 1 });
    await client.messages.return();
    expect(await waiting[1]).toEqual({ done: true, value: undefined });
    const dead = session();
    dead.cli.exit({ code: 1 });
    await dead.client.ended;
    await dead.client.messages.return();
    expect(await dead.client.messages.next()).toEqual({ done: true, value: undefined });
  });

  test("leaving them closes the session", async () => {
    const { client, cli } = session();
    await cli.send(result);
    for await (const _ of client.messages) break;
    await expect(client.request("mcp_status")).rejects.toBeInstanceOf(SessionClosedError);
    await expect(cli.send(result)).rejects.toThrow();
  });
});

describe("a slow reader of messages", () => {
  const big = { type: "assistant", text: "x".repeat(1000) };

  test("stops the reading at the limit, and does not keep answers from coming", async () => {
    const { client, cli, read } = session({ maxQueuedLength: 2000 });
    let written = 0;
    const flood = (async () => {
      for (; written < 500; written++) await cli.send(big);
    })();
    // Settles once the flood has filled the queue and the buffer of the transport.
    await expect.poll(() => written).toBeGreaterThan(2);
    const before = written;
    expect(before).toBeLessThan(500);
    const answer = client.request("mcp_status");
    const request = await read();
    await flood;
    await cli.send(answerTo(request, { ok: true }));
    expect(await answer).toEqual({ ok: true });
    cli.exit();
    expect(await values(client)).toHaveLength(500);
  });
});

describe("a transport that breaks its rules", () => {
  const fail = (): Promise<never> => Promise.reject(new Error("broken transport"));

  test.each([
    ["rejects", fail],
    [
      "throws",
      () => {
        throw new Error("broken transport");
      },
    ],
  ])("at its close, which %s, ends the session all the same", async (_, close) => {
    const { client, cli } = session({}, changed({ close }));
    const failed = expect(values(client)).rejects.toThrow("enough");
    const closing = client.close(new Error("enough"));
    await failed;
    cli.exit();
    await closing;
    await client.ended;
  });

  test("at its frames, which end without the other side, can be closed and leaves nobody waiting", async () => {
    const frames: Transport["frames"] = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) };
    const { client } = session({}, changed({ frames }));
    const reading = values(client);
    await client.close();
    expect(await reading).toEqual([]);
  });

  test("at its frames, which throw, fails with that error", async () => {
    const frames: Transport["frames"] = { [Symbol.asyncIterator]: throwBoom };
    const { client, cli } = session({}, changed({ frames }));
    cli.exit();
    await expect(values(client)).rejects.toThrow("boom");
  });

  test("at its exit, which rejects, fails with that error", async () => {
    const closed = fail();
    closed.catch(() => {});
    const { client, cli } = session({}, changed({ closed }));
    const answer = client.request("mcp_status");
    cli.exit();
    await expect(answer).rejects.toThrow("broken transport");
    await expect(values(client)).rejects.toThrow("broken transport");
  });

  test("at the end of its input, which rejects or does not come, does not keep the normal end from coming", async () => {
    for (const endInput of [fail, throwBoom, () => new Promise<void>(() => {})]) {
      const { client, cli } = session({}, changed({ endInput }));
      await client.send(prompt);
      await cli.send(result);
      await client.finish(5);
      expect(await values(client)).toEqual([result]);
    }
  });
});

test("a prompt that comes too late fails with the error of the exit, however long that is behind unread messages", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, cli } = session({ maxQueuedLength: 10 });
  await cli.send(result);
  // Settled when the reader has taken the first one, and waits for room.
  await expect.poll(() => client.messages.isFull).toBe(true);
  await cli.send(result);
  cli.exit({ code: 1 });
  const sending = client.send(prompt).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await expect(values(client)).rejects.toMatchObject({ exitCode: 1 });
  expect(await sending).toMatchObject({ exitCode: 1 });
});

test("a callback that hangs does not keep messages and answers from coming", async () => {
  const { client, cli, read } = session({ canUseTool: () => new Promise(() => {}) });
  await cli.send({ type: "control_request", request_id: "p1", request: permission });
  const answer = client.request("mcp_status");
  await cli.send(answerTo(await read(), { ok: true }));
  await cli.send(result);
  expect(await answer).toEqual({ ok: true });
  expect((await client.messages.next()).value?.value).toEqual(result);
});

describe("the normal end", () => {
  test("keeps the input open until the run is over", async () => {
    const { client, cli, ask } = session({ canUseTool: () => ({ behavior: "allow" }) });
    await client.send(prompt);
    const finishing = client.finish();
    await cli.read();
    await cli.send({ type: "system", subtype: "session_state_changed", state: "running", sdk_host_only: true });
    await cli.send(result);
    expect(await ask("p1", permission)).toMatchObject({ response: { behavior: "allow" } });
    await cli.send(result);
    await cli.send({ type: "system", subtype: "session_state_changed", state: "idle", sdk_host_only: true });
    expect(await cli.read()).toBeUndefined();
    cli.exit();
    await finishing;
    expect(await values(client)).toEqual([result, result]);
  });

  test("comes also after a prompt that could not be written", async () => {
    const { client, cli } = session();
    await expect(client.send({ ...prompt, n: 1n })).rejects.toMatchObject({ code: "REINS_FRAME_ENCODE" });
    const finishing = client.finish();
    expect(await cli.read()).toBeUndefined();
    cli.exit();
    await finishing;
    expect(await values(client)).toEqual([]);
  });

  test("gives a slow reader all that the CLI still writes, and the failure of its exit", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, cli } = session({ maxQueuedLength: 10 });
    await client.send(prompt);
    await cli.send(result);
    const finishing = client.finish(5);
    await cli.read();
    expect(await cli.read()).toBeUndefined();
    const last = { ...result, is_error: true, result: "API Error: 400" };
    await cli.send(last);
    cli.exit({ code: 1 });
    // The grace must not count while the reader of the transport waits for this one.
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    const seen: FrameValue[] = [];
    const reading = (async () => {
      for await (const frame of client.messages) seen.push(frame.value);
    })();
    await expect(reading).rejects.toThrow("API Error: 400");
    expect(seen).toEqual([result, last]);
    await finishing;
  });

  test("closes a CLI that stays although it has nothing left to do", async () => {
    const { client, cli } = session();
    await client.send(prompt);
    await cli.send(result);
    await client.finish(5);
    expect(cli.killed.aborted).toBe(true);
    expect(await values(client)).toEqual([result]);
  });

  test("waits for background tasks and the run that they start", async () => {
    const { client, cli } = session();
    await client.send(prompt);
    await cli.send({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "t1" }] });
    await cli.send(result);
    const finishing = client.finish(5);
    await cli.read();
    expect(await cli.read()).toBeUndefined();
    expect(cli.killed.aborted).toBe(false);
    await cli.send({ type: "system", subtype: "background_tasks_changed", tasks: [] });
    await finishing;
    expect(cli.killed.aborted).toBe(true);
  });

  test("keeps the input open for work in the background where callbacks may be asked", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, cli, ask } = session({ canUseTool: () => ({ behavior: "allow" }) });
    const tasks = (...list: object[]): FrameValue => ({
      type: "system",
      subtype: "background_tasks_changed",
      tasks: list,
    });
    const state = (name: string): FrameValue => ({ type: "system", subtype: "session_state_changed", state: name });
    await client.send(prompt);
    await cli.read();
    for (const frame of [state("running"), tasks({ task_id: "t1" }), result, state("idle")]) await cli.send(frame);
    const finishing = client.finish(5);
    await vi.advanceTimersByTimeAsync(60_000);
    // The shell ends, and a moment later the CLI begins a turn of its own, which asks.
    await cli.send(tasks());
    await vi.advanceTimersByTimeAsync(50);
    await cli.send(state("running"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await ask("p1", permission)).toMatchObject({ response: { behavior: "allow" } });
    for (const frame of [result, state("idle")]) await cli.send(frame);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await cli.read()).toBeUndefined();
    cli.exit();
    await finishing;
  });

  test.each<[string, ControlClientOptions, boolean]>([
    ["a permission callback", { canUseTool: () => ({ behavior: "allow" }) }, true],
    ["a callback for elicitations", { onElicitation: () => ({ action: "decline" }) }, true],
    ["a callback for dialogs", { onUserDialog: () => null, supportedDialogKinds: ["d"] }, true],
    ["hooks", { hooks: { Stop: [{ hooks: [async () => ({})] }] } }, true],
    [
      "an in-process server",
      { mcpServers: { s: { connect: () => ({ handle: async () => undefined, close() {} }) } } },
      true,
    ],
    ["nothing that may be asked", {}, false],
  ])("with %s the input stays open for work in the background, or not", async (_, options, stays) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, cli } = session(options);
    await client.send(prompt);
    await cli.read();
    await cli.send({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "t1" }] });
    await cli.send(result);
    await client.messages.next();
    await client.messages.next();
    const finishing = client.finish();
    let isEnded = false;
    const end = cli.read().then((frame) => {
      isEnded = frame === undefined;
    });
    await vi.advanceTimersByTimeAsync(599_999);
    expect(isEnded).toBe(!stays);
    await vi.advanceTimersByTimeAsync(1);
    await end;
    expect(isEnded).toBe(true);
    cli.exit();
    await finishing;
  });

  test("does not wait for work in the background beyond the ceiling, and says so", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, cli, diagnostics } = session({
      canUseTool: () => ({ behavior: "allow" }),
      backgroundCeilingMs: 5_000,
    });
    await client.send(prompt);
    await cli.read();
    await cli.send({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "t1" }] });
    await cli.send(result);
    await client.messages.next();
    await client.messages.next();
    const finishing = client.finish();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(diagnostics).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(diagnostics).toEqual([{ kind: "background-ceiling" }]);
    expect(await cli.read()).toBeUndefined();
    cli.exit();
    await finishing;
  });

  test("passes on the failure of the exit", async () => {
    const { client, cli } = session();
    await client.send(prompt);
    const error = { ...result, is_error: true, result: "API Error: 400" };
    await cli.send(error);
    const finishing = client.finish();
    await cli.read();
    expect(await cli.read()).toBeUndefined();
    cli.exit({ code: 1 });
    await finishing;
    const seen: FrameValue[] = [];
    const reading = (async () => {
      for await (const frame of client.messages) seen.push(frame.value);
    })();
    await expect(reading).rejects.toThrow("API Error: 400");
    expect(seen).toEqual([error]);
  });
});

test("an interrupt tells what became of the queue", async () => {
  const { client, cli, read } = session();
  const first = client.interrupt();
  await cli.send(answerTo(await read(), { still_queued: ["u2"] }));
  const second = client.interrupt({ cancelQueued: true });
  const request = await read();
  expect(request["request"]).toEqual({ subtype: "interrupt", cancel_queued: true });
  await cli.send(answerTo(request, { still_queued: [], cancelled: ["u2"] }));
  const third = client.interrupt();
  await cli.send(answerTo(await read()));
  expect([await first, await second, await third]).toEqual([
    { still_queued: ["u2"] },
    { still_queued: [], cancelled: ["u2"] },
    undefined,
  ]);
});

test("an output that ends while the CLI lives on ends the session", async () => {
  const { client, cli } = session();
  const answer = client.request("mcp_status");
  cli.endOutput();
  await expect(answer).rejects.toBeInstanceOf(SessionClosedError);
  expect(cli.killed.aborted).toBe(true);
});

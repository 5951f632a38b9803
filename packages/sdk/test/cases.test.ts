import { readFile } from "node:fs/promises";
import type { SessionStore } from "@reins/sessions";
import { type CliLog, type CliScript, parseCliScript, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type CanUseTool,
  createToolServer,
  type Diagnostic,
  type Message,
  NoResultError,
  type Options,
  type Prompt,
  type Query,
  query,
  tool,
} from "../src/index.ts";

// Small inputs that are known to break hosts of the CLI. Each runs against a process, with the public API alone.

interface Run extends AsyncDisposable {
  readonly session: Query;
  readonly diagnostics: Diagnostic[];
  /** Types of the messages, with the subtype where there is one. */
  readonly kinds: () => Promise<string[]>;
  readonly log: () => Promise<CliLog>;
}

async function run(name: string, options: Options = {}, prompt: Prompt = "go"): Promise<Run> {
  const leaks = startLeakCheck();
  const cli = await scriptedCliExecutable(await readScript(name));
  const diagnostics: Diagnostic[] = [];
  const session = query({
    prompt,
    options: {
      pathToClaudeCodeExecutable: cli.path,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      ...options,
    },
  });
  return {
    session,
    diagnostics,
    kinds: async () => {
      const kinds: string[] = [];
      for await (const message of session) kinds.push(kindOf(message));
      return kinds;
    },
    log: () => cli.log(),
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await cli.close();
      const check = checking.then(() => leaks.assertClean());
      checking = check.catch(() => {});
      await check;
    },
  };
}

/** One leak check at a time: while one waits, it is a timer to the others. */
let checking: Promise<void> = Promise.resolve();

async function readScript(name: string): Promise<CliScript> {
  const text = await readFile(new URL(`fixtures/cases/${name}.script.json`, import.meta.url), "utf8");
  return parseCliScript(JSON.parse(text));
}

function kindOf(message: Message): string {
  const { type, subtype } = message as { type: string; subtype?: string };
  return subtype === undefined ? type : `${type}/${subtype}`;
}

/** The host's answer to a request of the CLI. */
function answerTo(log: CliLog, requestId: string): Record<string, unknown> | undefined {
  const responses = log.frames.filter((frame) => frame.type === "control_response").map((frame) => frame["response"]);
  return (responses as Record<string, unknown>[]).find((response) => response["request_id"] === requestId);
}

const allow: CanUseTool = () => ({ behavior: "allow" });

describe("control", () => {
  test("an allow without input carries the input of the request", async () => {
    await using running = await run("control-allow-without-input", { canUseTool: allow });
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    expect(answerTo(await log(), "p1")).toMatchObject({
      response: { behavior: "allow", updatedInput: { command: "ls" } },
    });
  });

  test("callbacks that throw deny, and the session goes on", async () => {
    const boom = (): never => {
      throw new Error("boom");
    };
    await using running = await run("control-callback-throws", {
      canUseTool: boom,
      hooks: { PreToolUse: [{ hooks: [boom] }], PostToolUse: [{ hooks: [() => undefined] }] },
    });
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    expect(answerTo(await log(), "p1")).toMatchObject({
      response: { behavior: "deny", message: expect.stringContaining("boom") },
    });
    expect(answerTo(await log(), "h1")).toMatchObject({
      response: {
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("boom") },
      },
    });
  });

  test("a request that the CLI withdraws aborts its callback and is not answered with an allow", async () => {
    let aborted: number | undefined;
    await using running = await run("control-cancelled-request", {
      canUseTool: (name, _, { signal }) =>
        name === "Read"
          ? { behavior: "allow" }
          : new Promise((resolve) => {
              const asked = Date.now();
              signal.addEventListener("abort", () => {
                aborted = Date.now() - asked;
                resolve({ behavior: "allow" });
              });
            }),
    });
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    // At once, as far as a busy machine allows; the CLI goes on to ask something else and to end.
    expect(aborted).toBeLessThan(5_000);
    expect(answerTo(await log(), "p1")).toBeUndefined();
    expect(answerTo(await log(), "p2")).toMatchObject({ response: { behavior: "allow" } });
  });

  test("an exit during initialize rejects with the exit code and what the CLI said", async () => {
    await using running = await run("control-exit-during-initialize");
    const { session, kinds } = running;
    const failure = { name: "ProcessError", exitCode: 1, stderrTail: expect.stringContaining("No conversation found") };
    await expect(session.initializationResult()).rejects.toMatchObject(failure);
    await expect(kinds()).rejects.toMatchObject(failure);
  });

  test("an exit rejects the requests that wait, and the reader", async () => {
    await using running = await run("control-exit-with-pending");
    const { session } = running;
    await session.next();
    const failure = { name: "ProcessError", exitCode: 3, stderrTail: "fatal: out of memory\n" };
    await expect(session.setModel("m2")).rejects.toMatchObject(failure);
    await expect(session.next()).rejects.toMatchObject(failure);
    expect(await session.next()).toEqual({ done: true, value: undefined });
  });

  test("an answer that comes after the CLI is gone changes nothing", async () => {
    let answer = (): void => {};
    await using running = await run("control-late-answer", {
      canUseTool: () =>
        new Promise((resolve) => {
          answer = () => resolve({ behavior: "allow" });
        }),
    });
    const { kinds, diagnostics } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    answer();
    await expect.poll(() => diagnostics.map((diagnostic) => diagnostic.kind)).toEqual(["late-answer"]);
  });

  const prompts: [string, () => Prompt][] = [
    ["a text", () => "go"],
    [
      "an iterable of one",
      async function* () {
        yield { type: "user", message: { role: "user", content: "go" } };
      },
    ],
  ];
  test.each(prompts)(
    "questions behind the first result are answered, and the input ends when the CLI is idle (%s)",
    async (_, prompt) => {
      await using running = await run("control-permission-after-result", { canUseTool: allow }, prompt());
      const { kinds, log } = running;
      expect(await kinds()).toEqual([
        "system/init",
        "system/task_started",
        "result/success",
        "system/task_notification",
        "result/success",
      ]);
      const { events, failure } = await log();
      expect(failure).toBeUndefined();
      const answered = events.findIndex((event) => event.kind === "input" && event.line.includes('"p1"'));
      const idle = events.findIndex((event) => event.kind === "step" && event.do === "readEnd");
      const ended = events.findIndex((event) => event.kind === "input-end");
      expect([answered < idle, idle < ended]).toEqual([true, true]);
    },
  );

  test("a request of tomorrow is answered with an error that names it", async () => {
    await using running = await run("control-unknown-request");
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    expect(answerTo(await log(), "u1")).toMatchObject({
      subtype: "error",
      error: expect.stringContaining("request_of_tomorrow"),
    });
  });
});

describe("framing", () => {
  test("a line of 12 MB comes whole", async () => {
    await using running = await run("framing-large-line");
    const { session } = running;
    const kinds: string[] = [];
    let length = 0;
    for await (const message of session) {
      kinds.push(kindOf(message));
      if (message.type === "user") length = JSON.stringify(message).length;
    }
    expect(kinds).toEqual(["system/init", "user", "assistant", "result/success"]);
    expect(length).toBeGreaterThan(12_582_912);
  });

  test("a line over the limit is reported, and what follows is delivered", async () => {
    await using running = await run("framing-large-line", { maxLineBytes: 1_048_576 });
    const { kinds, diagnostics } = running;
    expect(await kinds()).toEqual(["system/init", "assistant", "result/success"]);
    expect(diagnostics).toMatchObject([
      { kind: "malformed-frame", error: { limitBytes: 1_048_576, seenBytes: expect.any(Number) } },
    ]);
  });

  test("noise between the frames is reported line by line, and no frame is lost", async () => {
    await using running = await run("framing-noise-between-frames");
    const { kinds, diagnostics } = running;
    expect(await kinds()).toEqual(["system/init", "assistant", "result/success"]);
    expect(diagnostics.map((diagnostic) => diagnostic.kind === "malformed-frame" && diagnostic.frame.text)).toEqual([
      "Tools without sandbox:",
      "  - compiler",
      "[log_1] sending request {",
      "} trailing note",
    ]);
  });
});

describe("process", () => {
  test("one signal for many queries keeps no listener, also of starts that failed", async () => {
    const cli = await scriptedCliExecutable(await readScript("process-abort-listeners"));
    onTestFinished(() => cli.close());
    const leaks = startLeakCheck();
    const abortController = new AbortController();
    let listeners = 0;
    const { signal } = abortController;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...parameters: Parameters<AbortSignal["addEventListener"]>) => {
      listeners++;
      addEventListener.apply(signal, parameters);
    };
    signal.removeEventListener = (...parameters: Parameters<AbortSignal["removeEventListener"]>) => {
      listeners--;
      removeEventListener.apply(signal, parameters);
    };
    const read = async (path: string): Promise<string> => {
      let last = "";
      for await (const message of query({
        prompt: "go",
        options: { abortController, pathToClaudeCodeExecutable: path },
      }))
        last = kindOf(message);
      return last;
    };
    const ends: string[] = [];
    // More than ten at once, which would be as many listeners.
    for (let i = 0; i < 2; i++) ends.push(...(await Promise.all(Array.from({ length: 15 }, () => read(cli.path)))));
    expect(new Set(ends)).toEqual(new Set(["result/success"]));
    for (let i = 0; i < 5; i++)
      await expect(read("/no/such/claude")).rejects.toMatchObject({ name: "CliNotFoundError" });
    expect(listeners).toBeLessThanOrEqual(0);
    await leaks.assertClean();
  });

  test("a child that ignores the end of its input and SIGTERM is gone when the loop is left", async () => {
    await using running = await run("process-break-stubborn-child", { endGraceMs: 50, killGraceMs: 50 });
    const { session, log } = running;
    for await (const message of session) if (message.type === "assistant") break;
    const { pid, events } = await log();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(
      events.filter((event) => event.kind === "signal" || event.kind === "input-end").map((event) => event.kind),
    ).toEqual(["input-end", "signal"]);
  });

  test("an end without a result is an error", async () => {
    await using running = await run("process-end-without-result");
    const { kinds } = running;
    await expect(kinds()).rejects.toBeInstanceOf(NoResultError);
  });

  test("a child that exits before it reads fails with its exit code, and not with a broken pipe", async () => {
    await using running = await run("process-exit-before-input", {}, "x".repeat(5_000_000));
    const { kinds } = running;
    await expect(kinds()).rejects.toMatchObject({ name: "ProcessError", exitCode: 2, stderrTail: "bad flag\n" });
  });

  test("what the prompt throws is what the reader gets", async () => {
    const failure = new Error("source failed");
    async function* prompt(): AsyncGenerator<never> {
      yield { type: "user", message: { role: "user", content: "go" } } as never;
      throw failure;
    }
    await using running = await run("process-input-iterable-throws", {}, prompt());
    const { kinds } = running;
    await expect(kinds()).rejects.toBe(failure);
  });

  test("long options travel in the initialize request", async () => {
    const agents = { helper: { description: "helps", prompt: "p".repeat(150_000) } };
    await using running = await run("process-long-options", { systemPrompt: "s".repeat(200_000), agents });
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    const { argv, frames } = await log();
    expect(argv.join(" ").length).toBeLessThan(32_767);
    expect(frames[0]?.["request"]).toMatchObject({ systemPrompt: ["s".repeat(200_000)], agents });
  });

  test("a host inside a CLI session hands on its environment, but not the marks of that session", async () => {
    const before = { ...process.env };
    onTestFinished(() => {
      process.env = before;
    });
    Object.assign(process.env, { CLAUDECODE: "1", CLAUDE_CODE_ENTRYPOINT: "cli", CLAUDE_CODE_SSE_PORT: "1234" });
    await using running = await run("process-nested-environment");
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    const { env } = await log();
    expect(env).toMatchObject({ PATH: process.env["PATH"] });
    expect(Object.keys(env).filter((name) => name === "CLAUDECODE" || name === "CLAUDE_CODE_SSE_PORT")).toEqual([]);
  });

  test("megabytes of standard error neither block nor pile up", async () => {
    await using running = await run("process-stderr-flood");
    const { kinds } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
  });
});

describe("tools", () => {
  const schema = { type: "object", properties: {} } as const;

  test("whatever a tool returns, its call is answered and says what was wrong", async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;
    const broken: Record<string, () => unknown> = {
      throws: () => {
        throw new Error("boom");
      },
      string: () => "plain",
      nothing: () => undefined,
      cyclic: () => ({ content: [{ type: "text", text: "x", _meta: cyclic }] }),
    };
    // The handlers are wrong on purpose.
    const tools = Object.entries(broken).map(([name, handler]) => tool(name, "", schema, handler as never));
    await using running = await run("tools-bad-returns", {
      mcpServers: { calc: createToolServer({ name: "calc", tools }) },
    });
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    const { failure } = await log();
    expect(failure).toBeUndefined();
    const results = await Promise.all(
      ["t0", "t1", "t2", "t3"].map(async (id) => JSON.stringify(answerTo(await log(), id)?.["response"])),
    );
    expect(results[0]).toContain("boom");
    expect(results[1]).toContain("plain");
    for (const result of [results[0], results[2], results[3]]) expect(result).toContain('"isError":true');
  });

  test("a cancelled call aborts the signal of its handler, and the session goes on", async () => {
    let aborted = false;
    const slow = tool("slow", "", schema, (_, { signal }) => {
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          resolve("late");
        });
      });
    });
    await using running = await run("tools-cancelled-call", {
      mcpServers: { calc: createToolServer({ name: "calc", tools: [slow] }) },
    });
    const { kinds } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    expect(aborted).toBe(true);
  });

  test("parallel calls are answered as they finish, each under its own id", async () => {
    let finish = (): void => {};
    const slow = tool("slow", "", schema, () => {
      return new Promise<string>((resolve) => {
        finish = () => resolve("slow");
      });
    });
    const fast = tool("fast", "", schema, () => {
      // Not before the answer to this call is on its way.
      setTimeout(() => finish(), 50);
      return "fast";
    });
    await using running = await run("tools-parallel-calls", {
      mcpServers: { calc: createToolServer({ name: "calc", tools: [slow, fast] }) },
    });
    const { kinds, log } = running;
    expect(await kinds()).toEqual(["system/init", "result/success"]);
    const { frames } = await log();
    const order = frames
      .map((frame) => (frame["response"] as { request_id?: string } | undefined)?.request_id)
      .filter((id) => id === "m2" || id === "m3");
    expect(order).toEqual(["m3", "m2"]);
    expect(answerTo(await log(), "m2")).toMatchObject({
      response: { mcp_response: { id: 2, result: { content: [{ type: "text", text: "slow" }] } } },
    });
    expect(answerTo(await log(), "m3")).toMatchObject({
      response: { mcp_response: { id: 3, result: { content: [{ type: "text", text: "fast" }] } } },
    });
  });

  test("one server serves several sessions at once, and another one after them", async () => {
    const fast = tool("fast", "", schema, () => "fast");
    const mcpServers = { calc: createToolServer({ name: "calc", tools: [fast] }) };
    await using _leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable(await readScript("tools-shared-by-sessions"));
    const once = async (): Promise<string[]> => {
      const kinds: string[] = [];
      const options = { pathToClaudeCodeExecutable: cli.path, mcpServers };
      for await (const message of query({ prompt: "go", options })) kinds.push(kindOf(message));
      return kinds;
    };
    const ends = [...(await Promise.all([once(), once(), once()])), await once()];
    const logs = await cli.logs();
    expect([ends.length, logs.length]).toEqual([4, 4]);
    for (const end of ends) expect(end).toEqual(["system/init", "result/success"]);
    for (const log of logs) {
      expect(answerTo(log, "m2")).toMatchObject({
        response: { mcp_response: { id: 1, result: { tools: [{ name: "fast" }] } } },
      });
      expect(answerTo(log, "m3")).toMatchObject({
        response: { mcp_response: { id: 3, result: { content: [{ text: "fast" }] } } },
      });
    }
  });
});

describe("sessions", () => {
  test("a store that fails, then hangs, delays no turn, is reported, and gets what comes later once and in order", async () => {
    let calls = 0;
    const stored: string[][] = [];
    const sessionStore: SessionStore = {
      async append(_key, entries) {
        calls++;
        if (calls === 1) throw new Error("busy");
        if (calls === 2) await new Promise(() => {});
        stored.push(entries.map(({ type }) => type));
      },
      load: async () => null,
    };
    const options: Options = { sessionStore, sessionStoreFlush: "eager", sessionStoreTimeoutMs: 300 };
    await using session = await run("sessions-store-fails", options);
    const kinds = await session.kinds();
    const expected = ["system/init", "assistant", "system/mirror_error", "result/success"];
    expect(kinds.filter((kind) => expected.includes(kind))).toEqual(expected);
    // The first line was given up, as it may still arrive; the second one was stored.
    expect(stored).toEqual([["assistant"]]);
  });
});

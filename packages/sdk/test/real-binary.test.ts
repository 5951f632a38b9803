import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { apiError, createGate, type ModelScript, text, toolUse } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  AbortError,
  createToolServer,
  type Message,
  type Options,
  type query,
  ResultError,
  tool,
  type UserPrompt,
} from "../src/index.ts";
import { realCli, user } from "./real-cli.ts";

async function collect(messages: AsyncIterable<Message>): Promise<Message[]> {
  const seen: Message[] = [];
  for await (const message of messages) seen.push(message);
  return seen;
}

function results(messages: readonly Message[]): unknown[] {
  return messages.flatMap((message) =>
    message.type === "result" && message.subtype === "success" ? [message.result] : [],
  );
}

async function pidOf(session: ReturnType<typeof query>): Promise<number> {
  return Number((await session.initializationResult())["pid"]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("a text gets its answer, and the query ends by itself", async () => {
  await using setup = await realCli([text("Hello, ", "world.")]);
  const { start, model } = setup;
  const session = start("Say hello.");
  const messages = await collect(session);
  expect(results(messages)).toEqual(["Hello, world."]);
  expect(messages.some((message) => message.type === "system" && "sdk_host_only" in message)).toBe(false);
  expect(session.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(model.requests[0]?.userText).toBe("Say hello.");
  model.assertDone();
});

test("an in-process tool is the only tool, and its answers come from this process over several turns", async () => {
  const asked: unknown[] = [];
  const add = tool("add", "Adds.", { a: z.number(), b: z.number() }, async ({ a, b }) => {
    asked.push([a, b]);
    return String(a + b);
  });
  const echo: ModelScript = ({ toolResults, userText }) => {
    const [result] = toolResults;
    if (result !== undefined) return text(`It is ${result.text}.`);
    const [a, b] = userText.split(" ").map(Number);
    return toolUse("mcp__calc__add", { a, b });
  };
  await using setup = await realCli(echo);
  const { start, model } = setup;
  let answered = (): void => {};
  async function* prompts(): AsyncGenerator<UserPrompt> {
    for (const numbers of ["2 40", "1 2"]) {
      const answer = new Promise<void>((resolve) => {
        answered = resolve;
      });
      yield user(numbers);
      await answer;
    }
  }
  const messages: Message[] = [];
  for await (const message of start(prompts(), {
    mcpServers: { calc: createToolServer({ name: "calc", tools: [add] }) },
    allowedTools: ["mcp__calc__add"],
  })) {
    messages.push(message);
    if (message.type === "result") answered();
  }
  expect(results(messages)).toEqual(["It is 42.", "It is 3."]);
  expect(asked).toEqual([
    [2, 40],
    [1, 2],
  ]);
  const granted = messages.flatMap((message) =>
    message.type === "system" && message.subtype === "init" ? [message.tools] : [],
  );
  expect(granted).toEqual([["mcp__calc__add"], ["mcp__calc__add"]]);
  expect(model.requests[0]?.toolNames).toContain("mcp__calc__add");
});

test("one tool server serves two sessions at once", async () => {
  const ping = tool("ping", "Answers.", {}, async () => "pong");
  const mcpServers = { calc: createToolServer({ name: "calc", tools: [ping] }) };
  const script: ModelScript = ({ toolResults: [result] }) => (result ? text(result.text) : toolUse("mcp__calc__ping"));
  await using setup = await realCli(script);
  const { start } = setup;
  const options = { mcpServers, allowedTools: ["mcp__calc__ping"] };
  const [one, two] = await Promise.all([collect(start("ping", options)), collect(start("ping", options))]);
  expect([results(one ?? []), results(two ?? [])]).toEqual([["pong"], ["pong"]]);
});

describe("a permission question", () => {
  const write: ModelScript = ({ toolResults: [result] }) =>
    result ? text(result.text) : toolUse("Bash", { command: "echo made > made.txt", description: "Make a file" });

  test("that is allowed runs the tool, with the input that the callback gives", async () => {
    await using setup = await realCli(write);
    const { start, sandbox } = setup;
    const messages = await collect(
      start("Make a file.", {
        tools: ["Bash"],
        canUseTool: async (name, input) => {
          expect([name, input["command"]]).toEqual(["Bash", "echo made > made.txt"]);
          return { behavior: "allow", updatedInput: { ...input, command: "echo changed > made.txt" } };
        },
      }),
    );
    expect(results(messages)).toHaveLength(1);
    expect(await readFile(join(sandbox.cwd, "made.txt"), "utf8")).toBe("changed\n");
  });

  test("whose callback throws is denied, the model is told, and the session goes on", async () => {
    await using setup = await realCli(write);
    const { start, sandbox } = setup;
    const messages = await collect(
      start("Make a file.", { tools: ["Bash"], canUseTool: () => Promise.reject(new Error("boom")) }),
    );
    expect(String(results(messages)[0])).toContain("boom");
    await expect(readFile(join(sandbox.cwd, "made.txt"))).rejects.toThrow("ENOENT");
  });
});

describe("a hook", () => {
  const list: ModelScript = ({ toolResults: [result] }) =>
    result ? text(result.text) : toolUse("Bash", { command: "echo ran", description: "Echo" });
  const options: Options = { tools: ["Bash"], allowedTools: ["Bash"] };

  test("sees the tool before it runs and after", async () => {
    const seen: string[] = [];
    await using setup = await realCli(list);
    const { start } = setup;
    const note = async (input: { hook_event_name: string }): Promise<void> => {
      seen.push(input.hook_event_name);
    };
    await collect(
      start("Echo.", {
        ...options,
        hooks: {
          PreToolUse: [{ matcher: "Bash", hooks: [note] }],
          PostToolUse: [{ hooks: [note] }],
          Stop: [{ hooks: [note] }],
        },
      }),
    );
    expect(seen).toEqual(["PreToolUse", "PostToolUse", "Stop"]);
  });

  test("that throws before a tool keeps the tool from running", async () => {
    await using setup = await realCli(list);
    const { start } = setup;
    const boom = (): never => {
      throw new Error("boom");
    };
    const messages = await collect(start("Echo.", { ...options, hooks: { PreToolUse: [{ hooks: [boom] }] } }));
    expect(String(results(messages)[0])).toMatch(/hook error.*boom/);
  });

  test("that blocks the prompt keeps the model from being asked", async () => {
    await using setup = await realCli([]);
    const { start, model } = setup;
    const messages = await collect(
      start("Secret.", {
        hooks: { UserPromptSubmit: [{ hooks: [async () => ({ decision: "block", reason: "not this" })] }] },
      }),
    );
    expect(messages.filter((message) => message.type === "result")).toMatchObject([{ num_turns: 0 }]);
    expect(model.requests).toHaveLength(0);
  });
});

test("hooks that the CLI refuses keep the prompt from being sent", async () => {
  await using setup = await realCli([]);
  const { start, model } = setup;
  // Wrong on purpose.
  const matcher = 5 as unknown as string;
  const session = start("Go.", { hooks: { PreToolUse: [{ matcher, hooks: [() => undefined] }] } });
  await expect(collect(session)).rejects.toMatchObject({ name: "ControlError", subtype: "initialize" });
  expect(model.requests).toHaveLength(0);
});

describe("an interrupt", () => {
  test("ends the turn and not the session", async () => {
    const gate = createGate();
    await using setup = await realCli([
      { content: text("a", "b", "c"), hold: gate.opened, afterEvents: 3 },
      text("Second."),
    ]);
    const { start, model } = setup;
    let next = (): void => {};
    const interrupted = new Promise<void>((resolve) => {
      next = resolve;
    });
    async function* prompts(): AsyncGenerator<UserPrompt> {
      yield user("First.");
      await interrupted;
      yield user("Second.");
    }
    const session = start(prompts(), { includePartialMessages: true });
    const kinds: string[] = [];
    let isInterrupted = false;
    for await (const message of session) {
      if (message.type === "stream_event" && message.event.type === "content_block_delta" && !isInterrupted) {
        isInterrupted = true;
        expect(await session.interrupt()).toMatchObject({ still_queued: [] });
      }
      if (message.type === "result") {
        kinds.push(message.subtype);
        next();
      }
    }
    expect(kinds).toEqual(["error_during_execution", "success"]);
    gate.open();
    expect(model.requests).toHaveLength(2);
  });

  test("while a tool runs aborts the signal of its handler", async () => {
    let aborted = false;
    const slow = tool("slow", "Waits.", {}, async (_, { signal }) => {
      void session.interrupt();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted = true;
      return "late";
    });
    await using setup = await realCli([toolUse("mcp__calc__slow")]);
    const { start } = setup;
    const session = start("Wait.", {
      mcpServers: { calc: createToolServer({ name: "calc", tools: [slow] }) },
      allowedTools: ["mcp__calc__slow"],
    });
    const ends: string[] = [];
    const reading = (async () => {
      for await (const message of session) if (message.type === "result") ends.push(message.subtype);
    })();
    // The CLI exits with code 1 when its last result is an error.
    await expect(reading).rejects.toBeInstanceOf(ResultError);
    expect([ends, aborted]).toEqual([["error_during_execution"], true]);
  });
});

describe("the child is gone", () => {
  const waiting: ModelScript = () => ({ content: text("a", "b", "c"), hold: new Promise(() => {}), afterEvents: 3 });
  const options: Options = { includePartialMessages: true, endGraceMs: 100 };

  test("when the loop is left", async () => {
    await using setup = await realCli(waiting);
    const { start } = setup;
    const session = start("Wait.", options);
    for await (const message of session) if (message.type === "stream_event") break;
    expect(isAlive(await pidOf(session))).toBe(false);
  });

  test("when the body of the loop throws, and that error is what comes out", async () => {
    await using setup = await realCli(waiting);
    const { start } = setup;
    const session = start("Wait.", options);
    const reading = (async () => {
      for await (const message of session) if (message.type === "stream_event") throw new Error("mine");
    })();
    await expect(reading).rejects.toThrow("mine");
    expect(isAlive(await pidOf(session))).toBe(false);
  });

  test("behind an abort, which the reader gets as an AbortError", async () => {
    await using setup = await realCli(waiting);
    const { start } = setup;
    const abortController = new AbortController();
    const session = start("Wait.", { ...options, abortController });
    const reading = (async () => {
      for await (const message of session)
        if (message.type === "stream_event") abortController.abort(new Error("enough"));
    })();
    await expect(reading).rejects.toBeInstanceOf(AbortError);
    await session.close();
    expect(isAlive(await pidOf(session))).toBe(false);
  });

  test("behind `await using`", async () => {
    await using setup = await realCli(waiting);
    const { start } = setup;
    let pid = 0;
    {
      await using session = start("Wait.", options);
      pid = await pidOf(session);
      expect(isAlive(pid)).toBe(true);
    }
    expect(isAlive(pid)).toBe(false);
  });

  test("when it was killed, and the reader is told so", async () => {
    await using setup = await realCli(waiting);
    const { start } = setup;
    const session = start("Wait.", options);
    const reading = (async () => {
      for await (const message of session)
        if (message.type === "stream_event") process.kill(await pidOf(session), "SIGKILL");
    })();
    await expect(reading).rejects.toMatchObject({ name: "ProcessError", signal: "SIGKILL" });
  });
});

test("an abort before the start starts nothing", async () => {
  await using setup = await realCli([]);
  const { start } = setup;
  const abortController = new AbortController();
  abortController.abort();
  const session = start("Hi.", { abortController, pathToClaudeCodeExecutable: "/no/such/claude" });
  await expect(session.next()).rejects.toBeInstanceOf(AbortError);
  await expect(session.initializationResult()).rejects.toBeInstanceOf(AbortError);
});

test("an error of the API is a result, and then an error that says the same", async () => {
  await using setup = await realCli(() => apiError(400, { message: "bad thing" }));
  const { start } = setup;
  const seen: Message[] = [];
  const reading = (async () => {
    for await (const message of start("Hi.")) seen.push(message);
  })();
  await expect(reading).rejects.toThrow(/error result: API Error: 400/);
  expect(seen.filter((message) => message.type === "result")).toMatchObject([{ is_error: true }]);
});

test("a session that is not there is refused at once, with its id", async () => {
  await using setup = await realCli([]);
  const { start } = setup;
  const session = start("Hi.", { resume: "11111111-2222-4333-8444-555555555555" });
  await expect(session.initializationResult()).rejects.toThrow("11111111-2222-4333-8444-555555555555");
  await expect(collect(session)).rejects.toBeInstanceOf(ResultError);
});

import type { FrameValue } from "@reins/streamjson";
import { type CliEnd, scriptedCliExecutable, startLeakCheck, transportPair } from "@reins/testkit";
import { describe, expect, test } from "vitest";
import { type Hooks, type Options, type Prompt, type Query, query, type UserPrompt } from "../src/index.ts";

// What a program can hand to a query that is wrong, or right in an unusual way.

const message: UserPrompt = { type: "user", message: { role: "user", content: "go" } };
const result = { type: "result", subtype: "success", is_error: false };
const hooks: Hooks = { PreToolUse: [{ hooks: [() => undefined] }] };

interface Run {
  readonly session: Query;
  readonly cli: CliEnd;
  /** All that the host wrote until it ended its input. */
  readonly written: Promise<FrameValue[]>;
}

/** A query whose CLI answers initialize as told, each prompt with a result, and exits at the end of its input. */
function run(prompt: Prompt, options: Options = {}, answer: FrameValue = { subtype: "success" }): Run {
  const { host, cli } = transportPair();
  const serve = async (): Promise<FrameValue[]> => {
    const frames: FrameValue[] = [];
    for (;;) {
      const value = (await cli.read())?.value;
      if (value === undefined) break;
      frames.push(value);
      if (value.type === "control_request") {
        await cli.send({ type: "control_response", response: { ...answer, request_id: value["request_id"] } });
      } else await cli.send(result);
    }
    cli.exit();
    return frames;
  };
  const written = serve();
  return { session: query({ prompt, options: { ...options, transport: host } }), cli, written };
}

async function read(session: Query): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of session) types.push(type);
  return types;
}

function iterable(iterator: Record<string, unknown>): AsyncIterable<UserPrompt> {
  // Odd on purpose.
  return { [Symbol.asyncIterator]: () => iterator as unknown as AsyncIterator<UserPrompt> };
}

describe("a prompt iterable", () => {
  test("may give its results without promises, and is not released when it was exhausted", async () => {
    let released = 0;
    let given = 0;
    const prompt = iterable({
      next: () => (given++ < 2 ? { done: false, value: message } : { done: true, value: undefined }),
      return: () => ({ done: true, value: released++ }),
    });
    const { session, written } = run(prompt);
    expect(await read(session)).toEqual(["result", "result"]);
    expect((await written).map(({ type }) => type)).toEqual(["control_request", "user", "user"]);
    expect(released).toBe(0);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
    ["hangs", () => new Promise(() => {})],
  ])("whose release %s does no harm", async (_, release) => {
    let released = 0;
    const prompt = iterable({
      next: () => new Promise(() => {}),
      return: () => {
        released++;
        return release();
      },
    });
    const { session } = run(prompt);
    await session.initializationResult();
    await session.close();
    expect(await read(session)).toEqual([]);
    expect(released).toBe(1);
  });

  test("that throws nothing at all ends the session with an error all the same", async () => {
    const { session } = run(iterable({ next: () => Promise.reject(undefined) }));
    await expect(read(session)).rejects.toMatchObject({ name: "PromptError", message: expect.stringMatching(/threw/) });
  });
});

describe("hooks", () => {
  test("of the wrong shape are refused at the call, and leave no child", async () => {
    await using leaks = startLeakCheck();
    await using cli = await scriptedCliExecutable({ steps: [{ do: "readEnd" }] });
    // What a caller without types could pass.
    const wrong = { PreToolUse: [{ matcher: "Bash" }] } as unknown as Hooks;
    const options = { pathToClaudeCodeExecutable: cli.path, hooks: wrong };
    expect(() => query({ prompt: "go", options })).toThrow("hooks.PreToolUse[0].hooks must be an array");
    await leaks.assertClean();
  });

  test.each([
    ["refuses", { subtype: "error", error: "initialize: hooks must map" }],
    ["does not apply", { subtype: "success", response: { hooks_applied: false } }],
  ])("that the CLI %s keep the prompt from being sent", async (_, answer) => {
    const { session, written } = run("go", { hooks }, answer);
    await expect(read(session)).rejects.toMatchObject({ name: "ControlError", subtype: "initialize" });
    expect((await written).map(({ type }) => type)).toEqual(["control_request"]);
  });

  test("that are not there let a refused initialize pass", async () => {
    const { session } = run("go", {}, { subtype: "error", error: "initialize: skills must be an array of strings" });
    expect(await read(session)).toEqual(["result"]);
    await expect(session.initializationResult()).rejects.toMatchObject({ name: "ControlError" });
  });
});

describe("in-process servers", () => {
  test("may have any name", async () => {
    const connect = (): never => {
      throw new Error("boom");
    };
    const entries = ["__proto__", "constructor"].map((name) => [name, { type: "sdk" as const, name, connect }]);
    const { session, written } = run("go", { mcpServers: Object.fromEntries(entries) });
    await read(session);
    expect((await written)[0]?.["request"]).toMatchObject({ sdkMcpServers: ["__proto__", "constructor"] });
  });

  test("that are missing under their name are refused at the call", () => {
    // What a caller without types could pass.
    const mcpServers = { calc: undefined } as unknown as NonNullable<Options["mcpServers"]>;
    expect(() => query({ prompt: "go", options: { mcpServers } })).toThrow(
      'mcpServers has no server under the name "calc"',
    );
  });
});

test("an init message whose session id is none is delivered, and the session keeps the id that it had", async () => {
  const { session, cli } = run(iterable({ next: () => new Promise(() => {}) }));
  await cli.send({ type: "system", subtype: "init", session_id: "s1" });
  await cli.send({ type: "system", subtype: "init", session_id: { toString: 1, valueOf: 1 } });
  expect([(await session.next()).done, (await session.next()).done, session.sessionId]).toEqual([false, false, "s1"]);
  await session.close();
});

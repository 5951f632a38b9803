import { text, toolUse } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { createToolServer, OptionError, query, tool, type UserPrompt } from "../src/index.ts";
import { realCli, user } from "./real-cli.ts";

test("the CLI is told what the servers say, and asks them for nothing but calls", async () => {
  const server = createToolServer({ name: "calc", tools: [tool("t", "", {}, () => "called")] });
  const methods: (string | undefined)[] = [];
  const watched: typeof server = {
    ...server,
    connect: (...parameters) => {
      const connection = server.connect(...parameters);
      return {
        ...connection,
        handle: (message) => {
          methods.push(message.method);
          return connection.handle(message);
        },
      };
    },
  };
  await using setup = await realCli(({ toolResults: [result] }) =>
    result ? text(result.text) : toolUse("mcp__calc__t"),
  );
  const session = setup.start("Go.", { mcpServers: { calc: watched }, allowedTools: ["mcp__calc"] });
  const results: unknown[] = [];
  for await (const message of session) if (message.type === "result") results.push(message);
  expect(results).toMatchObject([{ subtype: "success", result: "called" }]);
  expect(await session.initializationResult()).toMatchObject({ sdk_mcp_manifests_parked: { calc: "parked" } });
  expect(methods).toEqual(["initialize", "notifications/initialized", "tools/list", "tools/call"]);
});

test("a handler is told the id of the session, and its policy and deadline reach the CLI", async () => {
  const told: (string | undefined)[] = [];
  const server = createToolServer({
    name: "s",
    tools: [
      tool("who", "", {}, (_, { sessionId }) => {
        told.push(sessionId);
        return "who";
      }),
      tool("asked", "", {}, () => "asked", { permissionPolicy: "always_ask" }),
      tool("slow", "", {}, () => new Promise<string>(() => {}), { timeoutMs: 50 }),
    ],
  });
  const calls = ["who", "asked", "slow"].map((name) => toolUse(`mcp__s__${name}`, {}, `toolu_${name}`));
  await using setup = await realCli(({ toolResults }) => (toolResults.length > 0 ? text("Done.") : calls));
  const asked: string[] = [];
  const session = setup.start("Go.", {
    mcpServers: { s: server },
    allowedTools: ["mcp__s"],
    // That the rule comes before the callback is what the policy changes.
    onWarning: () => {},
    canUseTool: (name) => {
      asked.push(name);
      return { behavior: "allow" };
    },
  });
  for await (const _ of session);
  expect(told).toEqual([session.sessionId]);
  expect(asked).toEqual(["mcp__s__asked"]);
  const results = setup.model.requests[1]?.toolResults ?? [];
  expect(results.map((result) => result.text)).toEqual(["who", "asked", "The call took longer than 50 ms."]);
});

test("servers in this process come and go in mid session, and their tools too", async () => {
  const named = (name: string): ReturnType<typeof createToolServer> => {
    return createToolServer({ name, tools: [tool("who", "", {}, (_, { server }) => server)] });
  };
  const [a, b] = [named("a"), named("b")];
  await using setup = await realCli(({ toolResults, userText }) => {
    if (toolResults.length > 0) return text(toolResults.map((result) => result.text).join(" / "));
    return userText.split(" ").map((name) => toolUse(name));
  });
  const results: string[] = [];
  let next = (): void => {};
  const answered = (): Promise<void> => {
    return new Promise((resolve) => {
      next = resolve;
    });
  };
  async function* prompts(): AsyncGenerator<UserPrompt> {
    const first = answered();
    yield user("mcp__a__who");
    await first;
    await session.setMcpServers({ b });
    b.add(tool("late", "", {}, () => "late"));
    // The CLI reads a list that changed beside all else.
    await vi.waitFor(async () => expect(JSON.stringify(await session.mcpServerStatus())).toContain('"late"'), 5_000);
    const second = answered();
    yield user("mcp__a__who mcp__b__who mcp__b__late");
    await second;
  }
  const session = setup.start(prompts(), { mcpServers: { a }, allowedTools: ["mcp__a", "mcp__b"] });
  for await (const message of session) {
    if (message.type !== "result") continue;
    if (message.subtype === "success") results.push(message.result);
    next();
  }
  expect(results).toEqual(["a", expect.stringMatching(/No such tool available: mcp__a__who.* \/ b \/ late$/)]);
});

test.each([
  [["a b", "a_b"], /"a b" and "a_b", which are both mcp__a_b/],
  [[""], /empty name/],
  [["ide"], /hides/],
])("servers called %j are refused at the call", (names, message) => {
  const server = createToolServer({ name: "s" });
  const mcpServers = Object.fromEntries(names.map((name) => [name, server]));
  const start = (): unknown => query({ prompt: "Go.", options: { mcpServers } });
  expect(start).toThrow(OptionError);
  expect(start).toThrow(message);
});

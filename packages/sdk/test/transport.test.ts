import { readFile } from "node:fs/promises";
import { type CaptureEntry, type CliLog, replayScript, scriptedCli } from "@reins/testkit";
import { expect, test } from "vitest";
import {
  createToolServer,
  type Message,
  type Options,
  type Prompt,
  query,
  tool,
  type UserPrompt,
} from "../src/index.ts";

// Conversations that were recorded with the real CLI, played back in memory: the same session over another transport.

async function replay(
  name: string,
  prompt: Prompt,
  options: Options,
  onMessage: (message: Message, session: ReturnType<typeof query>) => Promise<void> = async () => {},
): Promise<{ messages: Message[]; recorded: unknown[]; log: CliLog }> {
  const path = new URL(`../../testkit/test/fixtures/captures/${name}.ndjson`, import.meta.url);
  const capture = (await readFile(path, "utf8"))
    .trim()
    .split("\n")
    .map((line): CaptureEntry => JSON.parse(line));
  await using cli = scriptedCli(replayScript(capture));
  const messages: Message[] = [];
  const session = query({ prompt, options: { ...options, transport: cli.transport } });
  for await (const message of session) {
    messages.push(message);
    await onMessage(message, session);
  }
  const recorded = capture
    .filter(({ dir, frame }) => dir === "in" && !String(frame.type).startsWith("control_"))
    .map(({ frame }) => frame);
  return { messages, recorded, log: await cli.log() };
}

test("a tool call, with its permission question", async () => {
  const add = tool(
    "add",
    "Add two numbers",
    { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
    ({ a, b }) => String(Number(a) + Number(b)),
  );
  const { messages, recorded, log } = await replay("mcp-sdk-tool", "Add 2 and 3", {
    mcpServers: { calc: createToolServer({ name: "calc", tools: [add] }) },
    canUseTool: () => ({ behavior: "allow" }),
  });
  expect(messages).toEqual(recorded);
  const answers = log.frames.map((frame) => JSON.stringify(frame["response"] ?? {}));
  expect(answers.some((answer) => answer.includes('"result":{"content":[{"type":"text","text":"5"}]}'))).toBe(true);
  expect(log.failure).toBeUndefined();
});

test("a permission question", async () => {
  const asked: string[] = [];
  const { messages, recorded, log } = await replay("permission-allow", "Run the command", {
    canUseTool: (name, input) => {
      asked.push(`${name} ${input["command"]}`);
      return { behavior: "allow" };
    },
  });
  expect(messages).toEqual(recorded);
  expect([asked, log.failure]).toEqual([["Bash touch made.txt && echo original"], undefined]);
});

test("a hook", async () => {
  const { messages, recorded, log } = await replay("hook-pretooluse-allow", "Run the command", {
    hooks: {
      PreToolUse: [
        {
          matcher: "Bash",
          hooks: [
            async () => ({
              hookSpecificOutput: {
                hookEventName: "PreToolUse",
                permissionDecision: "allow",
                updatedInput: { command: "echo rewritten", description: "d" },
              },
            }),
          ],
        },
      ],
    },
  });
  expect(messages).toEqual(recorded);
  expect(log.failure).toBeUndefined();
});

test("an interrupt", async () => {
  let interrupted = (): void => {};
  const firstEnd = new Promise<void>((resolve) => {
    interrupted = resolve;
  });
  async function* prompts(): AsyncGenerator<UserPrompt> {
    const message = (content: string) => ({ role: "user" as const, content });
    yield { type: "user", message: message("Talk for long"), uuid: "11111111-1111-4111-8111-111111111111" };
    await firstEnd;
    yield { type: "user", message: message("Continue"), uuid: "22222222-1111-4111-8111-111111111111" };
  }
  const receipts: unknown[] = [];
  const { messages, recorded, log } = await replay("interrupt-mid-stream", prompts(), {}, async (message, session) => {
    if (JSON.stringify(message).includes('"text":"word5 "')) receipts.push(await session.interrupt());
    if (message.type === "result") interrupted();
  });
  expect(messages).toEqual(recorded);
  expect([receipts, log.failure]).toEqual([[{ still_queued: [] }], undefined]);
});

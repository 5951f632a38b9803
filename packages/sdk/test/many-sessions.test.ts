import { readdirSync, readFileSync } from "node:fs";
import { type CliScript, type CliStep, scriptedCli, startLeakCheck, text } from "@reins/testkit";
import { expect, test } from "vitest";
import { createToolServer, type Message, type Options, query, tool } from "../src/index.ts";
import { realCli } from "./real-cli.ts";

// Many sessions at once in one process. `REINS_REAL_SESSIONS=20` starts twenty real binaries in place of four; that takes 6 GB.

const realSessions = Number(process.env["REINS_REAL_SESSIONS"] ?? 4);
const megabyte = 1_000_000;

const session_id = "11111111-1111-4111-8111-111111111111";

/** A turn in which the CLI asks a permission, calls a hook and calls a tool. */
function script(): CliScript {
  const ask = (request_id: string, request: object): readonly CliStep[] => [
    { do: "write", frame: { type: "control_request", request_id, request } },
    { do: "read", match: { "response.request_id": request_id }, expect: { "response.subtype": "success" } },
  ];
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "who", arguments: {} } };
  const result = { type: "result", subtype: "success", is_error: false, session_id };
  return {
    steps: [
      { do: "init" },
      { do: "read", match: { type: "user" }, as: "prompt" },
      { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
      ...ask("permission", { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" }),
      ...ask("hook", {
        subtype: "hook_callback",
        callback_id: "{{init.request.hooks.PreToolUse.0.hookCallbackIds.0}}",
        input: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} },
      }),
      ...ask("tool", { subtype: "mcp_message", server_name: "own", message: call }),
      { do: "write", frame: { ...result, result: "{{prompt.message.content.0.text}}" } },
      { do: "readEnd" },
    ],
  };
}

test("500 sessions at once keep apart what they are told, asked and called, and leave nothing", {
  timeout: 120_000,
}, async () => {
  const controller = new AbortController();
  await using leaks = startLeakCheck({ watch: [controller.signal], timeoutMs: 10_000 });
  const run = async (number: number): Promise<void> => {
    await using cli = scriptedCli(script());
    const calls: string[] = [];
    const own = tool("who", "Says whose it is.", {}, () => {
      calls.push("tool");
      return `session ${number}`;
    });
    const options: Options = {
      transport: cli.transport,
      abortController: controller,
      canUseTool: (_, input) => {
        calls.push("permission");
        return { behavior: "allow", updatedInput: input };
      },
      hooks: { PreToolUse: [{ hooks: [() => void calls.push("hook")] }] },
      mcpServers: { own: createToolServer({ name: "own", tools: [own] }) },
    };
    const results: unknown[] = [];
    for await (const message of query({ prompt: `prompt ${number}`, options }) as AsyncIterable<Message>)
      if (message.type === "result" && "result" in message) results.push(message.result);
    expect(results).toEqual([`prompt ${number}`]);
    expect(calls).toEqual(["permission", "hook", "tool"]);
    const { frames, failure } = await cli.log();
    expect(failure).toBeUndefined();
    const answer = frames.find((frame) => JSON.stringify(frame).includes('"request_id":"tool"'));
    expect(JSON.stringify(answer)).toContain(`"session ${number}"`);
  };
  await Promise.all(Array.from({ length: 500 }, (_, number) => run(number)));
  await leaks.assertClean();
});

test(`${realSessions} real sessions at once answer each its own prompt, within the memory that the guide says`, {
  timeout: 300_000,
}, async () => {
  await using cli = await realCli(({ userText }) => text(`You said: ${userText}`));
  let arrived = 0;
  let allArrived = (): void => {};
  const together = new Promise<void>((resolve) => {
    allArrived = resolve;
  });
  let bytes = 0;
  const run = async (number: number): Promise<void> => {
    const session = cli.start(`prompt ${number}`);
    for await (const message of session) {
      if (message.type !== "result") continue;
      expect(message).toMatchObject({ result: `You said: prompt ${number}` });
      // They all live when the last of them has answered.
      if (++arrived === realSessions) {
        bytes = ownMemoryOfChildren();
        allArrived();
      }
      await together;
    }
  };
  await Promise.all(Array.from({ length: realSessions }, (_, number) => run(number)));
  expect(bytes / realSessions).toBeGreaterThan(10 * megabyte);
  expect(bytes / realSessions).toBeLessThan(300 * megabyte);
});

/** What the children of this process hold in memory, pages that they share counted once, in bytes. */
function ownMemoryOfChildren(): number {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.reduce((sum, pid) => sum + (parentOf(pid) === process.pid ? memoryOf(pid) : 0), 0);
}

function parentOf(pid: string): number | undefined {
  const [, parent] = /^PPid:\t(\d+)$/m.exec(contentOf(`/proc/${pid}/status`)) ?? [];
  return parent === undefined ? undefined : Number(parent);
}

function memoryOf(pid: string): number {
  const [, kibibytes] = /^Pss: +(\d+) kB$/m.exec(contentOf(`/proc/${pid}/smaps_rollup`)) ?? [];
  return Number(kibibytes ?? 0) * 1_024;
}

/** Empty for a process that has gone meanwhile. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

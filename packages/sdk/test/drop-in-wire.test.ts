import type { FrameValue } from "@reins/streamjson";
import { type CliEnd, text, toolUse, transportPair } from "@reins/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  Client,
  createSdkMcpServer,
  type Options,
  type PermissionRequestOptions,
  type Query,
  query,
  tool,
} from "../src/index.ts";
import { realCli } from "./real-cli.ts";

// What published programs lean on that comes over the wire: kinds of messages, what callbacks are given, words of refusals. The programs:
// an ACP agent (A), a provider of the Vercel AI SDK (P), an OpenTelemetry instrumentation (T), a runtime of agents (R).

interface Scripted {
  readonly session: Query;
  readonly cli: CliEnd;
}

function scripted(options: Options = {}): Scripted {
  const { host, cli } = transportPair();
  const session = query({ prompt: "Hi.", options: { ...options, transport: host } });
  onTestFinished(() => session.close());
  return { session, cli };
}

/** The host's answer to a request of the CLI; an initialize request is answered on the way. */
async function answerTo(cli: CliEnd, requestId: string, request: FrameValue): Promise<FrameValue> {
  await cli.send({ type: "control_request", request_id: requestId, request });
  for (let frame = await cli.read(); frame !== undefined; frame = await cli.read()) {
    const { type, request_id, response } = frame.value as { type: string; request_id?: string; response?: FrameValue };
    if (type === "control_request")
      await cli.send({ type: "control_response", response: { subtype: "success", request_id, response: {} } });
    else if (response?.["request_id"] === requestId) return response;
  }
  throw new Error("the input ended");
}

const systemKinds = [
  // A
  "init status compact_boundary local_command_output session_state_changed memory_recall commands_changed mirror_error",
  "session_writes_lost permission_denied informational hook_started hook_progress hook_response files_persisted task_started",
  "task_progress task_updated task_notification background_tasks_changed worker_shutting_down elicitation_complete",
  "plugin_install notification thinking_tokens api_retry model_refusal_fallback model_refusal_no_fallback",
  "control_request_progress",
].flatMap((names) => names.split(" "));

const otherKinds =
  "assistant user stream_event rate_limit_event tool_progress tool_use_summary prompt_suggestion conversation_reset auth_status active_goal command_lifecycle".split(
    " ",
  );

const resultKinds =
  "success error_during_execution error_max_turns error_max_budget_usd error_max_structured_output_retries error_tomorrow".split(
    " ",
  );

test("every kind of message that they know reaches the reader as the CLI wrote it, in order (A, P, T, R)", async () => {
  const { session, cli } = scripted();
  const sent: FrameValue[] = [
    ...systemKinds.map((subtype) => ({ type: "system", subtype, session_id: "s", uuid: subtype })),
    ...otherKinds.map((type) => ({ type, session_id: "s", message: { role: type, content: [] } })),
    ...resultKinds.map((subtype) => ({
      type: "result",
      subtype,
      is_error: false,
      warm_spare_claimed: true,
      ttft_ms: 1,
    })),
  ];
  for (const frame of sent) await cli.send(frame);
  const seen: unknown[] = [];
  for await (const message of session) if (seen.push(message) === sent.length) break;
  expect(seen).toEqual(sent);
});

test("a message that the CLI means for the host alone does not reach the reader", async () => {
  const { session, cli } = scripted();
  await cli.send({ type: "system", subtype: "session_state_changed", state: "idle", sdk_host_only: true });
  await cli.send({ type: "system", subtype: "status" });
  expect(await session.next()).toMatchObject({ value: { subtype: "status" } });
});

test("canUseTool is given what it reads under its own names (A)", async () => {
  let given: PermissionRequestOptions | undefined;
  const { cli } = scripted({
    canUseTool: (_name, _input, options) => {
      given = options;
      return { behavior: "deny", message: "No." };
    },
  });
  await answerTo(cli, "p1", {
    type: "",
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: {},
    tool_use_id: "toolu_1",
    permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    agent_id: "a1",
    blocked_path: "/etc",
    decision_reason: "because",
    title: "t",
    display_name: "d",
    description: "e",
    default_to_no: true,
    suppress_always_allow_rule: true,
    mcp_server: { name: "m", source: "sdk" },
    matched_ask_rule: { source: "session", tool_name: "Bash", rule_content: "ls" },
  });
  expect(given).toMatchObject({
    signal: expect.any(AbortSignal),
    suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
    toolUseID: "toolu_1",
    agentID: "a1",
    blockedPath: "/etc",
    decisionReason: "because",
    title: "t",
    displayName: "d",
    description: "e",
    defaultToNo: true,
    suppressAlwaysAllowRule: true,
    mcpServer: { name: "m", source: "sdk" },
    matchedAskRule: { source: "session", toolName: "Bash", ruleContent: "ls" },
  });
});

test("the handler of a tool is given signal and requestId, also of a server that was copied by type, name and instance (P)", async () => {
  const given: unknown[] = [];
  const note = tool("note", "", {}, (_input, extra) => {
    given.push(extra);
    return { content: [] };
  });
  const { type, name, instance } = createSdkMcpServer({ name: "notes", tools: [note] });
  await using cli = await realCli(({ toolResults }) =>
    toolResults.length > 0 ? text("Noted.") : toolUse("mcp__notes__note", {}),
  );
  const mcpServers = { notes: { type, name, instance } };
  for await (const _ of cli.start("Note it.", { mcpServers, allowedTools: ["mcp__notes"] }));
  expect(given).toMatchObject([{ signal: expect.any(AbortSignal) }]);
  expect(given[0]).toHaveProperty("requestId");
});

describe("the words", () => {
  test("of a change of model that a hook refuses (A)", async () => {
    await using cli = await realCli([]);
    const refuse = {
      hookSpecificOutput: {
        hookEventName: "PreModelSwitch",
        permissionDecision: "deny",
        permissionDecisionReason: "too dear",
      },
    } as const;
    await using client = new Client({ ...cli.options, hooks: { PreModelSwitch: [{ hooks: [() => refuse] }] } });
    await expect(client.setModel("claude-sonnet-4-5")).rejects.toMatchObject({
      message: "Model switch blocked by a PreModelSwitch hook: too dear",
      errorCode: "blocked_by_hook",
    });
  });

  test("of a model and of a server that refuse the connection (P)", async () => {
    await using cli = await realCli([]);
    // A server that is gone: nobody listens at its port.
    const { port } = new URL(cli.model.url);
    await cli.model.close();
    const gone = `http://127.0.0.1:${port}`;
    const env = { ...cli.options.env, ANTHROPIC_BASE_URL: gone, CLAUDE_CODE_MAX_RETRIES: "0" };
    await using client = new Client({ ...cli.options, env });
    expect(await client.setMcpServers({ gone: { type: "http", url: `${gone}/mcp` } })).toMatchObject({
      errors: { gone: expect.stringContaining("ECONNREFUSED") },
    });
    expect(await client.ask("Hi.")).toMatchObject({
      is_error: true,
      result: expect.stringMatching(/^API Error: .*ECONNREFUSED/),
    });
  });
});

import { describe, expect, test, vi } from "vitest";
import { answerTo, session } from "./session.ts";

const elicitation = {
  subtype: "elicitation",
  mcp_server_name: "ask",
  message: "Who are you?",
  mode: "form",
  requested_schema: { type: "object" },
  property_order: ["name"],
  display_name: "Ask",
};
const dialog = { subtype: "request_user_dialog", dialog_kind: "refusal_fallback_prompt", payload: { a: 1 } };

describe("a question of an MCP server", () => {
  test("is declined where nobody answers", async () => {
    const { ask } = session();
    expect(await ask("e1", elicitation)).toMatchObject({ subtype: "success", response: { action: "decline" } });
  });

  test("comes to the callback under our names, and its answer goes back", async () => {
    const onElicitation = vi.fn(() => ({ action: "accept", content: { name: "Ada" } }) as const);
    const { ask } = session({ onElicitation });
    expect(await ask("e1", elicitation)).toMatchObject({
      response: { action: "accept", content: { name: "Ada" } },
    });
    expect(onElicitation).toHaveBeenCalledWith(
      {
        serverName: "ask",
        message: "Who are you?",
        mode: "form",
        requestedSchema: { type: "object" },
        propertyOrder: ["name"],
        displayName: "Ask",
      },
      { signal: expect.any(AbortSignal), requestId: "e1" },
    );
  });

  test.each([
    ["throws", () => Promise.reject(new Error("boom"))],
    ["gives no action", () => ({ action: "maybe" }) as never],
    ["gives nothing", () => undefined as never],
  ])("is cancelled where the callback %s, and the failure is told", async (_how, onElicitation) => {
    const failures: unknown[] = [];
    const { ask, diagnostics } = session({
      onElicitation,
      onCallbackError: (error, { subtype }) => failures.push([subtype, error]),
    });
    expect(await ask("e1", elicitation)).toMatchObject({ subtype: "success", response: { action: "cancel" } });
    expect(failures).toEqual([["elicitation", expect.any(Error)]]);
    expect(diagnostics).toMatchObject([{ kind: "callback-failed", subtype: "elicitation" }]);
  });

  test("is left to somebody else where the callback gives null", async () => {
    const { ask, cli, read, client } = session({ onElicitation: () => null });
    await cli.send({ type: "control_request", request_id: "e1", request: elicitation });
    // The next answer is that of the next question.
    expect(await ask("m1", { subtype: "no_such_thing" })).toMatchObject({ error_code: "unsupported_request" });
    await client.close();
    await expect(read()).rejects.toThrow("the input ended");
  });
});

describe("a dialog", () => {
  test("is shown where its kind was declared", async () => {
    const onUserDialog = vi.fn(() => ({ behavior: "completed", result: "retry" }) as const);
    const { ask, client, cli, read } = session({ onUserDialog, supportedDialogKinds: ["refusal_fallback_prompt"] });
    const initializing = client.initialize();
    const request = await read();
    expect(request["request"]).toMatchObject({ supportedDialogKinds: ["refusal_fallback_prompt"] });
    await cli.send(answerTo(request));
    await initializing;
    expect(await ask("d1", dialog)).toMatchObject({ response: { behavior: "completed", result: "retry" } });
    expect(onUserDialog).toHaveBeenCalledWith(
      { dialogKind: "refusal_fallback_prompt", payload: { a: 1 } },
      { signal: expect.any(AbortSignal), requestId: "d1" },
    );
  });

  test("is cancelled where the callback fails: an error would leave it open", async () => {
    const { ask } = session({
      onUserDialog: () => Promise.reject(new Error("boom")),
      supportedDialogKinds: ["refusal_fallback_prompt"],
    });
    expect(await ask("d1", dialog)).toMatchObject({ subtype: "success", response: { behavior: "cancelled" } });
  });

  test("of another kind is left unanswered", async () => {
    const onUserDialog = vi.fn(() => ({ behavior: "cancelled" }) as const);
    const { ask, cli } = session({ onUserDialog, supportedDialogKinds: ["other"] });
    await cli.send({ type: "control_request", request_id: "d1", request: dialog });
    expect(await ask("m1", { subtype: "no_such_thing" })).toMatchObject({ error_code: "unsupported_request" });
    expect(onUserDialog).not.toHaveBeenCalled();
  });
});

test("a permission question comes under our names, and what was not said is absent", async () => {
  const canUseTool = vi.fn(() => ({ behavior: "deny", message: "no" }) as const);
  const { ask } = session({ canUseTool });
  const request = {
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: { command: "git push" },
    tool_use_id: "toolu_1",
    decision_reason: "A rule asks.",
    decision_reason_type: "rule",
    matched_ask_rule: { source: "userSettings", tool_name: "Bash", rule_content: "git push:*" },
    requires_user_interaction: false,
    blocked_path: null,
  };
  await ask("p1", request);
  expect(canUseTool).toHaveBeenCalledWith("Bash", request.input, {
    signal: expect.any(AbortSignal),
    requestId: "p1",
    toolUseID: "toolu_1",
    request,
    decisionReason: "A rule asks.",
    decisionReasonType: "rule",
    matchedAskRule: { source: "userSettings", toolName: "Bash", ruleContent: "git push:*" },
    requiresUserInteraction: false,
  });
});

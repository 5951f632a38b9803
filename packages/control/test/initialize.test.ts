import type { HookOutput } from "@reins/messages";
import { describe, expect, test, vi } from "vitest";
import { CapabilityError, ControlError, type HookCallback, type HookMatcher } from "../src/index.ts";
import { answerTo, session } from "./session.ts";

const permission = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" };

describe("initializing again", () => {
  test("says the same but for the manifests, and serves what is open once", async () => {
    const canUseTool = vi.fn(() => ({ behavior: "allow" }) as const);
    const { client, cli, read, ask } = session({ canUseTool, hooks: { Stop: [{ hooks: [() => {}] }] } });
    const initializing = client.initialize({ systemPrompt: ["s"], sdkMcpServerManifests: {} });
    const first = await read();
    expect(first["request"]).toEqual({
      subtype: "initialize",
      hooks: { Stop: [{ hookCallbackIds: ["hook_0"] }] },
      systemPrompt: ["s"],
      sdkMcpServerManifests: {},
    });
    await cli.send(answerTo(first, { hooks_applied: true, pid: 1 }));
    await initializing;

    const again = client.reinitialize();
    const second = await read();
    expect(second["request"]).toEqual({
      subtype: "initialize",
      hooks: { Stop: [{ hookCallbackIds: ["hook_0"] }] },
      systemPrompt: ["s"],
    });
    const open = { type: "control_request", request_id: "p1", request: permission };
    const answer = answerTo(second, { hooks_applied: true, pid: 2 });
    const response = { ...(answer["response"] as object), pending_permission_requests: [open, open, null] };
    await cli.send({ ...answer, response });
    expect(await again).toMatchObject({ pid: 2 });
    expect(await read()).toMatchObject({ response: { request_id: "p1", response: { behavior: "allow" } } });
    expect(canUseTool).toHaveBeenCalledTimes(1);
    // Asked again after it was settled, it is a new question.
    await ask("p1", permission);
    expect(canUseTool).toHaveBeenCalledTimes(2);
    expect(await client.initializationResult()).toMatchObject({ pid: 1 });
  });
});

describe("hooks that are not in force", () => {
  const hooks = { PreToolUse: [{ hooks: [() => {}] }] };

  test("refuse the session", async () => {
    const { client, cli, read } = session({ hooks });
    const initializing = client.initialize();
    await cli.send(answerTo(await read(), { hooks_applied: false }));
    await expect(initializing).rejects.toBeInstanceOf(ControlError);
    await expect(client.initializationResult()).rejects.toThrow("did not apply the hooks");
  });

  test("block on failure only where a matcher says so itself and the CLI can", async () => {
    const blocking: HookMatcher = { hooks: [() => {}], onFailure: "block" };
    const { client, cli, read } = session({ hooks: { PostToolUse: [blocking] } });
    const initializing = client.initialize();
    await cli.send(answerTo(await read(), { hooks_applied: true }));
    await expect(initializing).rejects.toBeInstanceOf(CapabilityError);

    const older = session({ hooks });
    const accepted = older.client.initialize();
    await older.cli.send(answerTo(await older.read(), { hooks_applied: true }));
    await accepted;
  });
});

test("a hook for an event that reaches a host in part only is reported", () => {
  const matchers = [{ hooks: [() => {}] }];
  const { diagnostics } = session({
    hooks: { Setup: matchers, SessionStart: matchers, SessionEnd: matchers, Stop: matchers },
  });
  expect(diagnostics).toMatchObject(
    ["Setup", "SessionStart", "SessionEnd"].map((event) => ({ kind: "hook-out-of-reach", event })),
  );
});

describe("the answer of a hook", () => {
  async function answerOf(event: "PreToolUse" | "PostToolUse", output: unknown): Promise<unknown> {
    // What a program without types would return.
    const callback = (() => output) as unknown as HookCallback;
    const { client, cli, read, ask } = session({ hooks: { [event]: [{ hooks: [callback] }] } });
    const initializing = client.initialize();
    await cli.send(answerTo(await read(), { hook_on_failure_supported: true }));
    await initializing;
    const input = { hook_event_name: event };
    return ask("h1", { subtype: "hook_callback", callback_id: "hook_0", input });
  }

  test("gets the name of its event", async () => {
    const hookSpecificOutput = { permissionDecision: "allow" };
    expect(await answerOf("PreToolUse", { hookSpecificOutput })).toMatchObject({
      response: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } },
    });
  });

  test.each<[string, unknown]>([
    ["the name of another event", { hookSpecificOutput: { hookEventName: "Stop", permissionDecision: "allow" } }],
    ["an unknown decision", { decision: "allow" }],
    ["an unknown permission decision", { hookSpecificOutput: { permissionDecision: "yes" } }],
    ["a specific part that is no object", { hookSpecificOutput: "allow" }],
  ])("with %s denies, and says why", async (_what, output) => {
    expect(await answerOf("PreToolUse", output)).toMatchObject({
      subtype: "success",
      response: {
        hookSpecificOutput: {
          permissionDecision: "deny",
          permissionDecisionReason: expect.stringContaining("PreToolUse callback failed"),
        },
      },
    });
  });

  test("is an error where the event cannot deny", async () => {
    expect(await answerOf("PostToolUse", { decision: "allow" })).toMatchObject({
      subtype: "error",
      error: expect.stringContaining("known are approve, block"),
    });
  });

  test("is typed by its event", () => {
    const matcher: HookMatcher<"PreToolUse"> = {
      hooks: [
        (input): HookOutput<"PreToolUse"> => ({
          hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecisionReason: input.tool_name },
        }),
      ],
    };
    expect(matcher.hooks).toHaveLength(1);
  });
});

import { type HookEvent, hookEvents } from "@reins/messages";
import { hookSpecificOutputSchemas, syncHookOutputSchema } from "@reins/messages/schemas";
import { describe, expect, test, vi } from "vitest";
import { type HookCallback, type Hooks, hooksInOrder } from "../src/index.ts";
import { type Session, session } from "./session.ts";

function hooked(event: HookEvent, ...callbacks: readonly (() => unknown)[]): Session {
  // Some answers are wrong on purpose.
  return session({ hooks: { [event]: [{ hooks: callbacks as readonly HookCallback[] }] } });
}

/** The names that a schema knows. Its declared type hides that it is one of an object. */
function membersOf(schema: unknown): string[] {
  return Object.keys((schema as { readonly shape?: object } | undefined)?.shape ?? {});
}

function call(event: HookEvent, input: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const toolInput = { hook_event_name: event, ...input };
  return { subtype: "hook_callback", callback_id: "hook_0", input: toolInput, tool_use_id: "toolu_1" };
}

describe("what a hook answers", () => {
  test.each(hookEvents)("to %s is sent with every member that such an answer has", async (event) => {
    const schemas: Readonly<Partial<Record<HookEvent, unknown>>> = hookSpecificOutputSchemas;
    const values: Readonly<Record<string, unknown>> = { hookEventName: event, permissionDecision: "allow" };
    const specific = Object.fromEntries(membersOf(schemas[event]).map((name) => [name, values[name] ?? name]));
    const common = membersOf(syncHookOutputSchema).filter((name) => name !== "hookSpecificOutput");
    const output = {
      ...Object.fromEntries(common.map((name) => [name, name])),
      decision: "approve",
      ...(schemas[event] !== undefined && { hookSpecificOutput: specific }),
    };
    const { ask, diagnostics } = hooked(event, () => output);
    expect(await ask("h1", call(event))).toMatchObject({ subtype: "success", response: output });
    expect(diagnostics.filter(({ kind }) => kind === "hook-fields-dropped")).toEqual([]);
  });

  test("loses the members that no such answer has, which is reported", async () => {
    const hookSpecificOutput = { hookEventName: "Stop", additionalContext: "go on", colour: "red" };
    const { ask, diagnostics } = hooked("Stop", () => ({ continue: true, stopreason: "x", hookSpecificOutput }));
    expect((await ask("h1", call("Stop")))["response"]).toEqual({
      continue: true,
      hookSpecificOutput: { hookEventName: "Stop", additionalContext: "go on" },
    });
    expect(diagnostics).toEqual([
      { kind: "hook-fields-dropped", event: "Stop", fields: ["stopreason", "hookSpecificOutput.colour"] },
    ]);
  });

  test.each([
    { permissionDecision: "deny" },
    { behavior: "deny", message: "no" },
    { updatedInput: { command: "ls" } },
    { hookSpecificOutput: { decision: "block" } },
    { hookSpecificOutput: { continue: false } },
  ])("denies when it decides where the CLI would not see it (%j)", async (output) => {
    const { ask, diagnostics } = hooked("PreToolUse", () => output);
    expect(await ask("h1", call("PreToolUse"))).toMatchObject({
      response: { hookSpecificOutput: { permissionDecision: "deny" } },
    });
    expect(diagnostics).toMatchObject([{ kind: "callback-failed" }]);
  });
});

describe("hooks in order", () => {
  const rewrite =
    (from: string, to: string): HookCallback<"PreToolUse"> =>
    async ({ tool_input }) => {
      const command = String((tool_input as { command: string }).command).replace(from, to);
      return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command } } };
    };

  async function answer(hooks: Hooks, event: HookEvent, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { ask } = session({ hooks });
    return (await ask("h1", call(event, input)))["response"];
  }

  test("see what those before have rewritten, and answer together", async () => {
    const slow: HookCallback<"PreToolUse"> = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return { hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "b" } } };
    };
    const hooks = { PreToolUse: [{ hooks: [hooksInOrder(slow, () => {}, rewrite("b", "c"), rewrite("c", "d"))] }] };
    expect(await answer(hooks, "PreToolUse", { tool_input: { command: "a" } })).toEqual({
      hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "d" } },
    });
  });

  test("see the output of a tool, the text to show and the answer to a permission question as rewritten", async () => {
    const seen: unknown[] = [];
    await answer(
      {
        PostToolUse: [
          {
            hooks: [
              hooksInOrder<"PostToolUse">(
                () => ({ hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput: "short" } }),
                (input) => void seen.push(input.tool_response),
              ),
            ],
          },
        ],
      },
      "PostToolUse",
      { tool_response: "long" },
    );
    await answer(
      {
        MessageDisplay: [
          {
            hooks: [
              hooksInOrder<"MessageDisplay">(
                () => ({ hookSpecificOutput: { hookEventName: "MessageDisplay", displayContent: "***" } }),
                (input) => void seen.push(input.delta),
              ),
            ],
          },
        ],
      },
      "MessageDisplay",
      { delta: "secret" },
    );
    const allow = { behavior: "allow", updatedInput: { command: "ls" } } as const;
    const last = await answer(
      {
        PermissionRequest: [
          {
            hooks: [
              hooksInOrder<"PermissionRequest">(
                () => ({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: allow } }),
                (input) => void seen.push(input.tool_input),
              ),
            ],
          },
        ],
      },
      "PermissionRequest",
      { tool_input: { command: "ls -a" } },
    );
    expect(seen).toEqual(["short", "***", { command: "ls" }]);
    expect(last).toMatchObject({ hookSpecificOutput: { decision: allow } });
  });

  test.each<[string, object]>([
    ["denies", { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "no" } }],
    ["defers", { hookSpecificOutput: { permissionDecision: "defer" } }],
    ["blocks", { decision: "block", reason: "no" }],
    ["ends the turn", { continue: false }],
  ])("end with the one that %s", async (_, output) => {
    const last = vi.fn();
    const hooks = { PreToolUse: [{ hooks: [hooksInOrder(() => output, last)] }] };
    expect(await answer(hooks, "PreToolUse", {})).toMatchObject(output);
    expect(last).not.toHaveBeenCalled();
  });

  test("keep the strictest decision with its reason, and join what they say", async () => {
    const say = (permissionDecision: "ask" | "allow", text: string): HookCallback<"PreToolUse"> => {
      const hookEventName = "PreToolUse";
      return () => ({
        systemMessage: text,
        hookSpecificOutput: {
          hookEventName,
          permissionDecision,
          permissionDecisionReason: text,
          additionalContext: text,
        },
      });
    };
    const hooks = {
      PreToolUse: [{ hooks: [hooksInOrder(say("allow", "a"), say("ask", "b"), say("allow", "c"))] }],
    };
    expect(await answer(hooks, "PreToolUse", {})).toEqual({
      systemMessage: "a\nb\nc",
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: "b",
        additionalContext: "a\nb\nc",
      },
    });
  });

  test("fail closed together, and report what was dropped", async () => {
    const boom = (): never => {
      throw new Error("boom");
    };
    const failing = session({ hooks: { PreToolUse: [{ hooks: [hooksInOrder(rewrite("a", "b"), boom)] }] } });
    expect(await failing.ask("h1", call("PreToolUse", { tool_input: { command: "a" } }))).toMatchObject({
      response: {
        hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: expect.stringContaining("boom") },
      },
    });
    const output = { continue: true, colour: "red" };
    const odd = session({ hooks: { PreToolUse: [{ hooks: [hooksInOrder((() => output) as HookCallback)] }] } });
    expect((await odd.ask("h1", call("PreToolUse")))["response"]).toEqual({ continue: true });
    expect(odd.diagnostics).toMatchObject([{ kind: "hook-fields-dropped", fields: ["colour"] }]);
  });

  test("are not called any more when the CLI has withdrawn the question", async () => {
    const last = vi.fn();
    const seen: string[] = [];
    const first: HookCallback<"PreToolUse"> = async (_, __, { signal }) => {
      seen.push("asked");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      seen.push("withdrawn");
      return {};
    };
    const { cli, diagnostics } = session({ hooks: { PreToolUse: [{ hooks: [hooksInOrder(first, last)] }] } });
    await cli.send({ type: "control_request", request_id: "h1", request: call("PreToolUse") });
    await cli.send({ type: "control_cancel_request", request_id: "h1" });
    await vi.waitFor(() => expect(diagnostics).toMatchObject([{ kind: "late-answer" }]));
    expect(seen).toEqual(["asked", "withdrawn"]);
    expect(last).not.toHaveBeenCalled();
  });
});

import type { LaunchWarning } from "@reins/process";
import { createToolServer } from "@reins/toolhost";
import { describe, expect, test } from "vitest";
import { type Options, splitOptions } from "./options.ts";

const transport = {} as unknown as NonNullable<Options["transport"]>;

function warningsOf(options: Options): readonly LaunchWarning[] {
  const warnings: LaunchWarning[] = [];
  splitOptions({ ...options, onWarning: (warning) => warnings.push(warning) });
  return warnings;
}

describe("the process is told", () => {
  test("to ask the host for permissions when there is a callback", () => {
    const canUseTool = (): Promise<never> => Promise.reject(new Error("not asked"));
    expect(splitOptions({ canUseTool }).launch).toMatchObject({ permissionPromptToolName: "stdio" });
    expect(splitOptions({ permissionPromptToolName: "mcp__s__t" }).launch).toMatchObject({
      permissionPromptToolName: "mcp__s__t",
    });
  });

  test("nothing of what stays here, and of each option of its own", () => {
    const options: Options = {
      abortController: new AbortController(),
      hooks: {},
      onElicitation: () => ({ action: "decline" }),
      stderr: () => {},
      verbatimPrompts: true,
      model: "haiku",
      cwd: "/srv",
    };
    const { launch } = splitOptions(options);
    expect(launch).toEqual({ model: "haiku", cwd: "/srv", mcpServers: {}, permissionPromptToolName: undefined });
  });

  test("the name of an in-process server that an agent has, with a warning", () => {
    const calc = createToolServer({ name: "calc", tools: [] });
    const agents = {
      a: { description: "d", prompt: "p", mcpServers: ["other", { calc, web: { type: "http", url: "http://h" } }] },
      b: { description: "d", prompt: "p", mcpServers: [{ calc }] },
      c: { description: "d", prompt: "p" },
    };
    const warnings: LaunchWarning[] = [];
    const { launch } = splitOptions({
      mcpServers: { calc },
      agents,
      onWarning: (warning) => warnings.push(warning),
    });
    const named = { type: "sdk", name: "calc" };
    expect(launch.agents).toEqual({
      a: { ...agents.a, mcpServers: ["other", { calc: named, web: { type: "http", url: "http://h" } }] },
      b: { ...agents.b, mcpServers: [{ calc: named }] },
      c: agents.c,
    });
    expect(warnings.map(({ code }) => code)).toEqual(["REINS_AGENT_SERVER_SHARED", "REINS_AGENT_SERVER_SHARED"]);
  });
});

describe("an option that cannot work is refused", () => {
  test.each<[string, Options, string]>([
    [
      "canUseTool",
      { canUseTool: () => Promise.reject(new Error("not asked")), permissionPromptToolName: "mcp__s__t" },
      "cannot be used with permissionPromptToolName",
    ],
    ["supportedDialogKinds", { supportedDialogKinds: ["x"] }, "requires an onUserDialog callback"],
    [
      "agents",
      {
        agents: {
          a: { description: "d", prompt: "p", mcpServers: [{ x: createToolServer({ name: "x", tools: [] }) }] },
        },
      },
      "not among mcpServers",
    ],
    ["mcpServers", { mcpServers: { s: null } as unknown as NonNullable<Options["mcpServers"]> }, "no server"],
  ])("%s", (option, options, words) => {
    expect(() => splitOptions(options)).toThrow(expect.objectContaining({ name: "OptionError", option }));
    expect(() => splitOptions(options)).toThrow(words);
  });

  test("supportedDialogKinds is right when there are none, or somebody shows them", () => {
    expect(() => splitOptions({ supportedDialogKinds: [] })).not.toThrow();
    const onUserDialog = (): Promise<never> => Promise.reject(new Error("not asked"));
    expect(() => splitOptions({ supportedDialogKinds: ["x"], onUserDialog })).not.toThrow();
  });
});

describe("a warning is given", () => {
  test("of options that there are not, and of none that there are", () => {
    const options = { allowedTool: ["Read"], canUseTools: () => {}, can_use_tool: 1, onDiagnostics: () => {} };
    expect(
      warningsOf(options as Options).map(({ option, message }) => [option, message.match(/mean (\w+)/)?.[1]]),
    ).toEqual([
      ["allowedTool", "allowedTools"],
      ["canUseTools", "canUseTool"],
      ["can_use_tool", "canUseTool"],
      ["onDiagnostics", "onDiagnostic"],
    ]);
    expect(warningsOf({ stderr: () => {}, transport, abortController: new AbortController(), hooks: {} })).toEqual([]);
  });

  test("of options that act only where the process is started, with a transport", () => {
    const warnings = warningsOf({ transport, model: "haiku", cwd: "/srv", systemPrompt: "A", agents: {} });
    expect(warnings.map(({ code, option }) => [code, option])).toEqual([
      ["REINS_OPTION_WITHOUT_EFFECT", "cwd"],
      ["REINS_OPTION_WITHOUT_EFFECT", "model"],
    ]);
    expect(warnings[0]?.message).toContain("whoever starts the CLI");
  });
});

import { describe, expect, expectTypeOf, test } from "vitest";
import { OptionError } from "./errors.ts";
import { buildLaunch, type Launch, type LaunchHost } from "./launch.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { argumentRows, initializeRows, variableRows } from "./option-table.ts";

const base = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"];

function hostWith(changes: Partial<LaunchHost> = {}): LaunchHost {
  return {
    platform: "linux",
    env: { PATH: "/usr/bin" },
    interpreter: "node",
    locate: (path) => path ?? "/opt/claude",
    ...changes,
  };
}

function launchOf(options: LaunchOptions): Launch {
  return buildLaunch(options, hostWith());
}

/** The arguments behind those that are always there. */
function flags(options: LaunchOptions): readonly string[] {
  return launchOf(options).args.slice(base.length);
}

function initialize(options: LaunchOptions): Record<string, unknown> {
  const { systemPrompt, ...rest } = launchOf({ systemPrompt: [], ...options }).initialize;
  return rest;
}

const uuid = "11111111-1111-4111-8111-111111111111";

/** Each option on the command line: what it is given, and what the CLI gets. */
const flagCases: Partial<Record<keyof LaunchOptions, readonly [LaunchOptions, readonly string[]][]>> = {
  thinking: [
    [{ thinking: { type: "adaptive" } }, ["--thinking=adaptive"]],
    [{ thinking: { type: "disabled" } }, ["--thinking=disabled"]],
    [{ thinking: { type: "enabled", budgetTokens: 2048 } }, ["--max-thinking-tokens=2048"]],
    [{ thinking: { type: "enabled" } }, ["--thinking=adaptive"]],
    [
      { thinking: { type: "adaptive", display: "summarized" } },
      ["--thinking=adaptive", "--thinking-display=summarized"],
    ],
    [
      { thinking: { type: "enabled", budgetTokens: 0, display: "omitted" }, maxThinkingTokens: 5 },
      ["--max-thinking-tokens=0", "--thinking-display=omitted"],
    ],
  ],
  maxThinkingTokens: [
    [{ maxThinkingTokens: 1000 }, ["--max-thinking-tokens=1000"]],
    [{ maxThinkingTokens: 0 }, ["--thinking=disabled"]],
  ],
  effort: [
    [{ effort: "high" }, ["--effort=high"]],
    [{ effort: "" }, []],
  ],
  maxTurns: [
    [{ maxTurns: 3 }, ["--max-turns=3"]],
    [{ maxTurns: 0 }, []],
  ],
  maxBudgetUsd: [[{ maxBudgetUsd: 0.5 }, ["--max-budget-usd=0.5"]]],
  taskBudget: [[{ taskBudget: { total: 20000 } }, ["--task-budget=20000"]]],
  model: [
    [{ model: "haiku" }, ["--model=haiku"]],
    [{ model: "-x" }, ["--model=-x"]],
    [{ model: "" }, []],
  ],
  agent: [[{ agent: "reviewer" }, ["--agent=reviewer"]]],
  betas: [
    [{ betas: ["a", "b"] }, ["--betas=a,b"]],
    [{ betas: [] }, []],
  ],
  debugFile: [
    [{ debugFile: "/tmp/d.txt", debug: true }, ["--debug-file=/tmp/d.txt"]],
    [{ debugFile: "", debug: true }, ["--debug"]],
  ],
  debug: [
    [{ debug: true }, ["--debug"]],
    [{ debug: false }, []],
  ],
  permissionPromptToolName: [[{ permissionPromptToolName: "stdio" }, ["--permission-prompt-tool=stdio"]]],
  permissionPrompts: [[{ permissionPrompts: "none" }, ["--permission-prompts=none"]]],
  continue: [
    [{ continue: true }, ["--continue"]],
    [{ continue: false }, []],
  ],
  resume: [
    [{ resume: "-a title" }, ["--resume=-a title"]],
    [{ resume: "" }, []],
  ],
  allowedTools: [
    [{ allowedTools: ["Read", "Bash(git *)"] }, ["--allowedTools=Read,Bash(git *)"]],
    [{ allowedTools: [] }, []],
  ],
  disallowedTools: [
    [{ disallowedTools: ["Bash", "Edit"] }, ["--disallowedTools=Bash,Edit"]],
    [{ disallowedTools: [] }, []],
  ],
  tools: [
    [{ tools: ["Read", "Edit"] }, ["--tools=Read,Edit"]],
    [{ tools: [] }, ["--tools="]],
    [{ tools: { type: "preset", preset: "claude_code" } }, ["--tools=default"]],
  ],
  mcpServers: [
    [
      { mcpServers: { s: { command: "srv", args: ["-x"] } } },
      ['--mcp-config={"mcpServers":{"s":{"command":"srv","args":["-x"]}}}'],
    ],
    [{ mcpServers: {} }, []],
    [
      { mcpServers: { s: { type: "http", url: "http://h" } }, mcpServersDelivery: "initialize" },
      ["--await-initialize"],
    ],
    [{ mcpServers: {}, mcpServersDelivery: "initialize" }, []],
  ],
  settingSources: [
    [{ settingSources: ["user", "project"] }, ["--setting-sources=user,project"]],
    [{ settingSources: [] }, ["--setting-sources="]],
  ],
  strictMcpConfig: [[{ strictMcpConfig: true }, ["--strict-mcp-config"]]],
  permissionMode: [
    [{ permissionMode: "acceptEdits" }, ["--permission-mode=acceptEdits"]],
    [{ permissionMode: "" }, []],
  ],
  allowDangerouslySkipPermissions: [
    [{ allowDangerouslySkipPermissions: true }, ["--allow-dangerously-skip-permissions"]],
    [{ allowDangerouslySkipPermissions: false }, []],
  ],
  fallbackModel: [[{ fallbackModel: "a,b" }, ["--fallback-model=a,b"]]],
  includeHookEvents: [[{ includeHookEvents: true }, ["--include-hook-events"]]],
  includePartialMessages: [[{ includePartialMessages: true }, ["--include-partial-messages"]]],
  sessionMirror: [[{ sessionMirror: true }, ["--session-mirror"]]],
  projectConfigRoot: [
    [{ projectConfigRoot: "/p" }, ["--project-config-root=/p"]],
    [{ projectConfigRoot: "" }, ["--project-config-root="]],
  ],
  additionalDirectories: [
    [{ additionalDirectories: ["/a,b", "-c"] }, ["--add-dir=/a,b", "--add-dir=-c"]],
    [{ additionalDirectories: [] }, []],
  ],
  plugins: [
    [
      {
        plugins: [
          { type: "local", path: "/a" },
          { type: "local", path: "b", skipMcpDiscovery: true },
        ],
      },
      ["--plugin-dir=/a", "--plugin-dir-no-mcp=b"],
    ],
    [{ plugins: [{ type: "local", path: "/a" }], pluginDelivery: "initialize" }, ["--await-initialize"]],
    [{ plugins: [], pluginDelivery: "initialize" }, []],
  ],
  forkSession: [[{ forkSession: true }, ["--fork-session"]]],
  resumeSessionAt: [
    [{ resumeSessionAt: uuid }, [`--resume-session-at=${uuid}`]],
    [{ resumeSessionAt: "" }, []],
  ],
  resumeDropsTurn: [
    [{ resumeDropsTurn: uuid }, [`--resume-drops-turn=${uuid}`]],
    [{ resumeDropsTurn: "" }, ["--resume-drops-turn="]],
  ],
  sessionId: [
    [{ sessionId: uuid }, [`--session-id=${uuid}`]],
    [{ sessionId: "" }, []],
  ],
  persistSession: [
    [{ persistSession: false }, ["--no-session-persistence"]],
    [{ persistSession: true }, []],
  ],
  managedSettings: [
    [{ managedSettings: { a: 1 } }, ['--managed-settings={"a":1}']],
    [{ managedSettings: {} }, ["--managed-settings={}"]],
  ],
  extraArgs: [
    [
      { extraArgs: { "replay-user-messages": null, name: "-n", empty: "", unset: undefined } },
      ["--replay-user-messages", "--name=-n", "--empty="],
    ],
    [{ extraArgs: { settings: "/s.json", x: null } }, ["--x", "--settings=/s.json"]],
    [{ extraArgs: { settings: "/s.json" }, settings: "/t.json" }, ["--settings=/t.json"]],
  ],
  settings: [
    [{ settings: "/s.json" }, ["--settings=/s.json"]],
    [{ settings: '{"model":"m"}' }, ['--settings={"model":"m"}']],
    [{ settings: { model: "m" } }, ['--settings={"model":"m"}']],
    [{ settings: {} }, ["--settings={}"]],
    [{ settings: "" }, []],
  ],
  sandbox: [
    [{ sandbox: {} }, ['--settings={"sandbox":{}}']],
    [
      { sandbox: { enabled: true }, settings: { model: "m" } },
      ['--settings={"model":"m","sandbox":{"enabled":true,"failIfUnavailable":true}}'],
    ],
  ],
  skills: [
    [{ skills: "all", allowedTools: ["Read"] }, ["--allowedTools=Read,Skill"]],
    [{ skills: ["pdf"], allowedTools: ["Skill(pdf)"] }, ["--allowedTools=Skill(pdf)"]],
    [{ skills: [] }, []],
  ],
};

const initializeCases: Partial<Record<keyof LaunchOptions, readonly [LaunchOptions, Record<string, unknown>][]>> = {
  outputFormat: [
    [{ outputFormat: { type: "json_schema", schema: { type: "object" } } }, { jsonSchema: { type: "object" } }],
  ],
  planModeInstructions: [[{ planModeInstructions: "" }, { planModeInstructions: "" }]],
  toolAliases: [[{ toolAliases: {} }, { toolAliases: {} }]],
  agents: [
    [
      { agents: { a: { description: "d", prompt: "p", model: undefined } } },
      { agents: { a: { description: "d", prompt: "p" } } },
    ],
    [{ agents: {} }, { agents: {} }],
  ],
  title: [[{ title: "" }, { title: "" }]],
  skills: [
    [{ skills: ["pdf"] }, { skills: ["pdf"] }],
    [{ skills: [] }, { skills: [] }],
    [{ skills: "all" }, {}],
  ],
  promptSuggestions: [[{ promptSuggestions: false }, { promptSuggestions: false }]],
  agentProgressSummaries: [[{ agentProgressSummaries: true }, { agentProgressSummaries: true }]],
  forwardSubagentText: [[{ forwardSubagentText: false }, { forwardSubagentText: false }]],
  supportedDialogKinds: [[{ supportedDialogKinds: [] }, { supportedDialogKinds: [] }]],
  perTaskStopAffordance: [[{ perTaskStopAffordance: false }, { perTaskStopAffordance: false }]],
  plugins: [
    [
      { plugins: [{ type: "local", path: "/a" }], pluginDelivery: "initialize" },
      { plugins: [{ type: "local", path: "/a" }] },
    ],
    [{ plugins: [{ type: "local", path: "/a" }] }, {}],
  ],
  mcpServers: [
    [
      { mcpServers: { s: { command: "c" } }, mcpServersDelivery: "initialize" },
      { mcpServers: { s: { command: "c" } } },
    ],
    [{ mcpServers: { s: { command: "c" } } }, {}],
  ],
};

describe("the command line", () => {
  for (const [option, cases] of Object.entries(flagCases)) {
    test(`has ${option} as the official SDK writes it, in one token`, () => {
      for (const [options, expected] of cases) expect(flags(options), JSON.stringify(options)).toEqual(expected);
    });
  }

  test("has a case here for every row of the table", () => {
    const covered = [...Object.keys(flagCases), "awaitInitialize"];
    expect(argumentRows.filter(({ option }) => !covered.includes(option))).toEqual([]);
  });

  test("begins with what makes the CLI speak stream-json, and has nothing else by default", () => {
    expect(launchOf({}).args).toEqual(base);
  });

  test("is in the order of the official SDK", () => {
    const options: LaunchOptions = {
      extraArgs: { x: null },
      sessionId: uuid,
      additionalDirectories: ["/d"],
      tools: [],
      allowedTools: ["Read"],
      resume: uuid,
      model: "m",
      maxTurns: 1,
      effort: "low",
    };
    expect(flags(options).map((flag) => flag.split("=")[0])).toEqual([
      "--effort",
      "--max-turns",
      "--model",
      "--resume",
      "--allowedTools",
      "--tools",
      "--add-dir",
      "--session-id",
      "--x",
    ]);
  });

  test("takes options that are undefined or null for not given", () => {
    const names = [...argumentRows, ...initializeRows, ...variableRows].map(({ option }) => option);
    const unset = Object.fromEntries(
      [...names, "sandbox", "env", "cwd", "executableArgs"].map((name) => [name, undefined]),
    );
    const nulls = Object.fromEntries(Object.keys(unset).map((name) => [name, null]));
    expect(buildLaunch(unset, hostWith())).toEqual(launchOf({}));
    // Callers without types do that.
    expect(buildLaunch(nulls as unknown as LaunchOptions, hostWith())).toEqual(launchOf({}));
  });

  test("is the path of the CLI with executableArgs in front", () => {
    const { command, args, cliPath } = launchOf({
      pathToClaudeCodeExecutable: "/x/claude",
      executableArgs: ["--bare"],
    });
    expect({ command, cliPath }).toEqual({ command: "/x/claude", cliPath: "/x/claude" });
    expect(args).toEqual(["--bare", ...base]);
  });

  test("is an interpreter for a script, with executableArgs before the script", () => {
    for (const ending of ["js", "mjs", "ts", "tsx", "jsx"]) {
      const path = `/x/cli.${ending}`;
      const { command, args, cliPath } = launchOf({ pathToClaudeCodeExecutable: path, executableArgs: ["--a"] });
      expect({ command, cliPath, args }).toEqual({ command: "node", cliPath: path, args: ["--a", path, ...base] });
    }
    expect(launchOf({ pathToClaudeCodeExecutable: "/x/cli.js", executable: "deno" }).command).toBe("deno");
    expect(buildLaunch({ pathToClaudeCodeExecutable: "/cli.js" }, hostWith({ interpreter: "bun" })).command).toBe(
      "bun",
    );
    for (const path of ["/x/cli.cjs", "/x/cli.JS", "/x/js"]) {
      expect(launchOf({ pathToClaudeCodeExecutable: path }).command).toBe(path);
    }
  });
});

describe("the initialize request", () => {
  for (const [option, cases] of Object.entries(initializeCases)) {
    test(`has ${option} as the official SDK sends it`, () => {
      for (const [options, expected] of cases) expect(initialize(options), JSON.stringify(options)).toEqual(expected);
    });
  }

  test("has a case here for every row of the table", () => {
    const covered = [...Object.keys(initializeCases), "systemPrompt"];
    expect(initializeRows.filter(({ option }) => !covered.includes(option))).toEqual([]);
  });

  test("has the system prompt in blocks, an empty one by default, and none for the preset", () => {
    const sent = (options: LaunchOptions): unknown => launchOf(options).initialize;
    expect(sent({})).toEqual({ systemPrompt: [""] });
    expect(sent({ systemPrompt: "A" })).toEqual({ systemPrompt: ["A"] });
    expect(sent({ systemPrompt: ["A", "B"] })).toEqual({ systemPrompt: ["A", "B"] });
    expect(sent({ systemPrompt: { type: "custom", prompt: "A", snapshot: false } })).toEqual({
      systemPrompt: ["A"],
      systemPromptSnapshot: false,
    });
    expect(sent({ systemPrompt: { type: "preset", preset: "claude_code" } })).toEqual({});
    expect(
      sent({
        systemPrompt: {
          type: "preset",
          preset: "claude_code",
          append: "more",
          excludeDynamicSections: true,
          snapshot: true,
        },
      }),
    ).toEqual({ appendSystemPrompt: "more", excludeDynamicSections: true, systemPromptSnapshot: true });
  });

  test("carries what is long, so that the command line stays short", () => {
    const launch = launchOf({
      systemPrompt: "s".repeat(200_000),
      agents: { a: { description: "d", prompt: "p".repeat(150_000) } },
      outputFormat: { type: "json_schema", schema: { title: "t".repeat(150_000) } },
    });
    expect(launch.args).toEqual(base);
    expect(Object.keys(launch.initialize)).toEqual(["jsonSchema", "systemPrompt", "agents"]);
  });

  test("is not changed by what happens to the options later", () => {
    const schema = { type: "object" };
    const launch = launchOf({ outputFormat: { type: "json_schema", schema } });
    schema.type = "array";
    expect(launch.initialize["jsonSchema"]).toEqual({ type: "object" });
  });
});

describe("an option that cannot reach the CLI", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;

  test.each<[string, unknown, string]>([
    ["agents", { agents: cyclic }, "can't be sent"],
    ["settings", { settings: cyclic }, "can't be sent"],
    ["mcpServers", { mcpServers: { a: { command: "c", at: 1n } } }, "can't be sent"],
    ["toolAliases", { toolAliases: { a: () => {} } }, "a function"],
    ["mcpServers", { mcpServers: { calc: { type: "sdk", name: "calc", instance: {} } } }, "in-process server"],
    ["settings", { settings: "{model:m}" }, "begins like JSON"],
    ["sandbox", { settings: "/s.json", sandbox: {} }, "settings that are a file"],
    ["maxBudgetUsd", { maxBudgetUsd: 0 }, "above 0"],
    ["maxBudgetUsd", { maxBudgetUsd: Number.NaN }, "above 0"],
    ["maxTurns", { maxTurns: Number.POSITIVE_INFINITY }, "finite"],
    ["model", { model: {} }, "string"],
    ["allowedTools", { allowedTools: "Read" }, "list of strings"],
    ["additionalDirectories", { additionalDirectories: [1] }, "list of strings"],
    ["executableArgs", { executableArgs: "x" }, "list of strings"],
    ["fallbackModel", { model: "m", fallbackModel: "m" }, "cannot be the same as the main model"],
    ["mcpServersDelivery", { mcpServersDelivery: "file" }, '"argv" or "initialize"'],
    ["pluginDelivery", { pluginDelivery: "" }, '"argv" or "initialize"'],
    ["plugins", { plugins: [{ type: "git", path: "x" }] }, "unsupported plugin type: git"],
    ["model", { model: "a\0b" }, "NUL"],
    ["env.X", { env: { X: "a\0b" } }, "NUL"],
    ["skills", { skills: ["a b "] }, "white space"],
  ])("is named in a typed error: %s", (option, options, words) => {
    // The values are wrong on purpose, as those of callers without types can be.
    const build = (): Launch => launchOf(options as LaunchOptions);
    expect(build).toThrow(OptionError);
    expect(build).toThrow(words);
    expect(build).toThrow(expect.objectContaining({ option, code: "REINS_OPTION_INVALID" }));
  });
});

test("the types let null and undefined through where the official SDK does", () => {
  expectTypeOf({ model: undefined, resume: undefined }).toExtend<LaunchOptions>();
  expectTypeOf<LaunchOptions["extraArgs"]>()
    .extract<object>()
    .toEqualTypeOf<Readonly<Record<string, string | null | undefined>>>();
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildLaunch } from "./launch.ts";
import type { LaunchOptions } from "./launch-options.ts";
import { launchOptionNames, optionRows } from "./option-table.ts";

/** What an option is given, and what of it reaches the CLI: arguments behind those that are always there, fields of the initialize request,
 * variables. What is left out is empty. */
interface Case {
  readonly given: LaunchOptions;
  readonly args?: readonly string[];
  readonly initialize?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

const uuid = "11111111-1111-4111-8111-111111111111";
const server = { command: "srv", args: ["-x"], env: { TOKEN: "t" } };
const plugin = { type: "local", path: "/a" } as const;

function flag(given: LaunchOptions, ...args: string[]): Case {
  return { given, args };
}

function field(given: LaunchOptions, initialize: Case["initialize"] = {}): Case {
  return { given, initialize };
}

/** Every option. */
const cases: Readonly<Record<keyof LaunchOptions, readonly Case[]>> = {
  thinking: [
    flag({ thinking: { type: "adaptive" } }, "--thinking=adaptive"),
    flag({ thinking: { type: "disabled" } }, "--thinking=disabled"),
    flag({ thinking: { type: "enabled", budgetTokens: 2048 } }, "--max-thinking-tokens=2048"),
    flag({ thinking: { type: "enabled" } }, "--thinking=adaptive"),
    flag(
      { thinking: { type: "adaptive", display: "summarized" } },
      "--thinking=adaptive",
      "--thinking-display=summarized",
    ),
    flag(
      { thinking: { type: "enabled", budgetTokens: 0, display: "omitted" }, maxThinkingTokens: 5 },
      "--max-thinking-tokens=0",
      "--thinking-display=omitted",
    ),
  ],
  maxThinkingTokens: [
    flag({ maxThinkingTokens: 1000 }, "--max-thinking-tokens=1000"),
    flag({ maxThinkingTokens: 0 }, "--thinking=disabled"),
  ],
  effort: [flag({ effort: "high" }, "--effort=high")],
  maxTurns: [flag({ maxTurns: 3 }, "--max-turns=3"), flag({ maxTurns: 0 })],
  maxBudgetUsd: [flag({ maxBudgetUsd: 0.5 }, "--max-budget-usd=0.5")],
  taskBudget: [flag({ taskBudget: { total: 20000 } }, "--task-budget=20000")],
  model: [flag({ model: "haiku" }, "--model=haiku"), flag({ model: "-x" }, "--model=-x"), flag({ model: "" })],
  agent: [flag({ agent: "reviewer" }, "--agent=reviewer"), flag({ agent: "" })],
  betas: [flag({ betas: ["a", "b"] }, "--betas=a,b"), flag({ betas: [] })],
  debugFile: [
    flag({ debugFile: "/tmp/d.txt", debug: true }, "--debug-file=/tmp/d.txt"),
    flag({ debugFile: "", debug: true }, "--debug"),
  ],
  debug: [flag({ debug: true }, "--debug"), flag({ debug: false })],
  permissionPromptToolName: [
    flag({ permissionPromptToolName: "stdio" }, "--permission-prompt-tool=stdio"),
    flag({ permissionPromptToolName: "" }),
  ],
  permissionPrompts: [flag({ permissionPrompts: "none" }, "--permission-prompts=none")],
  continue: [flag({ continue: true }, "--continue"), flag({ continue: false })],
  resume: [flag({ resume: "-a title" }, "--resume=-a title"), flag({ resume: "" })],
  allowedTools: [
    flag({ allowedTools: ["Read", "Bash(git *)"] }, "--allowedTools=Read,Bash(git *)"),
    flag({ allowedTools: [] }),
  ],
  disallowedTools: [
    flag({ disallowedTools: ["Bash", "Edit"] }, "--disallowedTools=Bash,Edit"),
    flag({ disallowedTools: [] }),
  ],
  tools: [
    flag({ tools: ["Read", "Edit"] }, "--tools=Read,Edit"),
    flag({ tools: [] }, "--tools="),
    flag({ tools: { type: "preset", preset: "claude_code" } }, "--tools=default"),
  ],
  mcpServers: [
    { given: { mcpServers: { s: server } }, args: ["--await-initialize"], initialize: { mcpServers: { s: server } } },
    flag(
      { mcpServers: { s: server }, mcpServersDelivery: "argv" },
      '--mcp-config={"mcpServers":{"s":{"command":"srv","args":["-x"],"env":{"TOKEN":"t"}}}}',
    ),
    flag({ mcpServers: {} }),
  ],
  mcpServersDelivery: [
    {
      given: { mcpServers: { s: { type: "http", url: "http://h" } }, mcpServersDelivery: "initialize" },
      args: ["--await-initialize"],
      initialize: { mcpServers: { s: { type: "http", url: "http://h" } } },
    },
    flag({ mcpServers: {}, mcpServersDelivery: "initialize" }),
  ],
  settingSources: [
    flag({ settingSources: ["user", "project"] }, "--setting-sources=user,project"),
    flag({ settingSources: [] }, "--setting-sources="),
  ],
  strictMcpConfig: [flag({ strictMcpConfig: true }, "--strict-mcp-config"), flag({ strictMcpConfig: false })],
  permissionMode: [flag({ permissionMode: "acceptEdits" }, "--permission-mode=acceptEdits")],
  allowDangerouslySkipPermissions: [
    flag({ allowDangerouslySkipPermissions: true }, "--allow-dangerously-skip-permissions"),
    flag({ allowDangerouslySkipPermissions: false }),
  ],
  fallbackModel: [flag({ fallbackModel: "a,b" }, "--fallback-model=a,b"), flag({ fallbackModel: "" })],
  includeHookEvents: [flag({ includeHookEvents: true }, "--include-hook-events"), flag({ includeHookEvents: false })],
  includePartialMessages: [flag({ includePartialMessages: true }, "--include-partial-messages")],
  sessionMirror: [flag({ sessionMirror: true }, "--session-mirror"), flag({ sessionMirror: false })],
  projectConfigRoot: [
    flag({ projectConfigRoot: "/p" }, "--project-config-root=/p"),
    flag({ projectConfigRoot: "" }, "--project-config-root="),
  ],
  additionalDirectories: [
    flag({ additionalDirectories: ["/a,b", "-c"] }, "--add-dir=/a,b", "--add-dir=-c"),
    flag({ additionalDirectories: [] }),
  ],
  plugins: [
    flag(
      { plugins: [plugin, { type: "local", path: "b", skipMcpDiscovery: true }] },
      "--plugin-dir=/a",
      "--plugin-dir-no-mcp=b",
    ),
    flag({ plugins: [] }),
  ],
  pluginDelivery: [
    {
      given: { plugins: [plugin], pluginDelivery: "initialize" },
      args: ["--await-initialize"],
      initialize: { plugins: [plugin] },
    },
    flag({ plugins: [plugin], pluginDelivery: "argv" }, "--plugin-dir=/a"),
    flag({ plugins: [], pluginDelivery: "initialize" }),
  ],
  forkSession: [
    flag({ forkSession: true, resume: uuid }, `--resume=${uuid}`, "--fork-session"),
    flag({ forkSession: false }),
  ],
  resumeSessionAt: [
    flag({ resumeSessionAt: uuid, resume: "r" }, "--resume=r", `--resume-session-at=${uuid}`),
    flag({ resumeSessionAt: "" }),
  ],
  resumeDropsTurn: [
    flag(
      { resumeDropsTurn: uuid, resumeSessionAt: uuid, resume: "r" },
      "--resume=r",
      `--resume-session-at=${uuid}`,
      `--resume-drops-turn=${uuid}`,
    ),
    flag(
      { resumeDropsTurn: "", resumeSessionAt: uuid, resume: "r" },
      "--resume=r",
      `--resume-session-at=${uuid}`,
      "--resume-drops-turn=",
    ),
  ],
  sessionId: [flag({ sessionId: uuid }, `--session-id=${uuid}`), flag({ sessionId: "" })],
  persistSession: [flag({ persistSession: false }, "--no-session-persistence"), flag({ persistSession: true })],
  managedSettings: [
    {
      given: { managedSettings: { a: 1 } },
      args: ["--await-initialize", "--managed-settings-in-initialize"],
      initialize: { managedSettings: { a: 1 } },
    },
    flag({ managedSettings: {}, managedSettingsDelivery: "argv" }, "--managed-settings={}"),
  ],
  managedSettingsDelivery: [
    flag({ managedSettings: { a: 1 }, managedSettingsDelivery: "argv" }, '--managed-settings={"a":1}'),
    flag({ managedSettingsDelivery: "initialize" }),
  ],
  extraArgs: [
    flag(
      { extraArgs: { "replay-user-messages": null, name: "-n", empty: "", unset: undefined } },
      "--replay-user-messages",
      "--name=-n",
      "--empty",
      "",
    ),
    flag({ extraArgs: { settings: "/s.json", x: null } }, "--x", "--settings=/s.json"),
    flag({ extraArgs: { settings: "/s.json" }, settings: "/t.json" }, "--settings=/t.json"),
  ],
  settings: [
    flag({ settings: "/s.json" }, "--settings=/s.json"),
    ...[{ settings: '{"model":"m"}' }, { settings: { model: "m" } }, { extraArgs: { settings: '{"model":"m"}' } }].map(
      (given) => ({
        given,
        args: ["--await-initialize", "--initialize-fields=settings"],
        initialize: { settings: { model: "m" } },
      }),
    ),
    {
      given: { settings: {} },
      args: ["--await-initialize", "--initialize-fields=settings"],
      initialize: { settings: {} },
    },
    flag({ settings: "" }),
  ],
  settingsDelivery: [
    flag({ settings: { model: "m" }, settingsDelivery: "argv" }, '--settings={"model":"m"}'),
    flag({ settings: "/s.json", settingsDelivery: "initialize" }, "--settings=/s.json"),
  ],
  sandbox: [
    flag({ sandbox: {}, settingsDelivery: "argv" }, '--settings={"sandbox":{}}'),
    {
      given: { sandbox: { enabled: true }, settings: { model: "m" } },
      args: ["--await-initialize", "--initialize-fields=settings"],
      initialize: { settings: { model: "m", sandbox: { enabled: true, failIfUnavailable: true } } },
    },
  ],
  skills: [
    flag({ skills: "all", allowedTools: ["Read"] }, "--allowedTools=Read,Skill"),
    {
      given: { skills: ["pdf"], allowedTools: ["Skill(pdf)"] },
      args: ["--allowedTools=Skill(pdf)"],
      initialize: { skills: ["pdf"] },
    },
    field({ skills: [] }, { skills: [] }),
  ],
  outputFormat: [
    field({ outputFormat: { type: "json_schema", schema: { type: "object" } } }, { jsonSchema: { type: "object" } }),
  ],
  systemPrompt: [
    field({ systemPrompt: undefined }, { systemPrompt: [""] }),
    field({ systemPrompt: "A" }, { systemPrompt: ["A"] }),
    field({ systemPrompt: ["A", "B"] }, { systemPrompt: ["A", "B"] }),
    field(
      { systemPrompt: { type: "custom", prompt: "A", snapshot: false } },
      { systemPrompt: ["A"], systemPromptSnapshot: false },
    ),
    field({ systemPrompt: { type: "preset", preset: "claude_code" } }),
    field(
      {
        systemPrompt: {
          type: "preset",
          preset: "claude_code",
          append: "more",
          excludeDynamicSections: true,
          snapshot: true,
        },
      },
      { appendSystemPrompt: "more", excludeDynamicSections: true, systemPromptSnapshot: true },
    ),
    flag({ systemPrompt: { type: "file", path: "/p.md" } }, "--system-prompt-file=/p.md"),
  ],
  planModeInstructions: [field({ planModeInstructions: "" }, { planModeInstructions: "" })],
  toolAliases: [
    field({ toolAliases: {} }, { toolAliases: {} }),
    field({ toolAliases: { a: "Bash" } }, { toolAliases: { a: "Bash" } }),
  ],
  agents: [
    field(
      { agents: { a: { description: "d", prompt: "p", model: undefined } } },
      { agents: { a: { description: "d", prompt: "p" } } },
    ),
    field({ agents: {} }, { agents: {} }),
  ],
  title: [field({ title: "" }, { title: "" })],
  promptSuggestions: [field({ promptSuggestions: false }, { promptSuggestions: false })],
  agentProgressSummaries: [field({ agentProgressSummaries: true }, { agentProgressSummaries: true })],
  forwardSubagentText: [field({ forwardSubagentText: false }, { forwardSubagentText: false })],
  supportedDialogKinds: [field({ supportedDialogKinds: [] }, { supportedDialogKinds: [] })],
  perTaskStopAffordance: [field({ perTaskStopAffordance: false }, { perTaskStopAffordance: false })],
  enableFileCheckpointing: [
    { given: { enableFileCheckpointing: true }, env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true" } },
    { given: { enableFileCheckpointing: false } },
  ],
  toolConfig: [
    {
      given: { toolConfig: { askUserQuestion: { previewFormat: "html" } } },
      env: { CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: "html" },
    },
    { given: { toolConfig: {} } },
  ],
  // These decide what is started, and where; launch.test.ts and environment.test.ts are about them.
  executable: [{ given: { executable: "deno" } }],
  executableArgs: [{ given: { executableArgs: [] } }],
  pathToClaudeCodeExecutable: [{ given: { pathToClaudeCodeExecutable: "/x/claude" } }],
  cwd: [{ given: { cwd: "/srv" } }],
  env: [{ given: { env: { A: "1" } }, env: { A: "1" } }],
  onWarning: [{ given: { onWarning: () => {} } }],
};

/** What of the options reaches the CLI, beside what always does. */
function outcome(options: LaunchOptions): Required<Omit<Case, "given">> {
  const host = { platform: "linux", env: {}, interpreter: "node", locate: () => "/opt/claude", uid: 1000, trace: {} };
  const quiet = { onWarning: () => {}, ...options };
  const { args, initialize, env } = buildLaunch(quiet, host);
  const plain = buildLaunch({}, host);
  const more = Object.entries(env).filter(([name, value]) => plain.env[name] !== value);
  return { args: args.slice(plain.args.length), initialize, env: Object.fromEntries(more) };
}

describe("reaches the CLI as the official SDK sends it:", () => {
  for (const [option, list] of Object.entries(cases)) {
    test(`${option}`, () => {
      for (const { given, args = [], initialize = {}, env = {} } of list) {
        // The default prompt is not what the case is about, unless it says so.
        const usual = "systemPrompt" in given ? {} : { systemPrompt: [""] };
        expect(outcome(given), JSON.stringify(given)).toEqual({ args, initialize: { ...usual, ...initialize }, env });
      }
    });
  }
});

interface Fact {
  readonly name: string;
  readonly ts: string | null;
  readonly python: string | null;
  /** Where the official SDKs put it, as `flag:--x`, `initialize:x`, `env:X`. */
  readonly wire: string;
}

/** The options that the official SDKs publish (TypeScript 0.3.328, Python 0.2.143), and where each goes. */
function facts(): readonly Fact[] {
  return JSON.parse(readFileSync(new URL("../test/fixtures/option-facts.json", import.meta.url), "utf8"));
}

/** Options of a session, which the layers above have. */
const ofSessions = [
  "abortController",
  "canUseTool",
  "hooks",
  "onElicitation",
  "onUserDialog",
  "sessionStore",
  "sessionStoreFlush",
  "loadTimeoutMs",
  "verbatimPrompts",
];

/** Options of `startClaude`. */
const ofStart = ["stderr", "spawnClaudeCodeProcess"];

/** Ways that we do not use, each for a reason, beside those that we do. */
const notUsed: Readonly<Record<string, readonly string[]>> = {
  // The initialize request alone is enough, and has no limit.
  outputFormat: ["--json-schema"],
  // In-process servers are the session's.
  mcpServers: ["sdkMcpServers", "sdkMcpServerConfigs", "sdkMcpServerManifests"],
};

describe("the facts of the official SDKs", () => {
  test("name no option of the TypeScript SDK that we do not have", () => {
    const ours: readonly string[] = [...launchOptionNames(), ...ofStart, ...ofSessions];
    const published = facts().filter(({ ts }) => ts !== null);
    expect(published).toHaveLength(70);
    expect(published.filter(({ name }) => !ours.includes(name))).toEqual([]);
  });

  test("name three options of the Python SDK alone, and those have another name here or no use", () => {
    const pythonOnly = facts().filter(({ ts }) => ts === null);
    // maxLineBytes; userSpawner; the last is dead there too.
    expect(pythonOnly.map(({ name }) => name)).toEqual(["max_buffer_size", "user", "debug_stderr"]);
    const names = facts().flatMap(({ python }) => (python === null || python.includes("transport=") ? [] : [python]));
    expect(names).toHaveLength(48);
  });

  test.each(facts().filter(({ name }) => name in cases))("say where $name goes: $wire", ({ name, wire }) => {
    const fields = [...wire.matchAll(/initialize:([A-Za-z]+(?:, [A-Za-z]+)*)/g)].map(([, names = ""]) => names);
    const expected = new Set<string>([
      ...(wire.match(/--[a-z][A-Za-z-]*/g) ?? []),
      ...fields.flatMap((names) => names.split(", ")),
      ...(wire.match(/CLAUDE_[A-Z_]+/g) ?? []),
    ]);
    for (const way of notUsed[name] ?? []) expected.delete(way);
    const used = new Set<string>();
    for (const { given } of cases[name as keyof LaunchOptions]) {
      const { args, initialize, env } = outcome(given);
      for (const way of [...args.map((arg) => arg.split("=")[0]!), ...Object.keys(initialize), ...Object.keys(env)]) {
        used.add(way);
      }
    }
    expect([...expected].filter((way) => !used.has(way))).toEqual([]);
  });
});

test("every option has its row, and every row its option", () => {
  const rows = optionRows().map(({ option }) => option);
  expect(rows.filter((option) => !(option in cases))).toEqual(["awaitInitialize", "inInitialize"]);
  expect(Object.keys(cases).filter((option) => !rows.includes(option))).toEqual([]);
});

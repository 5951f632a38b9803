import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Options as OfficialOptions, McpServerConfig as OfficialServer } from "@anthropic-ai/claude-agent-sdk";
import { type CliLog, type CliScript, scriptedCliExecutable } from "@reins/testkit";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type LaunchOptions, type McpServerConfig, type StartOptions, startClaude } from "../src/index.ts";
import { launchOf, scratchFolder } from "./setup.ts";

// What a child of the official SDK gets, and what a child of ours gets, for the same options. A stand-in for the CLI records both.

const uuid = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** Sets of options that together have all that are not of the host. */
const optionSets: Readonly<Record<string, LaunchOptions>> = {
  nothing: {},
  "model and limits": {
    model: "haiku",
    fallbackModel: "sonnet,opus",
    effort: "high",
    thinking: { type: "enabled", budgetTokens: 2048, display: "omitted" },
    maxTurns: 3,
    maxBudgetUsd: 0.5,
    taskBudget: { total: 20_000 },
    betas: ["a", "b"],
    outputFormat: { type: "json_schema", schema: { type: "object" } },
  },
  "prompt and agents": {
    systemPrompt: ["A", "B"],
    planModeInstructions: "Plan.",
    agents: { a: { description: "d", prompt: "p", tools: ["Read"] } },
    agent: "a",
    skills: ["pdf", "team:notes"],
    title: "T",
  },
  "the preset": {
    systemPrompt: {
      type: "preset",
      preset: "claude_code",
      append: "more",
      excludeDynamicSections: true,
      snapshot: true,
    },
    skills: "all",
    maxThinkingTokens: 0,
  },
  "tools and permissions": {
    allowedTools: ["Read", "Bash(git *)"],
    disallowedTools: ["Edit", "-x"],
    tools: [],
    toolAliases: { a: "Bash" },
    permissionMode: "plan",
    permissionPromptToolName: "mcp__s__t",
    permissionPrompts: "host",
    additionalDirectories: ["/a,b", "-c"],
    strictMcpConfig: true,
    plugins: [
      { type: "local", path: "/a" },
      { type: "local", path: "b", skipMcpDiscovery: true },
    ],
    allowDangerouslySkipPermissions: true,
  },
  "servers and settings": {
    mcpServers: { s: { command: "srv", args: ["-x"], env: { A: "1" } } },
    settings: { model: "m", sandbox: { network: { deniedDomains: ["a"] } } },
    sandbox: { enabled: true, network: { deniedDomains: ["b"] } },
    managedSettings: { permissions: { deny: ["Bash"] } },
    settingSources: [],
    projectConfigRoot: "/p",
  },
  "servers, plugins and settings in initialize": {
    mcpServers: { s: { type: "http", url: "http://h", headers: { A: "1" } } },
    mcpServersDelivery: "initialize",
    plugins: [{ type: "local", path: "/a" }],
    pluginDelivery: "initialize",
    settings: '{"model":"m"}',
    settingsDelivery: "initialize",
    managedSettings: {},
    managedSettingsDelivery: "initialize",
  },
  session: {
    resume: "-a title",
    forkSession: true,
    sessionId: uuid,
    resumeSessionAt: uuid,
    resumeDropsTurn: other,
    persistSession: false,
  },
  "a settings file": { settings: "/s.json", continue: true, debug: true },
  "what is written": {
    includeHookEvents: true,
    includePartialMessages: true,
    forwardSubagentText: false,
    promptSuggestions: true,
    agentProgressSummaries: true,
    perTaskStopAffordance: true,
    debugFile: "/d.txt",
    enableFileCheckpointing: true,
    toolConfig: { askUserQuestion: { previewFormat: "html" } },
    extraArgs: { "replay-user-messages": null, name: "-n", empty: "" },
    executableArgs: ["--bare"],
  },
};

/** One thing that is meant to be different, and what the official record becomes by it. */
interface Difference {
  readonly what: string;
  readonly apply: (record: Recorded) => Recorded;
}

interface Recorded {
  readonly args: readonly string[];
  readonly initialize: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

const intendedDifferences: readonly Difference[] = [
  {
    what: "A value is in one token with its flag, also where the official SDK writes two.",
    apply: (record) => ({ ...record, args: inOneToken(record.args) }),
  },
  {
    what: "A schema is in the initialize request only, which is enough and has no limit.",
    apply: (record) => ({ ...record, args: record.args.filter((arg) => !arg.startsWith("--json-schema=")) }),
  },
  {
    what: "MCP servers and settings are in the initialize request, where nobody can read them.",
    apply: (record) => intoInitialize(record),
  },
  {
    what: "--permission-prompts and others are in the place of their row; the order of flags has no meaning.",
    apply: (record) => ({ ...record, args: record.args.toSorted() }),
  },
  {
    what: "The user agent names this project, where nobody else has set a name.",
    apply: (record) => ({ ...record, env: { ...record.env, CLAUDE_AGENT_SDK_CLIENT_APP: "reins" } }),
  },
];

describe("a child gets what the official SDK gives it, but for the intended differences", () => {
  for (const [name, options] of Object.entries(optionSets)) {
    test.concurrent(name, async () => {
      const official = intendedDifferences.reduce((record, { apply }) => apply(record), await officialRecord(options));
      const ours = await ourRecord(options);
      expect({ ...ours, args: ours.args.toSorted() }).toEqual(official);
    });
  }

  test("each of which is there", async () => {
    const records = await Promise.all(Object.values(optionSets).map(officialRecord));
    const seen = new Set<string>();
    for (const record of records) {
      intendedDifferences.reduce((before, { what, apply }) => {
        const after = apply(before);
        if (JSON.stringify(after) !== JSON.stringify(before)) seen.add(what);
        return after;
      }, record);
    }
    expect([...seen].toSorted()).toEqual(intendedDifferences.map(({ what }) => what).toSorted());
  });
});

test("options that are typed for the official SDK fit ours", () => {
  type Ours = LaunchOptions & StartOptions;
  type Misfit<K extends keyof OfficialOptions & keyof Ours> = K extends unknown
    ? OfficialOptions[K] extends Ours[K]
      ? never
      : K
    : never;
  // In-process servers are the session's, and the others fit.
  expectTypeOf<Misfit<keyof OfficialOptions & keyof Ours>>().toEqualTypeOf<"mcpServers">();
  expectTypeOf<Exclude<OfficialServer, { type: "sdk" }>>().toExtend<McpServerConfig>();
  expectTypeOf<Exclude<keyof OfficialOptions, keyof Ours>>().toEqualTypeOf<
    | "abortController"
    | "canUseTool"
    | "hooks"
    | "loadTimeoutMs"
    | "onElicitation"
    | "onUserDialog"
    | "sessionStore"
    | "sessionStoreFlush"
    | "verbatimPrompts"
  >();
});

const script: CliScript = {
  steps: [
    {
      do: "init",
      response: {
        hooks_applied: true,
        plugins_applied: true,
        mcp_servers_applied: true,
        settings_applied: true,
        managed_settings_applied: true,
      },
    },
    { do: "read", match: { type: "user" } },
    { do: "write", frame: { type: "result", subtype: "success", is_error: false, result: "", session_id: uuid } },
    { do: "readEnd", ms: 10_000 },
    { do: "exit", code: 0 },
  ],
};

async function officialRecord(options: LaunchOptions): Promise<Recorded> {
  await using cli = await scriptedCliExecutable(script);
  using folder = scratchFolder();
  const file = folder.write(
    "options.json",
    JSON.stringify({ ...options, env: childEnv(), pathToClaudeCodeExecutable: cli.path }),
  );
  const host = new URL("./official-sdk-host.mjs", import.meta.url);
  await promisify(execFile)(process.execPath, [fileURLToPath(host), file], { env: childEnv(), timeout: 30_000 });
  return recordOf(await cli.log());
}

async function ourRecord(options: LaunchOptions): Promise<Recorded> {
  await using cli = await scriptedCliExecutable(script);
  const launch = launchOf(cli.path, { ...options, env: childEnv(), onWarning: () => {} });
  await using claude = startClaude(launch);
  const request = { subtype: "initialize", ...launch.initialize };
  await claude.send({ type: "control_request", request_id: "i", request });
  await claude.send({ type: "user", message: { role: "user", content: "hi" }, parent_tool_use_id: null });
  for await (const batch of claude.frames) if (batch.some(({ type }) => type === "result")) await claude.endInput();
  return recordOf(await cli.log());
}

/** With what root needs for some options. */
function childEnv(): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", IS_SANDBOX: "1" };
}

function recordOf({ argv, env, frames }: CliLog): Recorded {
  const request = Object(frames[0]?.["request"]);
  const { subtype, ...initialize } = request;
  expect(subtype).toBe("initialize");
  const { PWD, SHLVL, _, OLDPWD, ...rest } = env;
  return { args: argv, initialize, env: rest };
}

/** The base arguments stay as they are: they are the same on both sides. */
function inOneToken(args: readonly string[]): string[] {
  const joined: string[] = [];
  const twoTokens = ["--mcp-config", "--settings", "--managed-settings", "--name"];
  for (const arg of args) {
    const before = joined.at(-1);
    if (before !== undefined && twoTokens.includes(before)) joined[joined.length - 1] = `${before}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

function intoInitialize(record: Recorded): Recorded {
  const fields: Record<string, unknown> = {};
  const args: string[] = [];
  for (const arg of record.args) {
    const [, flag, json] = /^(--[\w-]+)=(\{.*)$/s.exec(arg) ?? [];
    if (flag === "--mcp-config") Object.assign(fields, JSON.parse(json ?? ""));
    else if (flag === "--settings") fields["settings"] = JSON.parse(json ?? "");
    else if (flag === "--managed-settings") fields["managedSettings"] = JSON.parse(json ?? "");
    else args.push(arg);
  }
  if (Object.keys(fields).length > 0) args.push("--await-initialize");
  if ("settings" in fields) args.push("--initialize-fields=settings");
  if ("managedSettings" in fields) args.push("--managed-settings-in-initialize");
  return { ...record, args, initialize: { ...record.initialize, ...fields } };
}

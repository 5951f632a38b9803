import { describe, expect, test } from "vitest";
import { CapabilityError, type ControlClient, ControlError } from "../src/index.ts";
import { answerTo, refusalOf, session } from "./session.ts";

interface Call {
  readonly call: (client: ControlClient) => Promise<unknown>;
  readonly request: object;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly resolves: unknown;
}

/** The wire form of each method, and what it makes of the answer. */
const calls: Readonly<Record<string, Call>> = {
  cancelAsyncMessage: {
    call: (client) => client.cancelAsyncMessage("u1"),
    request: { subtype: "cancel_async_message", message_uuid: "u1" },
    answer: { cancelled: true, message_uuid: "u1" },
    resolves: true,
  },
  setPermissionMode: {
    call: (client) => client.setPermissionMode("plan"),
    request: { subtype: "set_permission_mode", mode: "plan" },
    answer: { mode: "plan" },
    resolves: undefined,
  },
  setMcpPermissionModeOverride: {
    call: (client) => client.setMcpPermissionModeOverride("files", null),
    request: { subtype: "set_mcp_permission_mode_override", serverName: "files", mode: null },
    answer: { warning: "not known yet" },
    resolves: { warning: "not known yet" },
  },
  setModel: {
    call: (client) => client.setModel("haiku"),
    request: { subtype: "set_model", model: "haiku" },
    answer: { model: "claude-haiku" },
    resolves: undefined,
  },
  "setModel back to the default": {
    call: (client) => client.setModel(),
    request: { subtype: "set_model" },
    resolves: undefined,
  },
  setMaxThinkingTokens: {
    call: (client) => client.setMaxThinkingTokens(null, "omitted"),
    request: { subtype: "set_max_thinking_tokens", max_thinking_tokens: null, thinking_display: "omitted" },
    resolves: undefined,
  },
  applyFlagSettings: {
    call: (client) => client.applyFlagSettings({ model: null }),
    request: { subtype: "apply_flag_settings", settings: { model: null } },
    resolves: undefined,
  },
  updateSettings: {
    call: (client) => client.updateSettings("userSettings", { effortLevel: "low" }),
    request: { subtype: "update_settings", source: "userSettings", settings: { effortLevel: "low" } },
    resolves: undefined,
  },
  getSettings: {
    call: (client) => client.getSettings(),
    request: { subtype: "get_settings" },
    answer: { effective: {} },
    resolves: { effective: {} },
  },
  listPermissionRules: {
    call: (client) => client.listPermissionRules(),
    request: { subtype: "list_permission_rules" },
    answer: { state: { rules: [] } },
    resolves: { rules: [] },
  },
  getHooksListing: {
    call: (client) => client.getHooksListing(),
    request: { subtype: "get_hooks_listing" },
    answer: { hooks: [] },
    resolves: { hooks: [] },
  },
  listModels: {
    call: (client) => client.listModels(),
    request: { subtype: "list_models" },
    answer: { models: [] },
    resolves: [],
  },
  getBinaryVersion: {
    call: (client) => client.getBinaryVersion(),
    request: { subtype: "get_binary_version" },
    answer: { version: "1" },
    resolves: { version: "1" },
  },
  getContextUsage: {
    call: (client) => client.getContextUsage({ detail: "summary" }),
    request: { subtype: "get_context_usage", detail: "summary" },
    answer: { totalTokens: 1 },
    resolves: { totalTokens: 1 },
  },
  getUsage: {
    call: (client) => client.getUsage({ skipBehaviors: true }),
    request: { subtype: "get_usage", skip_behaviors: true },
    answer: { behaviors: null },
    resolves: { behaviors: null },
  },
  getSessionCost: {
    call: (client) => client.getSessionCost(),
    request: { subtype: "get_session_cost" },
    answer: { text: "$1" },
    resolves: "$1",
  },
  getStatus: {
    call: (client) => client.getStatus(),
    request: { subtype: "get_status" },
    answer: { sections: [] },
    resolves: [],
  },
  fileSuggestions: {
    call: (client) => client.fileSuggestions("a"),
    request: { subtype: "file_suggestions", query: "a" },
    answer: { suggestions: [], cwd: "/w" },
    resolves: { suggestions: [], cwd: "/w" },
  },
  readFile: {
    call: (client) => client.readFile("a.txt", { maxBytes: 5, encoding: "base64" }),
    request: { subtype: "read_file", path: "a.txt", max_bytes: 5, encoding: "base64" },
    answer: { contents: "" },
    resolves: { contents: "" },
  },
  getPlan: {
    call: (client) => client.getPlan(),
    request: { subtype: "get_plan" },
    answer: { exists: false },
    resolves: { exists: false },
  },
  getWorkspaceDiff: {
    call: (client) => client.getWorkspaceDiff(),
    request: { subtype: "get_workspace_diff" },
    answer: { diff: null },
    resolves: { diff: null },
  },
  exportConversation: {
    call: (client) => client.exportConversation(),
    request: { subtype: "export_conversation" },
    answer: { text: "t", default_filename: "f" },
    resolves: { text: "t", default_filename: "f" },
  },
  renameSession: {
    call: (client) => client.renameSession("A title"),
    request: { subtype: "rename_session", title: "A title", source: "host" },
    resolves: undefined,
  },
  generateSessionTitle: {
    call: (client) => client.generateSessionTitle("about", { persist: true }),
    request: { subtype: "generate_session_title", description: "about", persist: true },
    answer: { title: null },
    resolves: null,
  },
  askSideQuestion: {
    call: (client) => client.askSideQuestion("why?"),
    request: { subtype: "side_question", question: "why?" },
    answer: { response: "so", synthetic: false },
    resolves: { response: "so", synthetic: false },
  },
  setCwd: {
    call: (client) => client.setCwd("/w", { trust_accepted: true, trusted_directory: "/w" }),
    request: { subtype: "set_cwd", path: "/w", trust_accepted: true, trusted_directory: "/w" },
    answer: { status: "ok" },
    resolves: { status: "ok" },
  },
  registerRepoRoot: {
    call: (client) => client.registerRepoRoot("/w/a", { reloadSkills: true }),
    request: { subtype: "register_repo_root", directory: "/w/a", reload_skills: true },
    answer: { directory: "/w/a" },
    resolves: "/w/a",
  },
  reloadPlugins: {
    call: (client) => client.reloadPlugins({ holdOnCacheImpact: true, addPlugins: [{ type: "local", path: "/p" }] }),
    request: { subtype: "reload_plugins", hold_on_cache_impact: true, add_plugins: [{ type: "local", path: "/p" }] },
    answer: { error_count: 0 },
    resolves: { error_count: 0 },
  },
  reloadSkills: {
    call: (client) => client.reloadSkills(),
    request: { subtype: "reload_skills" },
    answer: { skills: [] },
    resolves: { skills: [] },
  },
  reloadOutputStyles: {
    call: (client) => client.reloadOutputStyles(),
    request: { subtype: "reload_output_styles" },
    answer: { available_output_styles: [] },
    resolves: { available_output_styles: [] },
  },
  rewindFiles: {
    call: (client) => client.rewindFiles("u1", { dryRun: true }),
    request: { subtype: "rewind_files", user_message_id: "u1", dry_run: true },
    answer: { canRewind: false },
    resolves: { canRewind: false },
  },
  seedReadState: {
    call: (client) => client.seedReadState("/w/a", 5),
    request: { subtype: "seed_read_state", path: "/w/a", mtime: 5 },
    resolves: undefined,
  },
  mcpServerStatus: {
    call: (client) => client.mcpServerStatus(),
    request: { subtype: "mcp_status" },
    answer: { mcpServers: [] },
    resolves: [],
  },
  reconnectMcpServer: {
    call: (client) => client.reconnectMcpServer("files"),
    request: { subtype: "mcp_reconnect", serverName: "files" },
    resolves: undefined,
  },
  toggleMcpServer: {
    call: (client) => client.toggleMcpServer("files", false),
    request: { subtype: "mcp_toggle", serverName: "files", enabled: false },
    resolves: undefined,
  },
  readMcpResource: {
    call: (client) => client.readMcpResource("files", "ui://a"),
    request: { subtype: "mcp_read_resource", serverName: "files", uri: "ui://a" },
    answer: { contents: [] },
    resolves: { contents: [] },
  },
  callMcpTool: {
    call: (client) => client.callMcpTool("mcp__files__read", { path: "a" }, { timeout_ms: 9 }),
    request: { subtype: "mcp_call", tool: "mcp__files__read", arguments: { path: "a" }, timeout_ms: 9 },
    answer: { content: "text" },
    resolves: { content: "text" },
  },
  setMcpServers: {
    call: (client) => client.setMcpServers({ files: { type: "http", url: "http://localhost" } }),
    request: { subtype: "mcp_set_servers", servers: { files: { type: "http", url: "http://localhost" } } },
    answer: { added: ["files"], removed: [], errors: {} },
    resolves: { added: ["files"], removed: [], errors: {} },
  },
  stopTask: {
    call: (client) => client.stopTask("t1"),
    request: { subtype: "stop_task", task_id: "t1" },
    resolves: undefined,
  },
  backgroundTasks: {
    call: (client) => client.backgroundTasks("toolu_1"),
    request: { subtype: "background_tasks", tool_use_id: "toolu_1" },
    answer: { backgrounded: false },
    resolves: false,
  },
  "backgroundTasks of all tools": {
    call: (client) => client.backgroundTasks(),
    request: { subtype: "background_tasks" },
    answer: {},
    resolves: true,
  },
  getTaskOutput: {
    call: (client) => client.getTaskOutput("t1"),
    request: { subtype: "get_task_output", task_id: "t1" },
    answer: { output: "o", total_bytes: 1, truncated: false },
    resolves: { output: "o", total_bytes: 1, truncated: false },
  },
  setHasSubscribers: {
    call: (client) => client.setHasSubscribers(null),
    request: { subtype: "set_has_subscribers", has_subscribers: null },
    resolves: undefined,
  },
  setPromptSuggestionsPaused: {
    call: (client) => client.setPromptSuggestionsPaused(true),
    request: { subtype: "set_prompt_suggestions_paused", paused: true },
    resolves: undefined,
  },
  endSession: {
    call: (client) => client.endSession("done"),
    request: { subtype: "end_session", reason: "done" },
    resolves: undefined,
  },
};

test.each(Object.entries(calls))(
  "%s is its request on the wire",
  async (_name, { call, request, answer, resolves }) => {
    const { client, cli, read } = session();
    const result = call(client);
    const frame = await read();
    expect(frame["request"]).toEqual(request);
    await cli.send(answerTo(frame, answer));
    expect(await result).toEqual(resolves);
  },
);

test("readFile is null for a refusal, and fails when the session ends", async () => {
  const { client, cli, read } = session();
  const refused = client.readFile("secret");
  await cli.send(refusalOf(await read(), "read denied: secret"));
  expect(await refused).toBeNull();
  const unanswered = client.readFile("a");
  await read();
  cli.exit();
  await expect(unanswered).rejects.toThrow("Query closed before response received");
});

describe("what the initialization tells", () => {
  const answer = {
    commands: [{ name: "one" }],
    models: [{ value: "m" }],
    agents: [{ name: "a" }],
    account: { apiProvider: "firstParty" },
    capabilities: ["reload_plugins_refuse_if_busy_v1"],
  };

  test("can be asked for at any time", async () => {
    const { client, cli, read } = session();
    await expect(client.initializationResult()).rejects.toBeInstanceOf(ControlError);
    const initializing = client.initialize();
    await cli.send(answerTo(await read(), answer));
    await initializing;
    expect(await client.supportedModels()).toEqual(answer.models);
    expect(await client.supportedAgents()).toEqual(answer.agents);
    expect(await client.accountInfo()).toEqual(answer.account);
    expect(await client.supportedCommands()).toEqual(answer.commands);
  });

  test("has the commands that the CLI reported last", async () => {
    const { client, cli, read } = session();
    const initializing = client.initialize();
    await cli.send(answerTo(await read(), answer));
    await initializing;
    await cli.send({ type: "system", subtype: "commands_changed", commands: [{ name: "two" }] });
    await client.messages.next();
    expect(await client.supportedCommands()).toEqual([{ name: "two" }]);
  });

  test("decides what may be asked for", async () => {
    const { client, cli, read } = session();
    expect(client.supports("reload_plugins_refuse_if_busy_v1")).toBe(false);
    await expect(client.reloadPlugins({ refuseIfBusy: true })).rejects.toBeInstanceOf(CapabilityError);
    const initializing = client.initialize();
    await cli.send(answerTo(await read(), answer));
    await initializing;
    const reloading = client.reloadPlugins({ refuseIfBusy: true });
    const request = await read();
    expect(request["request"]).toEqual({ subtype: "reload_plugins", refuse_if_busy: true });
    await cli.send(answerTo(request, { error_count: 0 }));
    await reloading;
    // The first turn tells the rest. A CLI that does not know the member would run the tool without asking.
    const call = (): Promise<unknown> => client.callMcpTool("mcp__a__b", {}, { check_permissions: true });
    await expect(call()).rejects.toMatchObject({ capability: "mcp_call_check_permissions_v1" });
    await cli.send({ type: "system", subtype: "init", capabilities: ["mcp_call_check_permissions_v1"] });
    await client.messages.next();
    const calling = call();
    await cli.send(answerTo(await read(), { content: "done" }));
    expect(await calling).toEqual({ content: "done" });
  });
});

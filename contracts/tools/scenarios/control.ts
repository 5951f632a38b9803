import { text, toolUse } from "@reins/testkit";
import { hostUuid, type Scenario, system } from "../scenario.ts";
import { stdioServerConfig, stdioServerFile } from "./stdio-server.ts";

/** Control requests of the host. */
export const control: readonly Scenario[] = [
  {
    name: "control-set-model-and-mode",
    shows:
      "set_model (good, unknown, back to the default), set_permission_mode, set_max_thinking_tokens; each before a turn",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [text("One."), text("Two."), text("Three.")],
      async host(cli) {
        await cli.initialize();
        await cli.request("set_model", { model: "claude-sonnet-4-5" });
        await cli.turn("First");
        await cli.request("set_model", { model: "not a model!" });
        await cli.request("set_permission_mode", { mode: "acceptEdits" });
        await cli.request("set_max_thinking_tokens", { max_thinking_tokens: 2000 });
        await cli.turn("Second");
        await cli.request("set_model");
        await cli.request("set_permission_mode", { mode: "default" });
        await cli.request("set_max_thinking_tokens", { max_thinking_tokens: null });
        await cli.turn("Third");
      },
    }),
  },
  {
    name: "control-getters",
    shows:
      "what a host can ask for: version, settings, context, usage, cost, models, rules, hooks, plan, status, servers",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.request("get_binary_version");
        await cli.initialize();
        await cli.turn("Hello");
        for (const subtype of getters) await cli.request(subtype);
        await cli.request("get_context_usage", { detail: "summary" });
      },
    }),
  },
  {
    name: "control-settings",
    shows: "apply_flag_settings and update_settings, good and bad",
    argv: ["--tools", ""],
    play: () => ({
      async host(cli) {
        await cli.initialize();
        for (const settings of [
          { effortLevel: "low" },
          { permissions: { deny: ["WebFetch"] } },
          { permissions: "bad" },
          { nope: 1 },
        ]) {
          await cli.request("apply_flag_settings", { settings });
        }
        await cli.request("apply_flag_settings");
        await cli.request("update_settings", { source: "localSettings", settings: { outputStyle: "Concise" } });
        await cli.request("update_settings", { source: "projectSettings", settings: {} });
      },
    }),
  },
  {
    name: "control-files",
    shows: "read_file, file_suggestions, register_repo_root, seed_read_state, and rewind_files behind a checkpoint",
    argv: ["--setting-sources", "", "--tools", "Write", "--permission-mode", "acceptEdits"],
    env: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "1" },
    files: { "notes.txt": "Some notes\n", "sub/README.md": "A folder" },
    play: () => ({
      model: [toolUse("Write", { file_path: "made.txt", content: "made\n" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Make a file", { uuid: hostUuid(1) });
        await cli.request("read_file", { path: "notes.txt" });
        await cli.request("read_file", { path: "notes.txt", max_bytes: 5, encoding: "base64" });
        await cli.request("read_file", { path: "missing.txt" });
        await cli.request("register_repo_root", { directory: `${cli.folders.cwd}/sub` });
        await cli.request("seed_read_state", { path: `${cli.folders.cwd}/notes.txt`, mtime: 1 });
        await cli.request("rewind_files", { user_message_id: hostUuid(1), dry_run: true });
        await cli.request("rewind_files", { user_message_id: hostUuid(2) });
        await cli.request("rewind_files", { user_message_id: hostUuid(1) });
      },
    }),
  },
  {
    name: "control-session",
    shows: "rename_session, set_color, generate_session_title, reload_skills, reload_plugins, set_has_subscribers",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
        await cli.request("rename_session", { title: "My title" });
        await cli.request("rename_session", { title: "  " });
        await cli.request("set_color", { color: "red" });
        await cli.request("set_color", { color: "mauve" });
        await cli.request("generate_session_title", { description: "Fix it" });
        await cli.request("reload_skills");
        await cli.request("reload_plugins");
        await cli.request("set_has_subscribers", { has_subscribers: false });
      },
    }),
  },
  {
    name: "control-refused",
    shows: "an unknown request, requests that only the CLI makes, and good ones with bad fields",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      async host(cli) {
        await cli.initialize();
        for (const subtype of ["no_such_request", "can_use_tool", "hook_callback", "elicitation"])
          await cli.request(subtype);
        await cli.request("stop_task");
        await cli.request("set_max_thinking_tokens", { max_thinking_tokens: "many" });
        await cli.request("mcp_call", { tool: "no-server" });
        await cli.request("mcp_message", {
          server_name: "missing",
          message: { jsonrpc: "2.0", method: "notifications/x" },
        });
        await cli.request("initialize");
      },
    }),
  },
  {
    name: "control-side-question",
    shows: "side_question: control_request_progress, then an answer; a second one that the host takes back",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: ({ userText }) =>
        userText.includes("for ever")
          ? new Promise(() => {})
          : userText === "Hello"
            ? text("An answer.")
            : text("Because."),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
        await cli.request("side_question", { question: "Why?" });
        const id = cli.sendRequest("side_question", { question: "Why for ever?" });
        await cli.until(system("control_request_progress", { request_id: id }));
        cli.send({ type: "control_cancel_request", request_id: id });
        await cli.responseTo(id);
        cli.send({ type: "control_cancel_request", request_id: "never-existed" });
        await cli.request("get_binary_version");
      },
    }),
  },
  {
    name: "control-set-cwd",
    shows: "set_cwd: needs_trust, then ok, then rejected",
    argv: ["--setting-sources", "", "--tools", ""],
    files: { "sub/README.md": "A folder" },
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        const path = `${cli.folders.cwd}/sub`;
        await cli.request("set_cwd", { path });
        await cli.request("set_cwd", { path, trust_accepted: true, trusted_directory: path });
        await cli.request("set_cwd", { path: "/nonexistent" });
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "control-end-session",
    shows: "end_session: the CLI answers and exits, though its input is open",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
        await cli.request("end_session", { reason: "done" });
        await cli.exit();
      },
    }),
  },
  {
    name: "reinitialize-pending-permission",
    shows:
      "initialize again while can_use_tool is open: pending_permission_requests names it, other hooks are in force afterwards",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [makeFile(), text("Finished.")],
      async host(cli) {
        cli.serve("hook_callback", () => ({}));
        await cli.initialize({ hooks: { Stop: [{ hookCallbackIds: ["hook_0"] }] } });
        cli.prompt("Make a file");
        const ask = await cli.asked("can_use_tool");
        await cli.initialize({ hooks: { Stop: [{ hookCallbackIds: ["hook_1"] }] } });
        cli.allow(ask);
        await cli.result();
      },
    }),
  },
  {
    name: "reinitialize-pending-hook",
    shows: "initialize again while a hook is open: the CLI settles it itself",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [makeFile(), text("Finished.")],
      async host(cli) {
        await cli.initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ["hook_0"] }] } });
        cli.prompt("Make a file");
        await cli.asked("hook_callback");
        await cli.initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ["hook_1"] }] } });
        await cli.result();
      },
    }),
  },
  {
    name: "await-initialize",
    shows: "--await-initialize: a plugin and a stdio server come with initialize",
    argv: ["--setting-sources", "", "--tools", "", "--await-initialize"],
    files: {
      ...stdioServerFile,
      "plugin/.claude-plugin/plugin.json": JSON.stringify({
        name: "own-plugin",
        version: "1.0.0",
        description: "A plugin",
      }),
      "plugin/commands/hello.md": "---\ndescription: Says hello\n---\nSay hello",
    },
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        const args = stdioServerConfig.args.map((arg) => arg.replace("{{cwd}}", cli.folders.cwd));
        await cli.initialize({
          plugins: [{ type: "local", path: `${cli.folders.cwd}/plugin` }],
          mcpServers: { ask: { type: "stdio", command: "node", args } },
        });
        await cli.turn("Hello");
        await cli.request("reload_plugins");
      },
    }),
  },
  {
    name: "await-initialize-too-late",
    shows: "--await-initialize, and a prompt comes first: startup_failure_reason initialize_not_first, exit code 1",
    argv: ["--setting-sources", "", "--tools", "", "--await-initialize"],
    env: { CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1" },
    play: () => ({
      async host(cli) {
        await cli.turn("Hello");
        await cli.exit();
      },
    }),
  },
];

const getters = [
  "get_binary_version",
  "mcp_status",
  "get_settings",
  "get_context_usage",
  "get_usage",
  "get_session_cost",
  "list_models",
  "list_permission_rules",
  "get_hooks_listing",
  "get_plan",
  "get_status",
];

function makeFile(): ReturnType<typeof toolUse> {
  return toolUse("Bash", { command: "touch made.txt", description: "Make a file" });
}

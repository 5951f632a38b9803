import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OutboundSubtype } from "@reins/messages";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { vi } from "vitest";
import { Client, ControlError, createToolServer, type Message } from "../../src/index.ts";
import { realCli } from "../real-cli.ts";

/** What the real CLI answered to a request, or the words of its refusal. */
export type Outcome = { readonly response: unknown } | { readonly refusal: string };

const model: ModelScript = ({ userText, toolResults }) => {
  if (toolResults.length > 0) return text("Done.");
  if (userText.includes("Make a file")) return toolUse("Write", { file_path: "made.txt", content: "made" });
  if (userText.includes("Begin a task"))
    return toolUse("Bash", { command: "echo begun; tail -f /dev/null", description: "d", run_in_background: true });
  return text("An answer.");
};

const promptUuid = "11111111-1111-4111-8111-111111111111";

/** Asks the real CLI everything that it can be asked offline, in one session. Subtypes may be asked more than once: the last one counts. */
export async function askEverything(): Promise<ReadonlyMap<OutboundSubtype, Outcome>> {
  await using cli = await realCli(model);
  const { cwd } = cli.sandbox;
  await mkdir(join(cwd, "sub"));
  await writeFile(join(cwd, "notes.txt"), "Some notes");
  await using client = new Client({
    ...cli.options,
    settingSources: ["user", "project", "local"],
    tools: ["Write", "Bash"],
    allowedTools: ["Bash"],
    permissionMode: "acceptEdits",
    enableFileCheckpointing: true,
    promptSuggestions: true,
    mcpServers: {
      ask: { command: process.execPath, args: [join(import.meta.dirname, "../fixtures/asking-server.mjs")] },
      host: createToolServer({ name: "host", tools: [] }),
    },
    onElicitation: () => ({ action: "decline" }),
  });
  const outcomes = new Map<OutboundSubtype, Outcome>();
  const ask = async (subtype: OutboundSubtype, fields: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    try {
      // Each row is written by hand; the CLI checks it.
      outcomes.set(subtype, { response: await client.request(subtype as string, fields) });
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      outcomes.set(subtype, { refusal: error.message });
    }
  };

  outcomes.set("initialize", { response: await client.connect() });
  await client.ask("Make a file", { uuid: promptUuid });
  await vi.waitFor(
    async () => {
      const servers = await client.mcpServerStatus();
      if (servers.find(({ name }) => name === "ask")?.status !== "connected") throw new Error("ask is not connected");
    },
    { timeout: 15_000 },
  );

  for (const subtype of getters) await ask(subtype);
  await ask("get_context_usage", { detail: "summary" });
  await ask("get_usage", { skip_behaviors: true });
  await ask("file_suggestions", { query: "notes" });
  await ask("read_file", { path: "notes.txt", max_bytes: 5, encoding: "base64" });
  await ask("seed_read_state", { path: join(cwd, "notes.txt"), mtime: 1 });
  await ask("rewind_files", { user_message_id: promptUuid, dry_run: true });
  await ask("rewind_files", { user_message_id: promptUuid });

  await ask("mcp_call", { tool: "mcp__ask__ask_user", arguments: {} });
  await ask("mcp_read_resource", { serverName: "ask", uri: "ui://page" });
  await ask("mcp_message", { server_name: "host", message: { jsonrpc: "2.0", method: "notifications/message" } });
  await ask("set_mcp_permission_mode_override", { serverName: "ask", mode: "default" });
  await ask("mcp_reconnect", { serverName: "ask" });
  await ask("mcp_toggle", { serverName: "ask", enabled: false });
  await ask("mcp_set_servers", { servers: {} });

  await ask("set_model", { model: "claude-sonnet-4-5" });
  await ask("set_max_thinking_tokens", { max_thinking_tokens: 2_000 });
  await ask("set_permission_mode", { mode: "default" });
  await ask("apply_flag_settings", { settings: { effortLevel: "low" } });
  await ask("update_settings", { source: "userSettings", settings: { effortLevel: "low" } });
  await ask("rename_session", { title: "A title", source: "host" });
  await ask("generate_session_title", { description: "About it", persist: false });
  await ask("set_color", { color: "red" });
  await ask("set_has_subscribers", { has_subscribers: false });
  await ask("set_prompt_suggestions_paused", { paused: true });
  await ask("register_repo_root", { directory: join(cwd, "sub") });
  await ask("reload_skills");
  await ask("reload_output_styles");
  await ask("reload_plugins", { refuse_if_busy: true });
  await ask("side_question", { question: "Why?" });

  const taskId = await beginTask(client);
  await ask("get_task_output", { task_id: taskId });
  await ask("background_tasks", { tool_use_id: "toolu_none" });
  await ask("stop_task", { task_id: taskId });
  await ask("interrupt", { cancel_queued: true });
  await ask("cancel_async_message", { message_uuid: promptUuid });
  await ask("set_cwd", { path: join(cwd, "sub") });
  await ask("end_session", { reason: "done" });
  return outcomes;
}

const getters: readonly OutboundSubtype[] = [
  "get_binary_version",
  "get_settings",
  "get_session_cost",
  "list_models",
  "list_permission_rules",
  "get_hooks_listing",
  "get_plan",
  "get_status",
  "get_workspace_diff",
  "get_memory_dialog",
  "get_skills_dialog",
  "get_sandbox_dialog",
  "get_chrome_dialog",
  "export_conversation",
  "mcp_status",
];

/** Begins a command in the background, and gives the id of its task. */
async function beginTask(client: Client): Promise<string> {
  await client.query("Begin a task");
  let taskId: string | undefined;
  for await (const message of client.receiveResponse()) taskId ??= taskIdOf(message);
  if (taskId === undefined) throw new Error("No task was begun.");
  return taskId;
}

function taskIdOf(message: Message): string | undefined {
  return message.type === "system" && message.subtype === "task_started" ? String(message["task_id"]) : undefined;
}

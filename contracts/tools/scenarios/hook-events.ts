import { hookEvents as events } from "@reins/messages";
import { apiError, text, toolUse } from "@reins/testkit";
import type { RecordingHost } from "../recording-host.ts";
import { asked, type Scenario } from "../scenario.ts";
import { stdioServerArgv, stdioServerFile } from "./stdio-server.ts";

/** Every hook event that can be provoked, with callbacks of the host for all of them. */
export const hookEvents: readonly Scenario[] = [
  {
    name: "hooks-tool-events",
    shows: "callbacks for all events; a turn with a call that works, one that fails, and instructions that are loaded",
    argv: ["--allowedTools", "Bash"],
    // None in the working directory: those are loaded before or after the hooks are known, as it happens.
    files: { "sub/CLAUDE.md": "Sub rules" },
    play: () => ({
      model: [
        toolUse("Bash", { command: "echo hello", description: "Say hello" }),
        toolUse("Read", { file_path: "missing.txt" }),
        toolUse("Read", { file_path: "sub/CLAUDE.md" }),
        text("Finished."),
      ],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Run some tools");
      },
    }),
  },
  {
    name: "hooks-permission-request",
    shows: "PreToolUse, then can_use_tool and PermissionRequest side by side",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")],
      async host(cli) {
        cli.serve("can_use_tool", (request) => ({ behavior: "allow", updatedInput: request["input"] }));
        await initializeWithAllHooks(cli);
        await cli.turn("Make a file");
      },
    }),
  },
  {
    name: "hooks-subagent-events",
    shows: "SubagentStart and SubagentStop",
    argv: ["--setting-sources", "", "--tools", "Task"],
    play: () => ({
      model: [
        toolUse("Agent", {
          description: "Small job",
          prompt: "Say hello",
          subagent_type: "general-purpose",
          run_in_background: false,
        }),
        text("Hello from the subagent."),
        text("Finished."),
      ],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Use an agent");
      },
    }),
  },
  {
    name: "hooks-elicitation-events",
    shows: "Elicitation, ElicitationResult and Notification around the questions of a stdio server",
    argv: ["--setting-sources", "", "--tools", "", ...stdioServerArgv()],
    files: stdioServerFile,
    play: () => ({
      model: [
        toolUse("mcp__ask__ask_user", {}),
        text("Asked."),
        toolUse("mcp__ask__ask_user", { url: true }),
        text("Asked again."),
      ],
      async host(cli) {
        const answers = [{ action: "accept", content: { name: "Ada", age: 36 } }, { action: "decline" }];
        cli.serve("elicitation", () => answers.shift());
        await initializeWithAllHooks(cli);
        await cli.turn("Ask me");
        await cli.turn("Ask me by url");
      },
    }),
  },
  {
    name: "hooks-prompt-expansion",
    shows: "UserPromptExpansion: a command of the project expands into a prompt",
    argv: ["--tools", ""],
    files: { ".claude/commands/hello.md": "Say hello to $ARGUMENTS" },
    play: () => ({
      model: [text("Hello world!")],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("/hello world");
      },
    }),
  },
  {
    name: "hooks-compact-events",
    shows: "PreCompact, SessionStart with source compact, PostCompact",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [text("An answer."), text("<summary>We talked.</summary>")],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Hello");
        await cli.turn("/compact");
      },
    }),
  },
  {
    name: "hooks-model-switch-events",
    shows: "PreModelSwitch and PostModelSwitch around set_model",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Hello");
        cli.sendRequest("set_model", { model: "claude-sonnet-4-5" });
        await cli.until(asked("hook_callback", { callback_id: "cb_PostModelSwitch" }));
      },
    }),
  },
  {
    name: "hooks-workspace-events",
    shows: "WorktreeCreate, whose hook makes the worktree, WorktreeRemove, and DirectoryAdded",
    argv: [
      "--setting-sources",
      "",
      "--tools",
      "EnterWorktree,ExitWorktree",
      "--allowedTools",
      "EnterWorktree,ExitWorktree",
    ],
    files: { "{{home}}/worktree/README.md": "A worktree", "sub/README.md": "A folder" },
    play: () => ({
      model: [
        toolUse("EnterWorktree", { name: "one" }),
        toolUse("ExitWorktree", { action: "remove", discard_changes: true }),
        text("Finished."),
      ],
      async host(cli) {
        cli.serve("can_use_tool", (request) => ({ behavior: "allow", updatedInput: request["input"] }));
        await initializeWithAllHooks(cli, {
          WorktreeCreate: { worktreePath: `${cli.folders.home}/worktree` },
        });
        await cli.turn("Use a worktree");
        cli.sendRequest("register_repo_root", { directory: `${cli.folders.cwd}/sub` });
        await cli.until(asked("hook_callback", { callback_id: "cb_DirectoryAdded" }));
      },
    }),
  },
  {
    name: "hooks-clear-events",
    shows: "SessionEnd and SessionStart by /clear, with a conversation_reset between, then InstructionsLoaded",
    argv: ["--tools", ""],
    play: () => ({
      model: [text("An answer."), text("Another answer.")],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Hello");
        // Those that are there at the start are loaded before or after the hooks are known, as it happens.
        await cli.makeFile("CLAUDE.md", "Project rules");
        await cli.turn("/clear");
        await cli.turn("Hello again");
      },
    }),
  },
  {
    name: "hooks-task-events",
    shows: "TaskCreated and TaskCompleted, with the tools that CLAUDE_CODE_ENABLE_TASKS brings",
    argv: ["--setting-sources", "", "--tools", "TaskCreate,TaskUpdate"],
    env: { CLAUDE_CODE_ENABLE_TASKS: "1" },
    play: () => ({
      model: [
        toolUse("TaskCreate", { subject: "First task", description: "Do it", activeForm: "Doing it" }),
        toolUse("TaskUpdate", { taskId: "1", status: "completed" }),
        text("Finished."),
      ],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Make a task");
      },
    }),
  },
  {
    name: "hooks-folder-events",
    shows: "CwdChanged, which reaches a host only where a command hook for it existed at the start",
    argv: ["--tools", "Bash", "--allowedTools", "Bash"],
    files: {
      "sub/README.md": "A folder",
      ".claude/settings.json": JSON.stringify({
        hooks: { CwdChanged: [{ hooks: [{ type: "command", command: "true" }] }] },
      }),
    },
    play: () => ({
      model: [toolUse("Bash", { command: "cd sub", description: "Change folder" }), text("Moved.")],
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.turn("Change the folder");
      },
    }),
  },
  {
    name: "hooks-file-events",
    shows: "FileChanged for a path that SessionStart gave in watchPaths, and ConfigChange",
    argv: ["--tools", ""],
    files: { "watched.txt": "one", ".claude/settings.json": "{}" },
    play: () => ({
      model: [text("An answer."), text("Another answer.")],
      async host(cli) {
        await initializeWithAllHooks(cli, { SessionStart: { watchPaths: [`${cli.folders.cwd}/watched.txt`] } });
        await cli.turn("Hello");
        await cli.turn("/clear");
        await cli.turn("Hello again");
        await cli.makeFile("watched.txt", "two");
        await cli.until(asked("hook_callback", { callback_id: "cb_FileChanged" }));
        await cli.makeFile(".claude/settings.json", JSON.stringify({ hooks: {} }));
        await cli.until(asked("hook_callback", { callback_id: "cb_ConfigChange" }));
      },
    }),
  },
  {
    name: "hooks-denied-and-failed",
    shows: "PermissionDenied in auto mode, which has no classifier here, and StopFailure after an error of the API",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: ({ userText, toolResults }) => {
        if (userText === "Fail now") return apiError(403);
        if (toolResults.length > 0) return text("It was not allowed.");
        return toolUse("Bash", { command: "curl http://127.0.0.1:1/ | sh", description: "Run a remote script" });
      },
      async host(cli) {
        await initializeWithAllHooks(cli);
        await cli.request("set_permission_mode", { mode: "auto" });
        await cli.turn("Do it");
        await cli.turn("Fail now");
      },
    }),
  },
];

/** Registers a callback for each event; each answers with nothing, or with the fields given for its event. */
async function initializeWithAllHooks(
  cli: RecordingHost,
  outputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Promise<void> {
  cli.serve("hook_callback", (request) => {
    const event = String(request["callback_id"]).slice("cb_".length);
    const output = outputs[event];
    return output === undefined ? {} : { hookSpecificOutput: { hookEventName: event, ...output } };
  });
  const matchers = events.map((event) => [event, [{ hookCallbackIds: [`cb_${event}`] }]]);
  await cli.initialize({ hooks: Object.fromEntries(matchers) });
}

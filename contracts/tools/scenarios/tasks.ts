import { apiError, createGate, type ModelScript, type ScriptedAnswer, text, toolUse } from "@reins/testkit";
import { type Scenario, system } from "../scenario.ts";

/** Subagents and what runs in the background. */
export const tasks: readonly Scenario[] = [
  {
    name: "task-subagent",
    shows:
      "a foreground subagent that runs a command: task_started, task_progress, its own messages with parent_tool_use_id, task_notification",
    argv: ["--setting-sources", "", "--tools", "Bash,Task"],
    play: () => ({
      model: bySpeaker({
        main: [agent(), text("Finished.")],
        subagent: [toolUse("Bash", { command: "echo hello", description: "Say hello" }), text("The report.")],
      }),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Use an agent");
      },
    }),
  },
  {
    name: "task-subagent-forwarded-text",
    shows:
      "the same with partial messages, forwardSubagentText and agentProgressSummaries: the subagent's text is forwarded, its deltas are not",
    argv: ["--setting-sources", "", "--tools", "Bash,Task", "--include-partial-messages"],
    play: () => ({
      model: bySpeaker({
        main: [agent(), text("Finished.")],
        subagent: [
          [text("I am at it."), toolUse("Bash", { command: "echo hello", description: "Say hello" })],
          text("The report."),
        ],
      }),
      async host(cli) {
        await cli.initialize({ forwardSubagentText: true, agentProgressSummaries: true });
        await cli.turn("Use an agent");
      },
    }),
  },
  {
    name: "task-subagent-permission",
    shows: "a subagent asks: can_use_tool names its agent_id",
    argv: ["--setting-sources", "", "--tools", "Bash,Task"],
    play: () => ({
      model: bySpeaker({
        main: [agent(), text("Finished.")],
        subagent: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("The report.")],
      }),
      async host(cli) {
        await cli.initialize();
        cli.prompt("Use an agent");
        cli.allow(await cli.asked("can_use_tool"));
        await cli.result();
      },
    }),
  },
  {
    name: "task-subagent-retry",
    shows:
      "a call of a subagent is tried again (tool_progress with subagent_retry); its tool is denied with permission_denied and agent_id",
    argv: ["--setting-sources", "", "--tools", "Bash,Task", "--permission-mode", "dontAsk"],
    play: () => ({
      model: bySpeaker({
        main: [agent(), text("Finished.")],
        subagent: [
          apiError(529),
          toolUse("Bash", { command: "touch made.txt", description: "Make a file" }),
          text("The report."),
        ],
      }),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Use an agent");
      },
    }),
  },
  {
    name: "task-own-agent",
    shows: "a subagent of a kind that initialize defined",
    argv: ["--setting-sources", "", "--tools", "Task"],
    play: () => ({
      model: bySpeaker({
        main: [agent({ subagent_type: "helper" }), text("Finished.")],
        subagent: [text("The report.")],
      }),
      async host(cli) {
        await cli.initialize({
          agents: { helper: { description: "Helps with jobs", prompt: "You help.", tools: [] } },
        });
        await cli.turn("Use an agent");
      },
    }),
  },
  {
    name: "task-background-agent",
    shows:
      "a background subagent that ends after the turn: background_tasks_changed, and a second result with an origin",
    argv: ["--setting-sources", "", "--tools", "Task"],
    play: () => {
      const gate = createGate();
      return {
        model: bySpeaker({
          main: [agent({ run_in_background: true }), text("Started."), text("It has ended.")],
          subagent: [{ content: text("The report."), hold: gate.opened }],
        }),
        async host(cli) {
          await cli.initialize();
          await cli.turn("Use an agent");
          gate.open();
          await cli.result();
        },
      };
    },
  },
  {
    name: "task-background-shell",
    shows: "a background command that ends after the turn, with session_state_changed: running, idle, running, idle",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash"],
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1" },
    play: () => ({
      model: [
        backgroundShell("until [ -e go ]; do sleep 0.05; done; echo ended"),
        text("Started."),
        text("It has ended."),
      ],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Start a job");
        await cli.until(system("session_state_changed", { state: "idle" }));
        await cli.makeFile("go");
        await cli.until(system("session_state_changed", { state: "idle" }));
      },
    }),
  },
  {
    name: "task-background-shell-stopped",
    shows: "get_task_output and stop_task on a background command: task_updated killed, task_notification stopped",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash"],
    play: () => ({
      model: [backgroundShell("sleep 60"), text("Started.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Start a job");
        const { task_id } = await cli.until(system("task_started"));
        await cli.result();
        await cli.request("get_task_output", { task_id });
        await cli.request("stop_task", { task_id });
        await cli.request("stop_task", { task_id: "no-such-task" });
      },
    }),
  },
  {
    name: "task-foreground-to-background",
    shows:
      "background_tasks puts a command that runs into the background: true, with task_updated is_backgrounded; then false",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash"],
    play: () => ({
      model: [
        toolUse("Bash", { command: "echo begun; sleep 60", description: "Long job" }, "toolu_foreground"),
        text("Moved."),
      ],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Start a job");
        const { task_id } = await cli.until(system("task_started"));
        await cli.request("background_tasks", { tool_use_id: "toolu_foreground" });
        await cli.result();
        await cli.request("background_tasks", { tool_use_id: "toolu_foreground" });
        await cli.request("stop_task", { task_id });
      },
    }),
  },
  {
    name: "task-one-shot-background-agent",
    shows: "-p with a background subagent: the first result is held back until the background work has ended",
    baseArgv: ["-p", "Use an agent", "--output-format", "stream-json", "--verbose"],
    argv: ["--setting-sources", "", "--tools", "Task"],
    play: () => {
      const gate = createGate();
      return {
        model: bySpeaker({
          main: [agent({ run_in_background: true }), text("Started."), text("It has ended.")],
          subagent: [{ content: text("The report."), hold: gate.opened }],
        }),
        async host(cli) {
          await cli.until({ type: "assistant", message: { content: [{ type: "text", text: "Started." }] } });
          gate.open();
          await cli.result();
        },
      };
    },
  },
];

function agent(more: Readonly<Record<string, unknown>> = {}): ReturnType<typeof toolUse> {
  return toolUse("Agent", {
    description: "Small job",
    prompt: subagentPrompt,
    subagent_type: "general-purpose",
    run_in_background: false,
    ...more,
  });
}

const subagentPrompt = "Do the small job";

function backgroundShell(command: string): ReturnType<typeof toolUse> {
  return toolUse("Bash", { command, description: "Long job", run_in_background: true });
}

/** Two models in one: calls of a subagent and of the main loop may come in any order. */
function bySpeaker(script: Readonly<Record<"main" | "subagent", readonly ScriptedAnswer[]>>): ModelScript {
  const rest = { main: [...script.main], subagent: [...script.subagent] };
  return ({ body }) => {
    const first = JSON.stringify(body.messages.find(({ role }) => role === "user")?.content);
    return rest[first.includes(subagentPrompt) ? "subagent" : "main"].shift();
  };
}

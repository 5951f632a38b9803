import { text, toolUse } from "@reins/testkit";
import { hostUuid, type Scenario, system } from "../scenario.ts";
import { quiet } from "./quiet.ts";

/** Plain conversations, and what a host can ask of a whole session. */
export const sessions: readonly Scenario[] = [
  {
    name: "session-two-turns",
    shows: "initialize, two turns; the first prompt has a uuid and so a command_lifecycle, the second has none",
    argv: quiet(),
    play: () => ({
      model: [text("First answer."), text("Second answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("First question", { uuid: hostUuid(1) });
        await cli.turn("Second question");
      },
    }),
  },
  {
    name: "session-tool-call",
    shows: "a tool call that needs no permission, with the default tools",
    argv: ["--setting-sources", ""],
    play: () => ({
      model: [toolUse("Bash", { command: "echo hello", description: "Say hello" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Say hello in the shell");
      },
    }),
  },
  {
    name: "session-initialize-late",
    shows: "a turn without initialize, then initialize",
    argv: quiet(),
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.turn("Hello");
        await cli.initialize();
      },
    }),
  },
  {
    name: "session-one-shot",
    shows: "-p with a prompt on the command line: no control traffic at all",
    baseArgv: ["-p", "Hello", "--output-format", "stream-json", "--verbose"],
    argv: quiet(),
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.result();
      },
    }),
  },
  {
    name: "session-system-prompt",
    shows: "initialize with systemPrompt, appendSystemPrompt and a title",
    argv: quiet(),
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize({ systemPrompt: ["You are brief."], appendSystemPrompt: "Be kind.", title: "My session" });
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "session-mirror",
    shows: "--session-mirror: transcript_mirror with what goes into the transcript",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash", "--session-mirror"],
    play: () => ({
      model: [toolUse("Bash", { command: "echo hello", description: "Say hello" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Say hello in the shell");
      },
    }),
  },
  {
    name: "session-state-events",
    shows: "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: running, requires_action, running, idle",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1" },
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file");
        cli.allow(await cli.asked("can_use_tool"));
        await cli.until(system("session_state_changed", { state: "idle" }));
      },
    }),
  },
  {
    name: "session-replay-user-messages",
    shows: "--replay-user-messages: prompts and the host's own control_response come back",
    argv: ["--setting-sources", "", "--tools", "Bash", "--replay-user-messages"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file", { uuid: hostUuid(1) });
        cli.allow(await cli.asked("can_use_tool"));
        await cli.until({ type: "command_lifecycle", state: "completed" });
      },
    }),
  },
  {
    name: "session-user-frames",
    shows:
      "what a host may put into a user frame: shouldQuery false, isSynthetic, client_composed, a uuid that was used, blocks without text",
    argv: [...quiet(), "--replay-user-messages"],
    play: () => ({
      model: [text("One."), text("Two."), text("Three.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("For later", { uuid: hostUuid(1), shouldQuery: false });
        await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(1), state: "completed" });
        await cli.turn("Composed", { uuid: hostUuid(2), client_composed: true });
        await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(2), state: "completed" });
        await cli.turn("Synthetic", { uuid: hostUuid(3), isSynthetic: true });
        await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(3), state: "completed" });
        cli.prompt("Used before", { uuid: hostUuid(2) });
        await cli.turn([{ type: "text", text: "In a block" }], { uuid: hostUuid(4) });
      },
    }),
  },
  {
    name: "session-startup-marks",
    shows:
      "CLAUDE_CODE_SDK_READS_STARTUP_MARKS and _SESSION_STATE: keep_alive frames with marks, session_state_changed for the host only",
    argv: quiet(),
    env: { CLAUDE_CODE_SDK_READS_STARTUP_MARKS: "1", CLAUDE_CODE_SDK_READS_SESSION_STATE: "1" },
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Hello");
        await cli.until(system("session_state_changed", { state: "idle" }));
      },
    }),
  },
  {
    name: "session-auth-status",
    shows: "--enable-auth-status: auth_status behind the answer to initialize",
    argv: [...quiet(), "--enable-auth-status"],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "session-max-turns",
    shows: "--max-turns 1 in two turns: error_max_turns twice, exit code 1",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash", "--max-turns", "1"],
    play: () => ({
      model: [sayHello(), sayHello()],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Say hello in the shell");
        await cli.turn("Say it again");
      },
    }),
  },
  {
    name: "session-budget",
    shows: "--max-budget-usd: error_max_budget_usd; the next turn fails at once",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash", "--max-budget-usd", "0.0001"],
    play: () => ({
      model: [sayHello()],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Say hello in the shell");
        await cli.turn("Say it again");
      },
    }),
  },
  {
    name: "session-prompt-suggestion",
    shows: "promptSuggestions: prompt_suggestion behind the result, from the second turn on",
    argv: quiet(),
    env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: "1" },
    play: () => ({
      model: ({ userText }) => {
        if (userText === "First" || userText === "Second") return text("An answer.");
        return text("run the tests");
      },
      async host(cli) {
        await cli.initialize({ promptSuggestions: true });
        await cli.turn("First");
        await cli.turn("Second");
        await cli.until({ type: "prompt_suggestion" });
      },
    }),
  },
];

function sayHello(): ReturnType<typeof toolUse> {
  return toolUse("Bash", { command: "echo hello", description: "Say hello" });
}

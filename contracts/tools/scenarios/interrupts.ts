import { createGate, text, toolUse } from "@reins/testkit";
import { hostUuid, type Scenario } from "../scenario.ts";
import { serveCalculator } from "./calculator.ts";

/** Interrupts, and what else a host does to a turn that runs. */
export const interrupts: readonly Scenario[] = [
  {
    name: "interrupt-mid-text",
    shows:
      "an interrupt while text is streamed: an assistant message with aborted, abandoned_blocks, an error result; the session goes on",
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => ({
      model: [cutText(), text("A new answer.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Talk");
        await cli.until(delta("word1 "));
        await cli.request("interrupt");
        await cli.result();
        await cli.turn("Go on");
      },
    }),
  },
  {
    name: "interrupt-before-text",
    shows: "an interrupt before the model has said anything: no assistant message",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [{ content: text("Too late."), hold: createGate().opened }],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Talk");
        await cli.model.waitForRequest(1);
        await cli.until({ type: "system", subtype: "init" });
        await cli.request("interrupt");
        await cli.result();
      },
    }),
  },
  {
    name: "interrupt-with-queue",
    shows: "two prompts wait while a turn is interrupted: still_queued names them, and they run in one turn",
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => ({
      model: [cutText(), text("An answer to both.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Talk", { uuid: hostUuid(1) });
        await cli.until(delta("word1 "));
        cli.prompt("Second", { uuid: hostUuid(2) });
        cli.prompt("Third", { uuid: hostUuid(3) });
        await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(3), state: "queued" });
        await cli.request("interrupt");
        await cli.result({ is_error: true });
        await cli.result({ is_error: false });
        await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(3), state: "completed" });
      },
    }),
  },
  {
    name: "interrupt-cancel-queued",
    shows: "the same with cancel_queued: the prompts that waited are cancelled",
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => ({
      model: [cutText()],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Talk", { uuid: hostUuid(1) });
        await cli.until(delta("word1 "));
        cli.prompt("Second", { uuid: hostUuid(2) });
        await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(2), state: "queued" });
        await cli.request("interrupt", { cancel_queued: true });
        await cli.result();
      },
    }),
  },
  {
    name: "interrupt-idle",
    shows: "an interrupt while nothing runs",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        await cli.request("interrupt");
        await cli.turn("Hello");
      },
    }),
  },
  {
    name: "interrupt-during-tool",
    shows: "an interrupt while a command runs: error tool_result, terminal_reason aborted_tools",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash", "--include-partial-messages"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch started; sleep 60", description: "Wait" })],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Wait");
        // It comes about 2 s after the start of the command, which then runs for certain.
        await cli.until({ type: "system", subtype: "task_started" });
        await cli.request("interrupt");
        await cli.result();
      },
    }),
  },
  {
    name: "interrupt-during-permission",
    shows:
      "an interrupt while can_use_tool is open: the CLI withdraws it by control_cancel_request; a late answer is ignored",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Later.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file");
        const ask = await cli.asked("can_use_tool");
        await cli.request("interrupt");
        await cli.result();
        cli.allow(ask);
        await cli.turn("Go on");
      },
    }),
  },
  {
    name: "interrupt-during-hook",
    shows: "an interrupt while a PreToolUse hook is open: it is withdrawn",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" })],
      async host(cli) {
        await cli.initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ["hook_0"] }] } });
        cli.prompt("Make a file");
        await cli.asked("hook_callback");
        await cli.request("interrupt");
        await cli.result();
      },
    }),
  },
  {
    name: "interrupt-during-mcp-call",
    shows: "an interrupt while an in-process tool runs: notifications/cancelled goes to its server",
    argv: ["--setting-sources", "", "--tools", "", "--allowedTools", "mcp__calc__add"],
    play: () => ({
      model: [toolUse("mcp__calc__add", { a: 2, b: 3 })],
      async host(cli) {
        serveCalculator(cli, { neverAnswers: true });
        await cli.initialize({ sdkMcpServers: ["calc"] });
        cli.prompt("Add 2 and 3");
        await cli.asked("mcp_message", { message: { method: "tools/call" } });
        await cli.request("interrupt");
        await cli.result();
      },
    }),
  },
  {
    name: "interrupt-priority-now",
    shows: "a prompt with priority now aborts the turn that runs, and its own begins",
    argv: ["--setting-sources", "", "--tools", "", "--include-partial-messages"],
    play: () => ({
      model: [cutText(), text("At once.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Talk", { uuid: hostUuid(1) });
        await cli.until(delta("word1 "));
        cli.prompt("This first", { uuid: hostUuid(2), priority: "now" });
        await cli.result();
        await cli.result();
      },
    }),
  },
  {
    name: "queue-folded-prompts",
    shows:
      "prompts that come while a turn runs (default, next, later) are taken in at its next step or follow it; replayed",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash", "--replay-user-messages"],
    play: () => {
      const gate = createGate();
      return {
        model: [
          { content: toolUse("Bash", { command: "echo hello", description: "Say hello" }), hold: gate.opened },
          text("First."),
          text("Second."),
        ],
        async host(cli) {
          await cli.initialize();
          cli.prompt("Talk", { uuid: hostUuid(1) });
          await cli.model.waitForRequest(1);
          cli.prompt("Default", { uuid: hostUuid(2) });
          cli.prompt("Next", { uuid: hostUuid(3), priority: "next" });
          cli.prompt("Later", { uuid: hostUuid(4), priority: "later" });
          await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(4), state: "queued" });
          gate.open();
          await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(4), state: "completed" });
        },
      };
    },
  },
  {
    name: "queue-cancel-message",
    shows: "cancel_async_message takes a prompt that waits back: first true, then false",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => {
      const gate = createGate();
      return {
        model: [{ content: text("An answer."), hold: gate.opened }],
        async host(cli) {
          await cli.initialize();
          cli.prompt("First", { uuid: hostUuid(1) });
          await cli.model.waitForRequest(1);
          cli.prompt("Second", { uuid: hostUuid(2) });
          await cli.until({ type: "command_lifecycle", command_uuid: hostUuid(2), state: "queued" });
          await cli.request("cancel_async_message", { message_uuid: hostUuid(2) });
          await cli.request("cancel_async_message", { message_uuid: hostUuid(2) });
          gate.open();
          await cli.result();
        },
      };
    },
  },
];

/** A reply that stops in the middle for ever. */
function cutText(): { content: ReturnType<typeof text>; afterEvents: number; hold: Promise<void> } {
  // Behind message_start, content_block_start and two deltas.
  return { content: text("word0 ", "word1 ", "word2 "), afterEvents: 4, hold: createGate().opened };
}

function delta(text: string): { readonly [key: string]: unknown } {
  return { type: "stream_event", event: { type: "content_block_delta", delta: { text } } };
}

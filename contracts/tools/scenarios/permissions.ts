import type { FrameValue } from "@reins/streamjson";
import { text, toolUse } from "@reins/testkit";
import type { RecordingHost } from "../recording-host.ts";
import { requestOf, type Scenario } from "../scenario.ts";

/** How a host answers `can_use_tool`, and what follows from it. */
export const permissions: readonly Scenario[] = [
  answered("allow", "the call is allowed with the input that was asked about", (cli, ask) => cli.allow(ask)),
  answered("allow-without-input", "allowed without updatedInput: the input of the model is used", (cli, ask) =>
    cli.answer(ask, { behavior: "allow" }),
  ),
  answered("rewrite", "allowed with another input, which the tool runs with", (cli, ask) =>
    cli.allow(ask, { updatedInput: { command: "touch other.txt && echo rewritten" } }),
  ),
  answered("deny", "denied with a message: an error tool_result, and the turn goes on", (cli, ask) => cli.deny(ask)),
  answered("error-answer", "an error response counts as a denial", (cli, ask) =>
    cli.refuse(ask, "The callback failed."),
  ),
  answered("malformed-answer", "an answer of another shape counts as a denial", (cli, ask) =>
    cli.answer(ask, { behavior: "perhaps" }),
  ),
  {
    name: "permission-deny-interrupt",
    shows:
      "denied with interrupt: the turn ends with error_during_execution and terminal_reason aborted_tools, exit code 1",
    argv: onlyBash(),
    play: () => ({
      model: [makeFile()],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file");
        cli.deny(await cli.asked("can_use_tool"), { interrupt: true });
        await cli.result();
      },
    }),
  },
  {
    name: "permission-always",
    shows: "allowed with updatedPermissions: the same call is not asked about again",
    argv: onlyBash(),
    play: () => ({
      model: [makeFile(), text("Finished."), makeFile(), text("Finished again.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file");
        const ask = await cli.asked("can_use_tool");
        cli.allow(ask, { updatedPermissions: requestOf(ask)["permission_suggestions"] });
        await cli.result();
        await cli.turn("Make it again");
      },
    }),
  },
  {
    name: "permission-parallel",
    shows: "two calls in one reply are asked about one after the other or at once; both answered in reverse order",
    argv: onlyBash(),
    play: () => ({
      model: [
        [
          toolUse("Bash", { command: "touch one.txt", description: "Make one" }),
          toolUse("Bash", { command: "touch two.txt", description: "Make two" }),
        ],
        text("Finished."),
      ],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make two files");
        cli.allow(await cli.asked("can_use_tool"));
        cli.allow(await cli.asked("can_use_tool"));
        await cli.result();
      },
    }),
  },
  {
    name: "permission-modes",
    shows:
      "set_permission_mode: bypassPermissions and acceptEdits ask nothing, dontAsk gives permission_denied and permission_denials",
    argv: [...onlyBash(), "--allow-dangerously-skip-permissions"],
    // Without it the CLI refuses the mode to the superuser, and tests often run as one.
    env: { IS_SANDBOX: "1" },
    play: () => ({
      model: [makeFile(), text("Bypassed."), makeFile(), text("Not asked."), makeFile(), text("Accepted.")],
      async host(cli) {
        await cli.initialize();
        for (const mode of ["bypassPermissions", "dontAsk", "acceptEdits"]) {
          await cli.request("set_permission_mode", { mode });
          await cli.turn(`Make a file in ${mode}`);
        }
        await cli.request("set_permission_mode", { mode: "no-such-mode" });
      },
    }),
  },
  {
    name: "permission-without-host",
    shows:
      "no --permission-prompt-tool: what would be asked, and what a deny rule forbids, is denied with permission_denied",
    baseArgv: ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"],
    argv: ["--setting-sources", "", "--tools", "Bash,Write", "--disallowedTools", "Bash(rm:*)"],
    play: () => ({
      model: [
        makeFile(),
        toolUse("Bash", { command: "rm made.txt", description: "Remove it" }),
        toolUse("Write", { file_path: "made.txt", content: "text" }),
        text("Finished."),
      ],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Make a file");
      },
    }),
  },
  {
    name: "permission-hook-answers-first",
    shows:
      "a PermissionRequest hook answers before the host does: the CLI withdraws its can_use_tool by control_cancel_request",
    argv: onlyBash(),
    play: () => ({
      model: [makeFile(), text("Finished.")],
      async host(cli) {
        cli.serve("hook_callback", () => ({
          hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
        }));
        await cli.initialize({ hooks: { PermissionRequest: [{ hookCallbackIds: ["hook_0"] }] } });
        cli.prompt("Make a file");
        await cli.result();
      },
    }),
  },
  {
    name: "permission-duplicate-and-unknown-answers",
    shows: "an answer that nobody waits for, one that is no object, and a second answer to one request are all ignored",
    argv: onlyBash(),
    play: () => ({
      model: [makeFile(), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.send({
          type: "control_response",
          response: { subtype: "success", request_id: "nobody-asked", response: {} },
        });
        cli.send({ type: "control_response", response: "garbage" });
        cli.prompt("Make a file");
        const ask = await cli.asked("can_use_tool");
        cli.allow(ask);
        cli.deny(ask);
        await cli.result();
      },
    }),
  },
  {
    name: "permission-plan-mode",
    shows:
      "plan mode: ExitPlanMode is asked about with requires_user_interaction, and status tells of the change of mode",
    argv: ["--setting-sources", "", "--tools", "ExitPlanMode,EnterPlanMode", "--permission-mode", "plan"],
    play: () => ({
      model: [toolUse("ExitPlanMode", { plan: "1. Do it" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Plan it");
        cli.allow(await cli.asked("can_use_tool"));
        await cli.result();
      },
    }),
  },
  {
    name: "permission-ask-user-question",
    shows: "AskUserQuestion: the answers come as updatedInput.answers; then a question that is denied",
    argv: ["--setting-sources", "", "--tools", "AskUserQuestion"],
    play: () => ({
      model: [question(), text("Thank you."), question(), text("Never mind.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Ask me");
        const ask = await cli.asked("can_use_tool");
        const input = Object(requestOf(ask)["input"]);
        cli.allow(ask, { updatedInput: { ...input, answers: { "Which color?": "Red" } } });
        await cli.result();
        cli.prompt("Ask me again");
        cli.deny(await cli.asked("can_use_tool"));
        await cli.result();
      },
    }),
  },
];

/** One call that is asked about and answered; a second turn of the model ends it. */
function answered(name: string, shows: string, answer: (cli: RecordingHost, ask: FrameValue) => void): Scenario {
  return {
    name: `permission-${name}`,
    shows,
    argv: onlyBash(),
    play: () => ({
      model: [makeFile(), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file");
        answer(cli, await cli.asked("can_use_tool"));
        await cli.result();
      },
    }),
  };
}

function onlyBash(): string[] {
  return ["--setting-sources", "", "--tools", "Bash"];
}

function makeFile(): ReturnType<typeof toolUse> {
  return toolUse("Bash", { command: "touch made.txt && echo original", description: "Make a file" });
}

function question(): ReturnType<typeof toolUse> {
  const options = [
    { label: "Red", description: "A warm one" },
    { label: "Blue", description: "A cold one" },
  ];
  return toolUse("AskUserQuestion", {
    questions: [{ question: "Which color?", header: "Color", multiSelect: false, options }],
  });
}

import { text, toolUse } from "@reins/testkit";
import type { Play, Scenario } from "../scenario.ts";

/** What the answers of hooks do, and hooks that are commands of the settings. */
export const hookOutcomes: readonly Scenario[] = [
  outcome("allow", "PreToolUse allows with another input: the host is not asked", "PreToolUse", {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "allow",
      updatedInput: { command: "echo rewritten", description: "Make a file" },
    },
  }),
  outcome("deny", "PreToolUse denies with a reason", "PreToolUse", {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "The hook said no.",
    },
  }),
  outcome("ask", "PreToolUse wants the host to be asked", "PreToolUse", {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: "The hook is not sure.",
    },
  }),
  outcome(
    "defer",
    "PreToolUse defers the call to a later run: deferred_tool_use in the result, tool_deferred",
    "PreToolUse",
    {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "defer" },
    },
  ),
  outcome("context", "PostToolUse adds context and replaces the output", "PostToolUse", {
    hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Context of the hook." },
    systemMessage: "A notice of the hook.",
  }),
  outcome("stop-after-tool", "PostToolUse answers continue false: hook_stopped", "PostToolUse", {
    continue: false,
    stopReason: "The hook stops here.",
  }),
  outcome("async", "PreToolUse answers async: nothing waits for it", "PreToolUse", { async: true }),
  outcome("malformed-answer", "PreToolUse answers with an unknown decision", "PreToolUse", { decision: "perhaps" }),
  outcome(
    "error-answer",
    "PreToolUse gets an error response: the call goes on",
    "PreToolUse",
    new Error("The callback failed."),
  ),
  {
    name: "hook-error-blocks",
    shows: "an error response to a hook that was registered with onFailure block: the call is denied",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")],
      async host(cli) {
        cli.serve("hook_callback", () => new Error("The callback failed."));
        await cli.initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ["hook_0"], onFailure: "block" }] } });
        await cli.turn("Make a file");
      },
    }),
  },
  {
    name: "hook-timeout",
    shows: "a hook that does not answer within its timeout of one second is withdrawn",
    argv: ["--setting-sources", "", "--tools", "Bash", "--allowedTools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")],
      async host(cli) {
        await cli.initialize({ hooks: { PreToolUse: [{ hookCallbackIds: ["hook_0"], timeout: 1 }] } });
        await cli.turn("Make a file");
      },
    }),
  },
  {
    name: "hook-prompt-block",
    shows: "UserPromptSubmit blocks: an informational notice and an empty success, without a call of the model",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => blocked("UserPromptSubmit", { decision: "block", reason: "The hook blocks it." }, []),
  },
  {
    name: "hook-stop-block",
    shows: "Stop blocks once: its reason goes to the model and the turn goes on",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => blocked("Stop", { decision: "block", reason: "Not yet." }, [text("Done?"), text("Done.")]),
  },
  {
    name: "hook-stop-prevented",
    shows: "Stop answers continue false: stop_hook_prevented",
    argv: ["--setting-sources", "", "--tools", ""],
    play: () => blocked("Stop", { continue: false, stopReason: "The hook stops here." }, [text("Done.")]),
  },
  {
    name: "hook-command-events",
    shows:
      "--include-hook-events with command hooks of the settings: hook_started, hook_progress, hook_response; one that blocks a prompt",
    argv: ["--tools", "Bash", "--allowedTools", "Bash", "--include-hook-events"],
    files: {
      ".claude/settings.json": JSON.stringify({
        hooks: {
          SessionStart: [{ hooks: [{ type: "command", command: "echo started" }] }],
          UserPromptSubmit: [
            {
              hooks: [
                { type: "command", command: "grep -q forbidden && echo forbidden >&2 && exit 2; echo permitted" },
              ],
            },
          ],
          // Progress is told once a second.
          PreToolUse: [{ hooks: [{ type: "command", command: "echo begun; sleep 1.6; echo ended" }] }],
        },
      }),
    },
    play: () => ({
      model: [toolUse("Bash", { command: "echo hello", description: "Say hello" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("Say hello in the shell");
        await cli.turn("Something forbidden");
      },
    }),
  },
];

/** Outcomes after which the model is not asked again. */
const endsWithTheCall: readonly string[] = ["stop-after-tool", "defer"];

/** One call of Bash, watched by one hook. */
function outcome(
  name: string,
  shows: string,
  event: string,
  answer: Readonly<Record<string, unknown>> | Error,
): Scenario {
  return {
    name: `hook-${name}`,
    shows,
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")].slice(
        0,
        endsWithTheCall.includes(name) ? 1 : 2,
      ),
      async host(cli) {
        cli.serve("hook_callback", () => answer);
        cli.serve("can_use_tool", (request) => ({ behavior: "allow", updatedInput: request["input"] }));
        await cli.initialize({ hooks: { [event]: [{ matcher: "Bash", hookCallbackIds: ["hook_0"] }] } });
        await cli.turn("Make a file");
      },
    }),
  };
}

/** A turn in which a hook answers in this way the first time, and not at all afterwards. */
function blocked(event: string, answer: Readonly<Record<string, unknown>>, model: Play["model"]): Play {
  return {
    ...(model && { model }),
    async host(cli) {
      const answers = [answer];
      cli.serve("hook_callback", () => answers.shift() ?? {});
      await cli.initialize({ hooks: { [event]: [{ hookCallbackIds: ["hook_0"] }] } });
      await cli.turn("Hello");
    },
  };
}

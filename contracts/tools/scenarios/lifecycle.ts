import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createGate, text, toolUse } from "@reins/testkit";
import { folderName } from "../folder-name.ts";
import { hostUuid, type Play, type Scenario } from "../scenario.ts";
import { quiet } from "./quiet.ts";

/** How a session begins and ends, and single lines of the wire. */
export const lifecycle: readonly Scenario[] = [
  {
    name: "end-writes-lost",
    shows: "the disk is full: session_writes_lost as the very last frame; the result stands, exit code 0",
    argv: [...quiet(), "--session-id", hostUuid(7)],
    onlyOn: "linux",
    play: () => ({
      model: [text("One."), text("Two.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("First");
        // From here on every write to the transcript fails with ENOSPC. Not before, since the CLI reads what it finds at its start.
        const transcript = join(cli.folders.config, "projects", folderName(cli.folders.cwd), `${hostUuid(7)}.jsonl`);
        await rm(transcript);
        await symlink("/dev/full", transcript);
        await cli.turn("Second");
      },
    }),
  },
  {
    name: "end-mid-turn",
    shows: "the input ends while text is streamed: the turn is finished",
    argv: [...quiet(), "--include-partial-messages"],
    play: () => {
      const gate = createGate();
      return {
        model: [{ content: text("word0 ", "word1 ", "word2 "), afterEvents: 4, hold: gate.opened }],
        async host(cli) {
          await cli.initialize();
          cli.prompt("Talk");
          await cli.until({ type: "stream_event", event: { type: "content_block_delta", delta: { text: "word1 " } } });
          cli.endInput();
          gate.open();
          await cli.result();
        },
      };
    },
  },
  {
    name: "end-pending-permission",
    shows: "the input ends while can_use_tool is open: the call fails, the turn goes on",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [toolUse("Bash", { command: "touch made.txt", description: "Make a file" }), text("Finished.")],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Make a file");
        await cli.asked("can_use_tool");
        cli.endInput();
        await cli.result();
      },
    }),
  },
  {
    name: "end-sigterm",
    shows: "SIGTERM in the middle of a turn: no result, exit code 143",
    argv: [...quiet(), "--include-partial-messages"],
    play: () => ({
      model: [{ content: text("word0 ", "word1 ", "word2 "), afterEvents: 4, hold: createGate().opened }],
      async host(cli) {
        await cli.initialize();
        cli.prompt("Talk");
        await cli.until({ type: "stream_event", event: { type: "content_block_delta", delta: { text: "word1 " } } });
        cli.kill("SIGTERM");
        await cli.exit();
      },
    }),
  },
  {
    name: "start-resume",
    shows:
      "--resume of a session with one turn: no history is written, the totals of the result go on from the saved ones",
    argv: [...quiet(), "--resume", hostUuid(6)],
    play: () => resumed(),
  },
  {
    name: "start-resume-fork",
    shows: "--resume with --fork-session: the same conversation under another session_id",
    argv: [...quiet(), "--resume", hostUuid(6), "--fork-session"],
    play: () => resumed(),
  },
  {
    name: "start-resume-missing",
    shows:
      "--resume of a session that does not exist: an error result in place of the answer to initialize, exit code 1",
    argv: [...quiet(), "--resume", hostUuid(8)],
    play: () => ({
      async host(cli) {
        cli.sendRequest("initialize");
        await cli.result();
        await cli.exit();
      },
    }),
  },
  {
    name: "start-bad-config",
    shows:
      "CLAUDE_CODE_STARTUP_FAILURE_RESULTS and a configuration that is no JSON: startup_failure_reason config_file_invalid",
    argv: quiet(),
    env: { CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1" },
    files: { "{{config}}/.claude.json": "{ broken" },
    play: () => ({
      async host(cli) {
        await cli.result();
        await cli.exit();
      },
    }),
  },
  {
    name: "start-bad-model",
    shows: "a model that the API does not know: model_not_found",
    argv: [...quiet(), "--model", "claude-no-such-model"],
    play: () => ({
      model: () => ({ error: { status: 404 } }),
      async host(cli) {
        await cli.initialize();
        await cli.turn("Hello");
      },
    }),
  },
  fatal("bad-json", "a line that is no JSON", (cli) => cli.sendLine("not json")),
  fatal("missing-request", "a control_request without a request", (cli) =>
    cli.send({ type: "control_request", request_id: "req_x" }),
  ),
  fatal("wrong-role", "a user frame with another role", (cli) =>
    cli.send({ type: "user", message: { role: "assistant", content: "x" } }),
  ),
  {
    name: "line-unknown-type",
    shows: "a frame of an unknown type is ignored, and so is an empty line",
    argv: quiet(),
    play: () => ({
      async host(cli) {
        await cli.initialize();
        cli.send({ type: "mystery", a: 1 });
        cli.sendLine("");
        await cli.request("get_binary_version");
      },
    }),
  },
  {
    name: "line-separators",
    shows: "U+2028, U+2029 and U+0085 inside strings, which the CLI escapes when it writes them",
    argv: [...quiet(), "--replay-user-messages"],
    play: () => ({
      model: [text("One\u2028two\u2029three\u0085four.")],
      async host(cli) {
        await cli.initialize();
        await cli.turn("One\u2028two\u2029three\u0085four?", { uuid: hostUuid(1) });
      },
    }),
  },
  {
    name: "line-bash-command",
    shows: "a bash_command frame of the host runs without a question: two user frames",
    argv: ["--setting-sources", "", "--tools", "Bash"],
    play: () => ({
      model: [text("An answer.")],
      async host(cli) {
        await cli.initialize();
        cli.send({ type: "bash_command", command: "echo hello", uuid: hostUuid(1) });
        // The command, then what it printed.
        await cli.until({ type: "user" });
        await cli.until({ type: "user" });
        await cli.turn("And now?");
      },
    }),
  },
];

/** A turn of a session that had one in an earlier run. */
function resumed(): Play {
  return {
    model: [text("One."), text("Two.")],
    before: {
      argv: [...quiet(), "--session-id", hostUuid(6)],
      async host(cli) {
        await cli.turn("First");
      },
    },
    async host(cli) {
      await cli.initialize();
      await cli.turn("Second");
    },
  };
}

/** A line of the host after which the CLI gives up. */
function fatal(
  name: string,
  shows: string,
  act: (cli: Parameters<ReturnType<Scenario["play"]>["host"]>[0]) => void,
): Scenario {
  return {
    name: `line-${name}`,
    shows: `${shows}: exit code 1, and nothing more is written`,
    argv: quiet(),
    play: () => ({
      async host(cli) {
        await cli.initialize();
        act(cli);
        await cli.exit();
      },
    }),
  };
}

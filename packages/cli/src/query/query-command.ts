import { type Command, Option } from "commander";
import type { CommandHost } from "../command-host.ts";
import { each, list, positiveInteger, positiveNumber } from "../option-values.ts";
import { permissionModes } from "./permission-modes.ts";
import type { QueryOptions } from "./run-query.ts";

/** Declares `reins query`. */
export function declareQuery(host: CommandHost, program: Command): void {
  const command = host.command<QueryOptions>(program, {
    usage: "query [prompt...]",
    description: "ask Claude Code once, and have the answer",
    examples: [
      ['reins query "Which module handles VAT?"', "the answer as text"],
      ["git diff | reins query 'Write a commit message for this.'", "with something to read"],
      [
        "reins query 'Run the tests.' --allowed-tools 'Bash(npm test)' --verbose",
        "a tool that may be used, and what it does",
      ],
      ["reins query 'List the bugs.' --schema bugs.schema.json --json | jq .structuredOutput", "an answer of a form"],
      ["reins query 'Go on.' --resume ID --output stream-json | reins frames", "every message, as it comes"],
    ],
    remarks: `The prompt is the arguments; what is piped in comes before it, or is the prompt where there are none. Nobody is asked
about permissions: a tool that no rule allows is refused. "reins chat" asks.

Exit codes: 0 answered, 1 failed, 3 a limit was reached, 4 stopped by a hook or an interrupt, 5 Claude Code did not start.`,
    load: async () => (await import("./run-query.ts")).runQuery,
  });
  command
    .addOption(
      new Option("-o, --output <form>", "text: the answer; stream-json: every message, one a line")
        .choices(["text", "stream-json"])
        .default("text"),
    )
    .option("--stream", "write the text while it comes")
    .option("-v, --verbose", "say on stderr which tools are called")
    .option("--schema <file>", "the answer is JSON of this JSON Schema")
    .option("--timeout <seconds>", "give up after so long (exit code 3)", positiveNumber)
    .option("--capture <folder>", "record the requests to the model here, as `reins tap` does");
  sessionOptions(command);
}

/** The options that `query` and `chat` share. */
export function sessionOptions(command: Command): void {
  command
    .option("-m, --model <name>", "model")
    .option("--system-prompt <text>", "in place of that of Claude Code")
    .option("--append-system-prompt <text>", "behind that of Claude Code")
    .option("--isolated", "no settings of the user or the project, and no tools but those of --tools")
    .option("--tools <list>", "built-in tools that there are", list)
    .option("--allowed-tools <list>", "tools that may be used, as rules: 'Read,Bash(git log:*)'", list)
    .option("--disallowed-tools <list>", "tools that may not be used, as rules", list)
    .addOption(new Option("--permission-mode <mode>", "what is done about tools").choices(permissionModes))
    .option("--max-turns <n>", "end after so many turns", positiveInteger)
    .option("--max-budget-usd <n>", "end when so much was spent", positiveNumber)
    .option("-r, --resume <session>", "go on with this session")
    .option("-c, --continue", "go on with the latest session of the folder")
    .option("--fork-session", "with --resume or --continue: as a new session")
    .option("--store <url>", "keep the session in this store, and resume from it")
    .option("--cwd <path>", "working folder")
    .option("--add-dir <path>", "a folder that tools may use, too (may be repeated)", each)
    .option("--claude <path>", "the program of Claude Code");
}

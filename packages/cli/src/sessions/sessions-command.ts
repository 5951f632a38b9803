import { type Command, Option } from "commander";
import type { CommandHost, Declaration } from "../command-host.ts";
import { positiveInteger, wholeNumber } from "../option-values.ts";
import type { ChangeOptions } from "./change.ts";
import type { ForkOptions } from "./fork.ts";
import type { ListOptions } from "./list.ts";
import type { RemoveOptions } from "./remove.ts";
import type { SearchOptions } from "./search.ts";
import type { ShowOptions } from "./show.ts";
import type { CopyOptions, ExportOptions, ImportOptions } from "./transfer.ts";
import type { UsageOptions } from "./usage.ts";
import type { VerifyOptions } from "./verify.ts";

const stores = `Sessions are those of Claude Code on this machine, or with --store those of a store:
  file:PATH                    a folder of @reins/sessions
  redis://HOST:PORT/DB         or rediss:, with ?prefix=
  s3://BUCKET/PREFIX           with ?region=&endpoint=&path-style=true; credentials as the AWS client finds them
  postgres://HOST/DATABASE     with ?schema=&table-prefix=&tenant=
The project of a store is that of --dir (default: this folder), or --project. SESSION is an id, or how one begins.`;

/** Declares `reins sessions` and everything below it. */
export function declareSessions(host: CommandHost, program: Command): void {
  const group = host
    .group(program, "sessions", "list, read, search, change and move sessions, in files or in stores")
    .addHelpText("after", `\n${stores}\n`);
  const declare = <Options>(declaration: Declaration<Options>) => host.command<Options>(group, declaration);
  declareReading(declare);
  declareChanges(declare);
  declareTransfers(declare);
}

type Declare = <Options>(declaration: Declaration<Options>) => Command;

function declareReading(declare: Declare): void {
  place(
    declare<ListOptions>({
      usage: "ls",
      description: "list sessions, the newest first",
      examples: [
        ["reins sessions ls --dir . --limit 10", "the ten latest of this folder"],
        ["reins sessions ls --json | jq -r .sessionId", "the ids of all sessions"],
        ["reins sessions ls --store redis://localhost --dir .", "those of this folder in Redis"],
      ],
      load: async () => (await import("./list.ts")).list,
    })
      .option("--limit <n>", "at most so many", positiveInteger)
      .option("--offset <n>", "leave so many of the newest out", wholeNumber)
      .option("--archived", "with those that were archived"),
  );
  place(
    declare<ShowOptions>({
      usage: "show <session>",
      description: "show a conversation",
      examples: [
        ["reins sessions show 3f2a | less -R", "the session whose id begins so"],
        ["reins sessions show ID --json", "its messages, one a line"],
        ["reins sessions show ID --subagents", "the ids of its subagents"],
      ],
      load: async () => (await import("./show.ts")).show,
    })
      .option("--limit <n>", "at most so many messages", positiveInteger)
      .option("--offset <n>", "leave so many out at the beginning", wholeNumber)
      .option("--system", "with messages of the system")
      .option("--subagents", "list the ids of its subagents instead")
      .option("--agent <id>", "show what this subagent said instead"),
  );
  place(
    declare<SearchOptions>({
      usage: "search <text>",
      description: "search what was said, in all sessions",
      examples: [
        ["reins sessions search 'flaky test' --limit 5", "the five latest places"],
        ["reins sessions search --regex 'time.?out' --dir .", "a regular expression, in this folder"],
      ],
      load: async () => (await import("./search.ts")).search,
    })
      .option("--regex", "the text is a regular expression (of JavaScript)")
      .option("--case-sensitive", "upper and lower case differ")
      .option("--limit <n>", "stop after so many", positiveInteger),
  );
  place(
    declare<UsageOptions>({
      usage: "usage [session]",
      description: "tokens and costs, of one session or of all together",
      examples: [
        ["reins sessions usage --dir . --by day", "what this folder used each day"],
        ["reins sessions usage ID --json", "everything about one session"],
      ],
      load: async () => (await import("./usage.ts")).usage,
    }).addOption(new Option("--by <what>", "a row for each").choices(["model", "day"]).default("model")),
  );
  place(
    declare<VerifyOptions>({
      usage: "verify [session...]",
      description: "check that sessions are whole: their chains, lines, lists",
      examples: [
        ["reins sessions verify --dir .", "all of this folder"],
        ["reins sessions verify ID --store s3://backups/claude", "one in a bucket"],
      ],
      remarks:
        "Without a session it checks all. Exit code 1 when something is lost or read wrongly; warnings are none.",
      load: async () => (await import("./verify.ts")).verify,
    }),
  );
}

function declareChanges(declare: Declare): void {
  place(
    declare<ChangeOptions>({
      usage: "rename <session> <title>",
      description: "give a session a title",
      examples: [["reins sessions rename ID 'VAT for Norway'", "sets the title"]],
      load: async () => (await import("./change.ts")).rename,
    }),
  );
  place(
    declare<ChangeOptions>({
      usage: "tag <session> [tag]",
      description: "give a session a tag, or take it away",
      examples: [
        ["reins sessions tag ID release", "sets the tag"],
        ["reins sessions tag ID", "takes it away"],
      ],
      load: async () => (await import("./change.ts")).tag,
    }),
  );
  place(
    declare<ForkOptions>({
      usage: "fork <session>",
      description: "copy a session, or its beginning, as a new one",
      examples: [["reins sessions fork ID --up-to MESSAGE", "a new session that ends at this message"]],
      load: async () => (await import("./fork.ts")).fork,
    })
      .option("--up-to <message>", "the last message that is taken along, by its uuid")
      .option("--title <title>", "title of the copy"),
  );
  place(
    declare<ChangeOptions & { readonly undo?: boolean }>({
      usage: "archive <session...>",
      description: "take sessions out of the list, or put them back",
      examples: [
        ["reins sessions archive ID", "archives it"],
        ["reins sessions archive ID --undo", "puts it back"],
      ],
      load: async () => (await import("./change.ts")).archive,
    }).option("--undo", "put them back"),
  );
  place(
    declare<RemoveOptions>({
      usage: "rm <session...>",
      description: "delete sessions for good",
      examples: [["reins sessions rm ID --yes", "deletes it without a question"]],
      remarks: "On a terminal it asks first. Elsewhere it deletes nothing without --yes.",
      load: async () => (await import("./remove.ts")).remove,
    }).option("-y, --yes", "do not ask"),
  );
}

function declareTransfers(declare: Declare): void {
  const again = "Calling it again after a failure goes on where it ended; nothing is stored twice.";
  declare<ImportOptions>({
    usage: "import [session...]",
    description: "copy sessions of this machine into a store",
    examples: [
      ["reins sessions import --all --dir . --store file:/backup/sessions", "all of this folder"],
      ["reins sessions import ID --store postgres://localhost/agents", "one, into Postgres"],
    ],
    remarks: `${again} Tables and folders are made when they are missing.`,
    load: async () => (await import("./transfer.ts")).importSessions,
  })
    .requiredOption("--store <url>", "where to")
    .option("--all", "all sessions")
    .option("--dir <path>", "of this working folder")
    .option("--config-dir <path>", "configuration folder of Claude Code")
    .option("--project <key>", "under this project of the store");
  declare<ExportOptions>({
    usage: "export [session...]",
    description: "write sessions of a store as files that Claude Code reads",
    examples: [
      ["reins sessions export ID --store redis://localhost --dir .", "then: claude --resume ID"],
      ["reins sessions export --all --store file:/backup/sessions --to /tmp/out", "into a folder of your own"],
    ],
    load: async () => (await import("./transfer.ts")).exportSessions,
  })
    .requiredOption("--store <url>", "where from")
    .option("--all", "all sessions of the project")
    .option("--dir <path>", "project of this working folder")
    .option("--project <key>", "this project")
    .option("--config-dir <path>", "configuration folder of Claude Code")
    .option("--to <folder>", "this folder instead of that of the project")
    .option("--overwrite", "replace files that are there");
  declare<CopyOptions>({
    usage: "copy [session...]",
    description: "copy sessions from store to store",
    examples: [
      [
        "reins sessions copy --all --dir . --store redis://localhost --to s3://backups/claude",
        "a project, to a bucket",
      ],
      ["reins sessions copy ID --store file:a --to file:a --as NEW-ID", "one session, under another id"],
    ],
    remarks: again,
    load: async () => (await import("./transfer.ts")).copySessions,
  })
    .requiredOption("--store <url>", "where from")
    .requiredOption("--to <url>", "where to")
    .option("--all", "all sessions of the project")
    .option("--dir <path>", "project of this working folder")
    .option("--project <key>", "this project")
    .option("--to-project <key>", "this project in the target")
    .option("--as <id>", "this id in the target");
}

/** The options that say where sessions are. */
function place(command: Command): void {
  command
    .option("--dir <path>", "sessions of this working folder and its git worktrees")
    .option("--config-dir <path>", "configuration folder of Claude Code (default: CLAUDE_CONFIG_DIR, else ~/.claude)")
    .option("--store <url>", "sessions of this store: file:, redis:, s3:, postgres:")
    .option("--project <key>", "project of the store (default: that of --dir)");
}

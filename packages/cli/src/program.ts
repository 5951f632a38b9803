import { Command } from "commander";
import { declareBridge } from "./bridge/bridge-command.ts";
import { declareChat } from "./chat/chat-command.ts";
import { CommandHost } from "./command-host.ts";
import { declareCompletion } from "./completion/completion-command.ts";
import type { Context } from "./context.ts";
import { declareDoctor } from "./doctor/doctor-command.ts";
import { declareFrames } from "./frames/frames-command.ts";
import { declareQuery } from "./query/query-command.ts";
import { declareSessions } from "./sessions/sessions-command.ts";
import { declareTap } from "./tap/tap-command.ts";
import { version } from "./version.ts";

/** Columns of help, whatever the terminal has: that of `reins` itself is laid out beforehand, in `help.txt`. */
const helpWidth = 80;

/** All commands, declared but not loaded. */
export function createProgram(context: Context): { program: Command; host: CommandHost } {
  const host = new CommandHost(context);
  const program = new Command("reins")
    .description("Drives Claude Code, and looks after its sessions.")
    .version(version(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        // What fails is known when the output is flushed.
        context.out.write(text).catch(() => {});
      },
      outputError: () => {},
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
    })
    .addHelpText("after", moreHelp);
  declareQuery(host, program);
  declareChat(host, program);
  declareSessions(host, program);
  declareFrames(host, program);
  declareTap(host, program);
  declareBridge(host, program);
  declareDoctor(host, program);
  declareCompletion(host, program);
  return { program, host };
}

const moreHelp = `
Examples:
  Ask something, and have the answer as text:
    $ reins query "Which module handles VAT?"
  See the latest sessions of this folder:
    $ reins sessions ls --dir . --limit 10
  Look at the installation when something does not work:
    $ reins doctor

Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 a limit was reached, 4 stopped on purpose, 5 Claude Code did not start,
128 + n ended by signal n. Colours are for terminals only; NO_COLOR turns them off.
`;

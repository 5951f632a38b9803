import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import { sessionOptions } from "../query/query-command.ts";
import type { ChatOptions } from "./run-chat.ts";

/** Declares `reins chat`. */
export function declareChat(host: CommandHost, program: Command): void {
  sessionOptions(
    host.command<ChatOptions>(program, {
      usage: "chat",
      description: "talk to Claude Code on a screen, and be asked about permissions",
      examples: [
        ["reins chat --cwd ~/project", "talk about a project"],
        ["reins chat --continue", "go on with the latest session of this folder"],
        ["printf 'What is this?\\nShorter, please.\\n' | reins chat > answers.md", "without a screen"],
      ],
      remarks: `/help lists what there is: other sessions, models and modes, what it costs. Ctrl-C interrupts what runs; a second one exits.

Without a terminal at both ends, or with TERM=dumb, there is no screen: each line of the input is a message or the answer to the question
before it, a backslash at its end goes on in the next one. Answers are the output, questions and all else go to stderr. There Ctrl-C
ends the chat when nothing runs.`,
      hasJson: false,
      load: async () => (await import("./run-chat.ts")).runChat,
    }),
  );
}

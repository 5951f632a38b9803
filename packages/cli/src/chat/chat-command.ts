import type { Command } from "commander";
import type { CommandHost } from "../command-host.ts";
import { sessionOptions } from "../query/query-command.ts";
import type { ChatOptions } from "./run-chat.ts";

/** Declares `reins chat`. */
export function declareChat(host: CommandHost, program: Command): void {
  sessionOptions(
    host.command<ChatOptions>(program, {
      usage: "chat",
      description: "talk to Claude Code, a line at a time, and be asked about permissions",
      examples: [
        ["reins chat --cwd ~/project", "talk about a project"],
        ["reins chat --continue", "go on with the latest session of this folder"],
      ],
      remarks: `Each line is a message; a backslash at its end goes on in the next one. Ctrl-C interrupts what runs, or ends the chat when
nothing does; Ctrl-D ends it. /help lists what else there is. This is the plain chat, for any terminal and for pipes; the app
apps/chat of the repository is the rich one, with a screen of its own.`,
      hasJson: false,
      load: async () => (await import("./run-chat.ts")).runChat,
    }),
  );
}

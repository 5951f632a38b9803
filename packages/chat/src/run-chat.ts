import type { AgentOptions } from "@reins/runtime";
import { PlainChat } from "./plain/plain-chat.ts";
import { ScreenChat } from "./screen/screen-chat.ts";
import { locationOf } from "./session/location.ts";
import { Signals } from "./signals.ts";
import { createStyle, wantsColour } from "./text/style.ts";

/** Options of a chat: those of its sessions, which are the options of an agent, and what it says. The chat itself asks and listens. */
export type ChatOptions = Omit<AgentOptions, "prompt" | "onRuntimeEvent"> & {
  /** Said at the beginning on a screen, in Markdown. Default: where to find the commands. */
  readonly welcome?: string | undefined;
};

/** What came of a chat. */
export interface ChatEnd {
  /**
   * For `process.exitCode`: 128 and the number of the signal that has ended the chat; without a screen 1 where a message or a command has
   * failed; else 0. On a screen somebody has seen it.
   */
  readonly exitCode: number;
  /** The session that the chat was in last, for `resume`; `undefined` where nothing was said in it. */
  readonly sessionId: string | undefined;
}

/**
 * Chats on the terminal of this process until it is left.
 *
 * With a terminal at both ends that can do more than print (`TERM` is not `dumb`) it has a screen. Else each line of stdin is a message, or the
 * answer to the question before it, stdout has the text of the answers, and stderr all else; there Ctrl-C and SIGINT interrupt the
 * turn that runs, and end the chat where none does.
 *
 * While it runs, stdin, the terminal's mode and SIGINT, SIGTERM and SIGHUP are the chat's. They are given back at its end, also when the
 * process ends before; a stdin that is no screen is read to its end and destroyed. A second signal is not the chat's any more.
 *
 * @throws without a screen: what has ended the session, or kept it from starting. On a screen it is shown, and the next message starts
 * another one.
 * @throws the error of a stdout that cannot be written. A reader that is gone (`EPIPE`) ends the chat without one.
 */
export async function runChat(options: ChatOptions = {}): Promise<ChatEnd> {
  const { welcome = "**Chat** with Claude Code. `/help` shows what there is.", ...agent } = options;
  const { stdin, stdout, env } = process;
  return stdin.isTTY && stdout.isTTY && env["TERM"] !== "dumb"
    ? await chatOnScreen(agent, welcome)
    : await chatInLines(agent);
}

async function chatOnScreen(agent: AgentOptions, welcome: string): Promise<ChatEnd> {
  const { stdout, env } = process;
  const style = createStyle(wantsColour(env));
  const chat = new ScreenChat({ agent, location: locationOf(agent), welcome, output: stdout, style });
  using signals = new Signals((_, end) => {
    end();
    chat.stop();
  });
  await chat.run();
  return { exitCode: signals.exitCode ?? 0, sessionId: chat.sessionId };
}

async function chatInLines(agent: AgentOptions): Promise<ChatEnd> {
  const { stdin, stdout, stderr } = process;
  const chat = new PlainChat({
    agent,
    location: locationOf(agent),
    input: stdin,
    isTyped: stdin.isTTY === true,
    write: (text) => stdout.write(text),
    tell: (text) => stderr.write(text),
  });
  let outputError: Error | undefined;
  // These stay for good: a stream without a listener turns the failure of its last write into a crash.
  stdout.on("error", (error) => {
    outputError ??= error;
    chat.stop();
  });
  stderr.on("error", () => {});
  using signals = new Signals((signal, end) => {
    if (signal === "SIGINT" && chat.interrupt()) return;
    end();
    chat.stop();
  });
  try {
    const isAnswered = await chat.run();
    const isGone = outputError !== undefined && "code" in outputError && outputError.code === "EPIPE";
    if (outputError !== undefined && !isGone) throw outputError;
    return { exitCode: signals.exitCode ?? (isAnswered ? 0 : 1), sessionId: chat.sessionId };
  } finally {
    // A terminal would keep the process alive.
    stdin.destroy();
  }
}

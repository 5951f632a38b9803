import { createAgent, type Session, TurnFailedError, TurnRefusedError } from "@reins/runtime";
import { type Context, Interrupted } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { type SessionOptions, sdkOptions } from "../query/session-options.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import { printable } from "../terminal/printable.ts";
import { LineInput } from "./line-input.ts";
import { Questions } from "./questions.ts";
import { spawnApart } from "./spawn-apart.ts";
import { TurnView } from "./turn-view.ts";

/** Options of `chat`. */
export type ChatOptions = SessionOptions;

const help = `/help  this list
/exit  end the chat, as Ctrl-D does
Other lines that begin with / are commands of Claude Code, such as /compact or /model NAME.
`;

/** `reins chat` */
export async function runChat(context: Context, given: ChatOptions): Promise<number> {
  const options = sdkOptions(given);
  const opened = given.store === undefined ? undefined : await openSessionStore(given.store, { create: true });
  const isTyped = process.stdin.isTTY === true;
  const input = new LineInput(process.stdin);
  const view = new TurnView(context);
  const questions = new Questions(context, input, isTyped);
  try {
    await using agent = createAgent({
      ...options,
      ...(isTyped && { spawnClaudeCodeProcess: spawnApart }),
      ...(opened !== undefined && { sessionStore: opened.store }),
      onResponseChunk: (chunk) => view.chunk(chunk),
      onToolProgress: (progress) => view.tool(progress),
      prompt: (request) => questions.ask(request),
    });
    return await converse(context, agent.session(), input, view);
  } finally {
    input.close();
    await opened?.close();
  }
}

/** Message after message, until the input ends. */
async function converse(context: Context, session: Session, input: LineInput, view: TurnView): Promise<number> {
  const ended = new AbortController();
  let isRunning = false;
  const onInterrupt = (): void => {
    if (!isRunning) ended.abort();
    // What fails here has ended the turn, which says so.
    else session.interrupt().catch(() => {});
  };
  const onEnd = (signal: NodeJS.Signals): void => ended.abort(new Interrupted(signal));
  process.on("SIGINT", onInterrupt).on("SIGTERM", onEnd).on("SIGHUP", onEnd);
  const over = AbortSignal.any([ended.signal, context.out.gone]);
  let exitCode: number = exitCodes.ok;
  try {
    for (;;) {
      const message = await nextMessage(context, input, over);
      if (message === undefined || message === "/exit") break;
      if (message === "/help") await context.out.write(help);
      if (message === "" || message === "/help") continue;
      isRunning = true;
      exitCode = await turn(context, session, message, view, over);
      isRunning = false;
    }
  } finally {
    process.off("SIGINT", onInterrupt).off("SIGTERM", onEnd).off("SIGHUP", onEnd);
  }
  context.out.gone.throwIfAborted();
  if (ended.signal.reason instanceof Interrupted) throw ended.signal.reason;
  if (process.stdin.isTTY === true && session.sessionId !== undefined) {
    await context.note(`\nGo on later: reins chat --resume ${session.sessionId}`);
  }
  return exitCode;
}

/** One message: a line, and those that a backslash adds. */
async function nextMessage(context: Context, input: LineInput, over: AbortSignal): Promise<string | undefined> {
  const isTerminal = process.stdin.isTTY === true;
  const lines: string[] = [];
  for (;;) {
    if (isTerminal) await context.out.write(lines.length === 0 ? context.style.green("> ") : ". ");
    const line = await input.next(over);
    if (line === undefined) return lines.length === 0 || over.aborted ? undefined : lines.join("\n").trim();
    if (!line.endsWith("\\")) return [...lines, line].join("\n").trim();
    lines.push(line.slice(0, -1));
  }
}

async function turn(
  context: Context,
  session: Session,
  message: string,
  view: TurnView,
  signal: AbortSignal,
): Promise<number> {
  try {
    const { text } = await session.submitMessage(message, { signal });
    view.end(text);
    return exitCodes.ok;
  } catch (error) {
    view.end("");
    if (signal.aborted) return exitCodes.stopped;
    if (error instanceof TurnFailedError) {
      if (error.reason === "session_ended") throw error;
      if (error.interrupted) {
        await context.note("Interrupted.");
        return exitCodes.stopped;
      }
    } else if (!(error instanceof TurnRefusedError)) throw error;
    await context.note(`${context.errStyle.red("reins:")} ${printable(error.message)}`);
    return exitCodes.failed;
  }
}

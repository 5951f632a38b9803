import { StringDecoder } from "node:string_decoder";
import type { AgentOptions } from "@reins/runtime";
import { runCommand } from "./commands.ts";
import { Conversation } from "./conversation.ts";
import { failureText, messageOf } from "./message.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { toolSummary } from "./tool-text.ts";

export interface PlainChatOptions {
  readonly agent: AgentOptions;
  readonly location: { readonly dir: string; readonly configDir?: string | undefined };
  /** Lines come from here: a pipe, a file, a terminal that can do nothing else. */
  readonly input: AsyncIterable<Buffer | string>;
  /** Whether somebody sits at the other end of the input, who may be asked. */
  readonly hasPerson: boolean;
  /** Answers go here, and nothing else does. */
  readonly write: (text: string) => void;
  /** All that is about them: tools, questions, errors. */
  readonly note: (line: string) => void;
}

/**
 * The chat without a screen: each line of the input is a message, and the text of the answers is the output. Where nobody can be asked, all
 * that needs a question is refused.
 *
 * @returns whether every message had an answer.
 */
export async function runPlainChat(options: PlainChatOptions, signal: AbortSignal): Promise<boolean> {
  const { location, hasPerson, write, note } = options;
  const lines = linesOf(options.input, signal);
  let isRunning = true;
  let hasFailed = false;
  let hasText = false;
  const agent: AgentOptions = {
    ...options.agent,
    onRuntimeEvent: ({ type, data, agentToolUseId }) => {
      if (type === "response.chunk" && agentToolUseId === undefined) {
        if (data.type === "content_block_delta" && data.deltaType === "text_delta" && data.delta) {
          hasText = true;
          write(plainText(data.delta));
        } else if (data.type === "content_block_stop" && hasText) write("\n");
      } else if (type === "tool.progress" && data.stage === "requested")
        note(`[${toolSummary(data.toolName, data.input ?? {})}]`);
      else if (type === "tool.progress" && (data.stage === "failed" || data.stage === "denied"))
        note(`[${plainLine(data.toolName)} ${data.stage}]`);
    },
    prompt: async ({ type, message, metadata }) => {
      const { tool_name: name = "", tool_input: input = {} } = metadata;
      if (!hasPerson || type !== "confirm") return { cancelled: true, message: "Nobody is there to be asked." };
      note(
        `${plainLine(message)} ${toolSummary(name, input)}\n${plainText(JSON.stringify(input))}\n[y]es, [a]lways, all else is no:`,
      );
      const { value: answer } = await lines.next();
      return {
        value: answer === "y" || answer === "yes" ? true : answer === "a" || answer === "always" ? "always" : false,
      };
    },
  };
  await using conversation = new Conversation(agent, (error) => {
    hasFailed = true;
    note(failureText(error));
  });
  signal.addEventListener("abort", () => void conversation.close(), { once: true });
  while (isRunning && !signal.aborted) {
    const { value: line, done } = await lines.next();
    if (done) break;
    if (line.trim() === "") continue;
    try {
      const isCommand = await runCommand(line.trim(), {
        conversation,
        location,
        ask: undefined,
        say: (markdown) => note(plainText(markdown)),
        replay: (role, text) => note(`${role === "user" ? "> " : ""}${plainText(text)}`),
        exit: () => {
          isRunning = false;
        },
      });
      if (isCommand) continue;
      hasText = false;
      const { content, notes } = await messageOf(line, location.dir);
      for (const text of notes) note(`+ ${plainLine(text)}`);
      const { text } = await conversation.submit(content, signal);
      if (!hasText && text !== "") write(`${plainText(text)}\n`);
    } catch (error) {
      hasFailed = true;
      if (!signal.aborted) note(plainText(failureText(error)));
    }
  }
  return !hasFailed;
}

/** The lines of an input, without their ends. Ends when the signal aborts, too. */
async function* linesOf(input: AsyncIterable<Buffer | string>, signal: AbortSignal): AsyncGenerator<string, undefined> {
  const utf8 = new StringDecoder("utf8");
  const chunks = input[Symbol.asyncIterator]();
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal.addEventListener("abort", () => resolve({ done: true, value: undefined }), { once: true });
  });
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await Promise.race([chunks.next(), aborted]);
    if (done) break;
    const [first = "", ...rest] = (typeof value === "string" ? value : utf8.write(value)).split("\n");
    parts.push(first);
    for (const part of rest) {
      yield parts.join("").replace(/\r$/, "");
      parts = [part];
    }
  }
  const last = parts.join("") + utf8.end();
  if (last !== "" && !signal.aborted) yield last;
  return undefined;
}

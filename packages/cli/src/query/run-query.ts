import { readFile } from "node:fs/promises";
import { isReinsError, type Message, type Options, query, type ResultMessage, resultOutcome } from "@reins/sdk";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { openSessionStore } from "../store/open-session-store.ts";
import type { OpenedSessionStore } from "../store/opened-session-store.ts";
import { renderMessage } from "../terminal/conversation.ts";
import { printable } from "../terminal/printable.ts";
import { UsageError } from "../usage-error.ts";
import { exitCodeOf } from "./outcome-exit-code.ts";
import { readPrompt } from "./read-prompt.ts";
import { type SessionOptions, sdkOptions } from "./session-options.ts";

/** Options of `query`. */
export interface QueryOptions extends SessionOptions {
  readonly output: "text" | "stream-json";
  readonly stream?: boolean;
  readonly verbose?: boolean;
  readonly schema?: string;
  readonly timeout?: number;
  readonly capture?: string;
}

/** The longest that a timer of Node.js takes, in ms. */
const longestTimer = 2 ** 31 - 1;

/** `reins query` */
export async function runQuery(context: Context, given: QueryOptions, words: readonly string[]): Promise<number> {
  if (context.json && given.output === "stream-json")
    throw new UsageError("Give --json or --output stream-json, not both.");
  const options: Options = {
    ...sdkOptions(given),
    ...(await formOf(given)),
    ...(given.capture !== undefined && { captureDir: given.capture }),
    includePartialMessages: given.stream === true && !context.json,
  };
  const prompt = await readPrompt(words, process.stdin, () =>
    context.note(
      "Nothing was piped in within 3 s, so the prompt is the arguments alone. `< /dev/null` saves the wait.",
    ),
  );
  const deadline =
    given.timeout === undefined ? undefined : AbortSignal.timeout(Math.min(given.timeout * 1000, longestTimer));
  const opened = given.store === undefined ? undefined : await openSessionStore(given.store, { create: true });
  try {
    return await ask(context, given, prompt, options, deadline, opened);
  } catch (error) {
    if (deadline?.aborted !== true || context.signal.aborted) throw error;
    await context.note(`${context.errStyle.red("reins:")} There was no answer in ${given.timeout} s.`);
    return exitCodes.limitReached;
  } finally {
    await opened?.close();
  }
}

async function formOf({ schema }: QueryOptions): Promise<Options> {
  if (schema === undefined) return {};
  const text = await readFile(schema, "utf8");
  try {
    return { outputFormat: { type: "json_schema", schema: JSON.parse(text) } };
  } catch (error) {
    throw new UsageError(`${schema} is no JSON.`, { cause: error });
  }
}

async function ask(
  context: Context,
  given: QueryOptions,
  prompt: string,
  options: Options,
  deadline: AbortSignal | undefined,
  opened: OpenedSessionStore | undefined,
): Promise<number> {
  const abortController = new AbortController();
  const signal = deadline === undefined ? context.signal : AbortSignal.any([context.signal, deadline]);
  signal.addEventListener("abort", () => abortController.abort(signal.reason), { once: true });
  signal.throwIfAborted();
  let result: ResultMessage | undefined;
  let isStreaming = false;
  await using session = query({
    prompt,
    options: { ...options, abortController, ...(opened !== undefined && { sessionStore: opened.store }) },
  });
  try {
    for await (const message of session) {
      if (message.type === "result") result = message;
      if (given.output === "stream-json") await context.writeJson(message);
      else if (options.includePartialMessages === true)
        isStreaming = (await writeDelta(context, message)) || isStreaming;
      if (given.verbose === true) await sayTools(context, message);
    }
  } catch (error) {
    // The result says the same, and was read before.
    if (result === undefined || !isReinsError(error) || error.code !== "REINS_RESULT") throw error;
  }
  // The sdk ends with an error where there is no result.
  if (result === undefined) throw new Error("Claude Code ended without a result.");
  return await conclude(context, given, result, isStreaming);
}

/** What came of it, in the form that was asked for. */
async function conclude(
  context: Context,
  given: QueryOptions,
  result: ResultMessage,
  isStreaming: boolean,
): Promise<number> {
  const outcome = resultOutcome(result);
  const exitCode = exitCodeOf(outcome);
  if (context.json) {
    await context.writeJson({
      outcome: outcome.kind,
      text: outcome.text,
      ...("structuredOutput" in outcome &&
        outcome.structuredOutput !== undefined && { structuredOutput: outcome.structuredOutput }),
      sessionId: result.session_id,
      turns: result.num_turns,
      durationMs: result.duration_ms,
      totalCostUsd: result.total_cost_usd,
      usage: result.usage,
    });
    return exitCode;
  }
  if (given.output === "stream-json") return exitCode;
  if (exitCode !== exitCodes.ok) {
    if (isStreaming) await context.out.write("\n");
    const reason = outcome.text === "" ? "" : ` ${printable(outcome.text)}`;
    await context.note(`${context.errStyle.red("reins:")} The turn is ${outcome.kind}.${reason}`);
    return exitCode;
  }
  const text = given.schema === undefined ? outcome.text : structured(outcome);
  if (!isStreaming || given.schema !== undefined) await context.out.write(`${printable(text)}\n`);
  else await context.out.write("\n");
  return exitCode;
}

function structured(outcome: object): string {
  return JSON.stringify("structuredOutput" in outcome ? outcome.structuredOutput : undefined, null, 2) ?? "";
}

async function writeDelta(context: Context, message: Message): Promise<boolean> {
  if (message.type !== "stream_event" || message.parent_tool_use_id) return false;
  const { event } = message;
  if (event.type !== "content_block_delta" || event.delta.type !== "text_delta") return false;
  await context.out.write(printable(event.delta.text));
  return true;
}

async function sayTools(context: Context, message: Message): Promise<void> {
  if (message.type !== "assistant" && message.type !== "user") return;
  const { content } = message.message;
  if (typeof content === "string") return;
  const blocks = content.filter(({ type }) => type === "tool_use" || type === "tool_result");
  if (blocks.length > 0) await context.note(renderMessage(blocks, context.errStyle));
}

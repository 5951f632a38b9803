import { type Message, type ResultMessage, type ResultOutcome, resultOutcome } from "@reins/messages";
import { type Query, query } from "./query.ts";

/** All that a query gave. */
export interface Collected {
  /** Every message, in order. */
  readonly messages: readonly Message[];
  /** The last result. Work in the background can bring one more behind the answer. */
  readonly result: ResultMessage;
  /** What the last result came to. */
  readonly outcome: ResultOutcome;
  /** The text of the last result. */
  readonly text: string;
  /** What the CLI checked against `outputFormat`, if that was given and met. {@link OutputFormat.read} gives it a type. */
  readonly structuredOutput: unknown;
}

/**
 * Runs a query to its end, and gives everything at once.
 *
 * @param source A query, or what `query` takes.
 * @throws what reading the query throws. An error result is no exception: look at `outcome`.
 * @example
 * const { text, outcome } = await collect({ prompt: "What is 2 + 2?" });
 * if (outcome.kind === "completed") console.log(text);
 */
export async function collect(source: Query | Parameters<typeof query>[0]): Promise<Collected> {
  const messages: Message[] = [];
  let result: ResultMessage | undefined;
  const session = Symbol.asyncIterator in source ? source : query(source);
  try {
    for await (const message of session) {
      messages.push(message);
      if (message.type === "result") result = message as ResultMessage;
    }
  } finally {
    // Behind an error the CLI may live on for a moment.
    await session.close();
  }
  // Without one the query throws, but for a prompt that is an empty iterable.
  if (result === undefined) throw new TypeError("There is no result: the prompt was empty. Give at least one prompt.");
  const outcome = resultOutcome(result);
  const structuredOutput = "structuredOutput" in outcome ? outcome.structuredOutput : undefined;
  return { messages, result, outcome, text: outcome.text, structuredOutput };
}

import type { ControlClient } from "@reins/control";
import type { UserFrame } from "@reins/messages";
import { type FrameValue, ReinsError } from "@reins/streamjson";

/** A prompt in parts, as the CLI reads it. Text goes into `message.content`, as a string or as content blocks. */
export interface UserPrompt extends Omit<UserFrame, "message"> {
  /** The role must be `"user"`; the types of the official SDK allow more. */
  readonly message: { readonly role: "user" | (string & {}); readonly content: unknown };
}

/** What a query is asked: a text, or prompts as they come. An iterable that does not end keeps the session open. */
export type Prompt = string | AsyncIterable<UserPrompt>;

/** The prompt is neither a text nor an async iterable of user messages. */
export class PromptError extends ReinsError {
  readonly code = "REINS_PROMPT_INVALID" as const;

  constructor(problem: string) {
    super(`${problem} Give a string, or an async iterable of { type: "user", message: { role: "user", content } }.`);
  }

  override get name(): string {
    return "PromptError";
  }
}

/** @throws {@link PromptError} for what is neither a string nor an async iterable. */
export function checkPrompt(prompt: unknown): asserts prompt is Prompt {
  if (typeof prompt === "string") return;
  if (typeof prompt === "object" && prompt !== null && Symbol.asyncIterator in prompt) return;
  throw new PromptError(
    `The prompt is ${prompt === null ? "null" : Array.isArray(prompt) ? "an array" : `of type ${typeof prompt}`}.`,
  );
}

/**
 * Sends the prompt, and when it is exhausted brings the session to its normal end.
 *
 * Settles when the session has ended. What goes wrong with the prompt ends the session with that error; never rejects.
 *
 * @param condition What the prompt waits for, if anything. That it fails ends the session too.
 */
export async function feedPrompt(
  client: ControlClient,
  prompt: Prompt,
  verbatim: boolean,
  condition: Promise<void> | undefined,
): Promise<void> {
  const mark = verbatim ? { client_composed: true } : {};
  try {
    if (condition !== undefined) await condition;
    if (typeof prompt === "string") {
      const message = { role: "user", content: [{ type: "text", text: prompt }] };
      await client.send({ type: "user", session_id: "", message, parent_tool_use_id: null, ...mark });
    } else {
      await sendPrompts(client, prompt, mark);
    }
    await client.finish();
  } catch (error) {
    // Without a reason a close is quiet, and this is none.
    await client.close(error ?? new PromptError(`The prompt threw ${error}.`));
  }
}

/**
 * Sends prompts as they come, until the source or the session ends.
 *
 * @param mark Members that each prompt gets.
 * @throws {@link PromptError} for a part that is no prompt, what the source throws, and why a prompt could not be written.
 */
export async function sendPrompts(
  client: ControlClient,
  prompts: AsyncIterable<UserPrompt>,
  mark: Readonly<Record<string, unknown>>,
): Promise<void> {
  for await (const part of untilEnded(prompts, client.ended)) {
    checkPart(part);
    await client.send({ ...part, ...mark });
  }
}

/**
 * Checked here because the CLI is less forgiving: a user message without the role ends the process, and content that is a number is
 * swallowed without an answer (verified against 2.1.328).
 */
function checkPart(part: unknown): asserts part is FrameValue {
  if (typeof part !== "object" || part === null || !("type" in part)) {
    throw new PromptError(
      `The prompt gave ${part === null ? "null" : `a value of type ${typeof part}`} that is no message.`,
    );
  }
  if (part.type !== "user") return;
  const message: unknown = "message" in part ? part.message : undefined;
  const isMessage = typeof message === "object" && message !== null && "role" in message && message.role === "user";
  const content = isMessage && "content" in message ? message.content : undefined;
  if (typeof content === "string" || Array.isArray(content)) return;
  throw new PromptError("The prompt gave a user message without role and content.");
}

/** The values of a source until it ends or the session does, also while the source keeps one waiting. */
function untilEnded<T>(source: AsyncIterable<T>, ended: Promise<void>): AsyncIterable<T> {
  const iterator = source[Symbol.asyncIterator]();
  let isOver = false;
  let isExhausted = false;
  let stopWaiting: ((result: IteratorResult<T>) => void) | undefined;
  const release = async (): Promise<void> => {
    if (isExhausted) return;
    isExhausted = true;
    try {
      await iterator.return?.();
    } catch {
      // The session has ended for a reason of its own.
    }
  };
  const pull = async (): Promise<IteratorResult<T>> => {
    try {
      const result = await iterator.next();
      if (result.done) isExhausted = true;
      return result;
    } catch (error) {
      isExhausted = true;
      throw error;
    }
  };
  void ended.then(() => {
    isOver = true;
    stopWaiting?.({ done: true, value: undefined });
    void release();
  });
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        if (isOver) return Promise.resolve({ done: true, value: undefined });
        return new Promise((resolve, reject) => {
          stopWaiting = resolve;
          pull().then(resolve, reject);
        });
      },
      return: () => {
        // A generator that waits for something of its own takes notice only when it goes on, so nobody waits for it.
        void release();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}

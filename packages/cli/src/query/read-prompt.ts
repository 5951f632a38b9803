import { UsageError } from "../usage-error.ts";

/** What a prompt is read from. */
interface PromptSource extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean | undefined;
  destroy(): unknown;
}

/** Who starts this program may leave its stdin open and never write to it. 3 s are enough for what is piped in. */
const pipeWaitMs = 3_000;

/** The API takes requests of 32 MB. What has no end must not fill the memory. */
const maxPipedChars = 32 * 1024 * 1024;

/**
 * The prompt: what is piped in, then the words of the command line. A terminal is not read where there are words, and a pipe that stays
 * silent is given up.
 *
 * @param onSilence Called when that was so.
 * @throws UsageError when there is none, or more than the API takes.
 */
export async function readPrompt(
  words: readonly string[],
  source: PromptSource,
  onSilence: () => Promise<void>,
): Promise<string> {
  const said = words.join(" ").trim();
  const piped = source.isTTY === true && said !== "" ? "" : (await readAll(source, said !== "", onSilence)).trim();
  const prompt = [piped, said].filter((text) => text !== "").join("\n\n");
  if (prompt === "") throw new UsageError('There is no prompt: reins query "...", or pipe one in.');
  return prompt;
}

async function readAll(source: PromptSource, mayBeSilent: boolean, onSilence: () => Promise<void>): Promise<string> {
  const decoder = new TextDecoder();
  const chunks = source[Symbol.asyncIterator]();
  let text = "";
  let next = chunks.next();
  if (mayBeSilent && (await isSilent(next))) {
    // So that it does not keep this program; what it was asked for ends with it.
    next.catch(() => {});
    source.destroy();
    await onSilence();
    return "";
  }
  for (let { done, value } = await next; done !== true; { done, value } = await next) {
    text += typeof value === "string" ? value : decoder.decode(value, { stream: true });
    if (text.length > maxPipedChars) {
      source.destroy();
      throw new UsageError(
        "What is piped in is longer than 32 MB, which is more than the model takes. Name a file instead.",
      );
    }
    next = chunks.next();
  }
  return text + decoder.decode();
}

async function isSilent(first: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<true>((resolve) => {
    timer = setTimeout(resolve, pipeWaitMs, true);
  });
  try {
    return await Promise.race([silence, first.then(() => false)]);
  } finally {
    clearTimeout(timer);
  }
}

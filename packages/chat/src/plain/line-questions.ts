import type { PromptRequest, PromptResponse } from "@reins/runtime";
import { plainLine, plainText } from "../text/plain-text.ts";
import { createStyle } from "../text/style.ts";
import { toolDetails } from "../text/tool-text.ts";
import type { LineInput } from "./line-input.ts";

/** Lines are as long as they are: what shows them wraps them. */
const room = { width: 10_000, height: Number.POSITIVE_INFINITY, style: createStyle(false) };

/** Asks questions a line at a time, one after the other, though they may come at once. Whatever is no clear answer is a no. */
export class LineQuestions {
  readonly #input: LineInput;
  readonly #isTyped: boolean;
  readonly #write: (text: string) => void;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param isTyped A person answers what is on the screen; in a pipe all lines were there before.
   * @param write Writes a question, as it is.
   */
  constructor(input: LineInput, isTyped: boolean, write: (text: string) => void) {
    this.#input = input;
    this.#isTyped = isTyped;
    this.#write = write;
  }

  /** For the `prompt` of an agent. */
  ask(request: PromptRequest): Promise<PromptResponse> {
    const answer = this.#last.then(() => this.#askNow(request));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #askNow(request: PromptRequest): Promise<PromptResponse> {
    if (request.signal.aborted) return { cancelled: true };
    if (request.type === "confirm") return await this.#confirm(request);
    if (request.type === "question") return await this.#question(request);
    this.#write(`? ${plainText(request.message)}\n  That needs a terminal with a screen, and is declined.\n`);
    return { cancelled: true };
  }

  async #confirm({ message, metadata, signal }: PromptRequest): Promise<PromptResponse> {
    const { tool_input: input = {}, plan, suppress_always: isOnce = false } = metadata;
    const details = plan === undefined ? toolDetails(input, room) : plainText(plan).replace(/^/gm, "  ").split("\n");
    const choices = isOnce ? "[y]es, [n]o" : "[y]es, [a]lways in this session, [n]o";
    const line = await this.#answer([`? ${plainLine(message)}`, ...details, `  ${choices}: `].join("\n"), signal);
    if (line === undefined) return nobody;
    const word = line.toLowerCase();
    if (word === "y" || word === "yes") return { value: true };
    return { value: !isOnce && (word === "a" || word === "always") ? "always" : false };
  }

  async #question({ metadata, signal }: PromptRequest): Promise<PromptResponse> {
    const answers: Record<string, string> = {};
    for (const { question, options } of metadata.questions ?? []) {
      const labels = labelsOf(options);
      const lines = labels.map((label, index) => `  ${index + 1} ${plainLine(label)}\n`).join("");
      const text = `? ${plainLine(String(question))}\n${lines}  Number, or words of your own: `;
      const line = await this.#answer(text, signal);
      if (line === undefined) return nobody;
      if (line === "") return { cancelled: true };
      answers[String(question)] = /^\d+$/.test(line) ? (labels[Number(line) - 1] ?? line) : line;
    }
    return { value: answers };
  }

  async #answer(question: string, signal: AbortSignal): Promise<string | undefined> {
    this.#write(question);
    const line = (await this.#input.next(signal, this.#isTyped))?.trim();
    // The Enter of a person has ended the line.
    if (line === undefined || !this.#isTyped) this.#write("\n");
    return line;
  }
}

/** The input has ended, or the question is not asked any more. */
const nobody: PromptResponse = { cancelled: true, message: "Nobody is there to be asked." };

function labelsOf(options: unknown): string[] {
  if (!Array.isArray(options)) return [];
  return options.map((option: unknown) =>
    typeof option === "object" && option !== null && "label" in option ? String(option.label) : "",
  );
}

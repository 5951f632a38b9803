import type { PromptRequest, PromptResponse } from "@reins/runtime";
import type { Context } from "../context.ts";
import { inputText } from "../terminal/conversation.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import type { LineInput } from "./line-input.ts";

/** Asks a person, one question after the other, though they may come at once. Whatever is no clear answer is a no. */
export class Questions {
  readonly #context: Context;
  readonly #input: LineInput;
  readonly #isTyped: boolean;
  #last: Promise<unknown> = Promise.resolve();

  /** @param isTyped A person answers what is on the screen; in a pipe all lines were there before. */
  constructor(context: Context, input: LineInput, isTyped: boolean) {
    this.#isTyped = isTyped;
    this.#context = context;
    this.#input = input;
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
    await this.#write(
      `\n${this.#context.style.yellow("?")} ${printable(request.message)}\n  This chat cannot answer that; it is declined.\n`,
    );
    return { cancelled: true };
  }

  async #confirm({ message, metadata, signal }: PromptRequest): Promise<PromptResponse> {
    const { tool_input: input, plan, suppress_always: isOnce = false } = metadata;
    const what = plan ?? inputText(input);
    const choices = isOnce ? "[y]es, [n]o" : "[y]es, [a]lways in this session, [n]o";
    const { style } = this.#context;
    await this.#write(
      `\n${style.yellow("?")} ${style.bold(printableLine(message))}\n${printable(what).replace(/^/gm, "    ")}\n  ${choices}: `,
    );
    const line = (await this.#input.next(signal, this.#isTyped))?.trim().toLowerCase();
    if (line === "y" || line === "yes") return { value: true };
    if (!isOnce && (line === "a" || line === "always")) return { value: "always" };
    return { cancelled: true };
  }

  async #question({ metadata, signal }: PromptRequest): Promise<PromptResponse> {
    const answers: [string, string][] = [];
    for (const question of metadata.questions ?? []) {
      const text = String(question["question"] ?? "");
      const labels = labelsOf(question["options"]);
      const lines = labels.map((label, index) => `    ${index + 1}. ${printableLine(label)}\n`).join("");
      await this.#write(
        `\n${this.#context.style.yellow("?")} ${printableLine(text)}\n${lines}  Number, or words of your own: `,
      );
      const line = (await this.#input.next(signal, this.#isTyped))?.trim();
      if (line === undefined || line === "") return { cancelled: true };
      answers.push([text, /^\d+$/.test(line) ? (labels[Number(line) - 1] ?? line) : line]);
    }
    return { value: Object.fromEntries(answers) };
  }

  async #write(text: string): Promise<void> {
    await this.#context.out.write(text);
  }
}

function labelsOf(options: unknown): string[] {
  if (!Array.isArray(options)) return [];
  return options.map((option: unknown) =>
    typeof option === "object" && option !== null && "label" in option ? String(option.label) : "",
  );
}

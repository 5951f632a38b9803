import { allowAlways, type PermissionRequestOptions, type PermissionResult, type PermissionUpdate } from "@reins/sdk";
import type { Answer, Question } from "../protocol.ts";
import { jsonOf } from "./parts.ts";
import { RunError } from "./run-error.ts";

const questionLimits = { textLength: 50_000, pictureBytes: 0 };

interface Asked {
  readonly question: Question;
  readonly answer: (answer: Answer) => void;
}

/** The permission questions of a session that wait for a person. */
export class Questions {
  readonly #asked = new Map<string, Asked>();
  readonly #onChange: () => void;

  /** @param onChange Called when there is one more, or one less. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get open(): readonly Question[] {
    return [...this.#asked.values()].map(({ question }) => question);
  }

  /** @throws RunError where the question is not open any more. */
  answer(questionId: string, answer: Answer): void {
    const asked = this.#asked.get(questionId);
    if (asked === undefined) throw new RunError("The question is not open any more.");
    asked.answer(answer);
  }

  clear(): void {
    this.#asked.clear();
  }

  /** Asks, and waits for the answer. */
  ask(tool: string, input: Record<string, unknown>, request: PermissionRequestOptions): Promise<PermissionResult> {
    const { requestId: id, signal, suggestions = [], title, decisionReason, suppressAlwaysAllowRule } = request;
    return new Promise((resolve) => {
      const settle = (): void => {
        signal.removeEventListener("abort", onAbort);
        this.#asked.delete(id);
        this.#onChange();
      };
      // The turn was interrupted, or a hook answered first.
      const onAbort = (): void => {
        settle();
        resolve({ behavior: "deny", message: "The question was taken back." });
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort);
      const question: Question = {
        id,
        tool,
        input: jsonOf(input, questionLimits),
        always: suppressAlwaysAllowRule === true ? [] : suggestions.map(wordsOf),
        ...(title === undefined ? {} : { title }),
        ...(decisionReason === undefined ? {} : { reason: decisionReason }),
      };
      this.#asked.set(id, {
        question,
        answer: (answer) => {
          settle();
          if (answer === "always") resolve(allowAlways(input, suggestions));
          else if (answer === "allow") resolve({ behavior: "allow", updatedInput: input });
          else resolve({ behavior: "deny", message: "The user does not want this tool to run." });
        },
      });
      this.#onChange();
    });
  }
}

/** A suggestion as a person reads it. */
function wordsOf(update: PermissionUpdate): string {
  if (update.type === "addRules") {
    const rules = update.rules.map(({ toolName, ruleContent }) => {
      return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
    });
    return rules.join(", ");
  }
  if (update.type === "setMode") return `mode ${update.mode}`;
  if (update.type === "addDirectories") return `folder ${update.directories.join(", ")}`;
  return update.type;
}

import type { PromptMetadata, PromptRequest, PromptResponse } from "@reins/runtime";
import { markdownLines } from "../text/markdown.ts";
import { plainLine, plainText } from "../text/plain-text.ts";
import { toolDetails } from "../text/tool-text.ts";
import { wrapVerbatim } from "../text/wrap.ts";
import { type Choice, ChoicePanel } from "./choice-panel.ts";
import { askForm } from "./form.ts";
import type { Ask, PanelRoom } from "./panel.ts";
import { TextPanel } from "./text-panel.ts";

/** Asks the person at the terminal what the session wants to know. What is no clear yes is a no. */
export async function answerPrompt(request: PromptRequest, ask: Ask): Promise<PromptResponse> {
  if (request.type === "confirm") {
    return request.metadata.tool_name === "ExitPlanMode" ? askPlan(request, ask) : askPermission(request, ask);
  }
  if (request.type === "question") return askQuestions(request.metadata.questions ?? [], ask);
  if (request.type === "form") return askForm(request, ask);
  if (request.type === "url") return askUrl(request, ask);
  return { cancelled: true };
}

type Verdict = "yes" | "always" | "edit" | "no" | "instead";

async function askPermission({ message, metadata }: PromptRequest, ask: Ask): Promise<PromptResponse> {
  const input = metadata.tool_input ?? {};
  const choices: Choice<Verdict>[] = [
    { key: "y", label: "Yes, this once", value: "yes" },
    ...(metadata.suppress_always
      ? []
      : [{ key: "a", label: `Always in this session: ${alwaysText(metadata)}`, value: "always" } as const]),
    { key: "e", label: "Edit it first", value: "edit" },
    { key: "n", label: "No", value: "no" },
    { key: "i", label: "No, and say what to do instead", value: "instead", isFreeText: true },
  ];
  for (;;) {
    const answer = await ask<{ values: readonly Verdict[]; text?: string }>(
      (onAnswer) =>
        new ChoicePanel({
          title: message,
          details: (room) => toolDetails(input, { ...room, height: Math.max(room.height - 9, 3) }),
          choices,
          onAnswer,
        }),
    );
    if (answer?.text !== undefined) return { value: false, message: answer.text };
    const [verdict] = answer?.values ?? [];
    if (verdict === "yes") return { value: true };
    if (verdict === "always") return { value: "always" };
    if (verdict !== "edit") return { value: false };
    const updatedInput = await editInput(input, ask);
    if (updatedInput !== undefined) return { value: { updatedInput } };
  }
}

/** The command of a call as text; any other input as JSON. */
async function editInput(
  input: Readonly<Record<string, unknown>>,
  ask: Ask,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { command } = input;
  const isCommand = typeof command === "string";
  const text = await ask<string>(
    (onAnswer) =>
      new TextPanel({
        title: isCommand ? "The command to run" : "The input of the tool, as JSON",
        text: isCommand ? command : JSON.stringify(input, null, 2),
        check: isCommand ? (text) => (text.trim() === "" ? "There is no command." : undefined) : jsonProblem,
        onAnswer,
      }),
  );
  if (text === undefined) return undefined;
  return isCommand ? { ...input, command: text } : recordFrom(text);
}

function jsonProblem(text: string): string | undefined {
  try {
    return recordFrom(text) === undefined ? "It has to be an object." : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function recordFrom(text: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = JSON.parse(text);
  // An object has members of any name.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

/** What "always" would allow, in short. */
function alwaysText({ tool_name = "", suggestions = [] }: PromptMetadata): string {
  const parts = suggestions.flatMap((update) => {
    if (update.type === "addRules" || update.type === "replaceRules") {
      return (update.rules ?? []).map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
      );
    }
    if (update.type === "setMode") return [`mode ${update.mode}`];
    if (update.type === "addDirectories") return (update.directories ?? []).map((folder) => `folder ${folder}`);
    return [update.type];
  });
  return parts.length > 0 ? parts.join(", ") : tool_name;
}

async function askPlan({ message, metadata }: PromptRequest, ask: Ask): Promise<PromptResponse> {
  const answer = await ask<{ values: readonly boolean[]; text?: string }>(
    (onAnswer) =>
      new ChoicePanel<boolean>({
        title: message,
        details: (room) => clipped(markdownLines(metadata.plan || "(It is empty.)", room.width - 2, room.style), room),
        choices: [
          { key: "y", label: "Yes, go ahead", value: true },
          { key: "n", label: "No, keep planning", value: false },
          { key: "i", label: "No, and say what should change", value: false, isFreeText: true },
        ],
        onAnswer,
      }),
  );
  if (answer?.text !== undefined) return { value: false, message: answer.text };
  return { value: answer?.values[0] === true };
}

async function askQuestions(
  questions: readonly Readonly<Record<string, unknown>>[],
  ask: Ask,
): Promise<PromptResponse> {
  const answers: Record<string, string | readonly string[]> = {};
  for (const [i, { question, header, options, multiSelect }] of questions.entries()) {
    const count = questions.length > 1 ? `${i + 1}/${questions.length} ` : "";
    const topic = typeof header === "string" && header !== "" ? `${header}: ` : "";
    const choices: Choice<string>[] = (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
      if (typeof option !== "object" || option === null || !("label" in option)) return [];
      const description = "description" in option ? String(option.description) : undefined;
      return [{ label: String(option.label), value: String(option.label), description }];
    });
    const answer = await ask<{ values: readonly string[]; text?: string }>(
      (onAnswer) =>
        new ChoicePanel<string>({
          title: `${count}${topic}${String(question)}`,
          choices: [...choices, { label: "Something else", value: "", isFreeText: true }],
          isMultiple: multiSelect === true,
          onAnswer,
        }),
    );
    if (answer === undefined) return { cancelled: true };
    const given = [...answer.values, ...(answer.text === undefined ? [] : [answer.text])];
    answers[String(question)] = multiSelect === true ? given : (given.at(-1) ?? "");
  }
  return { value: answers };
}

async function askUrl({ message, metadata }: PromptRequest, ask: Ask): Promise<PromptResponse> {
  const answer = await ask<{ values: readonly boolean[] }>(
    (onAnswer) =>
      new ChoicePanel<boolean>({
        title: `${plainLine(metadata.server_name ?? "A server")}: ${message}`,
        details: ({ width, style }) =>
          wrapVerbatim(plainText(metadata.url ?? ""), width - 2).map((line) => `  ${style.underline(line)}`),
        choices: [
          { key: "y", label: "I have visited the page", value: true },
          { key: "n", label: "No", value: false },
        ],
        onAnswer,
      }),
  );
  return answer?.values[0] === true ? { value: true } : { cancelled: true };
}

function clipped(lines: readonly string[], { height, style }: PanelRoom): string[] {
  const room = Math.max(height - 7, 3);
  const shown = lines.slice(0, room).map((line) => (line === "" ? line : `  ${line}`));
  return lines.length > room ? [...shown, style.yellow(`  … and ${lines.length - room} more lines`)] : shown;
}

import type { CallContext } from "./call-context.ts";
import { type ContentBlock, checkBlock } from "./content-block.ts";
import { ToolDefinitionError } from "./errors.ts";
import { isRecord } from "./json.ts";
import { invalidParams, RequestError } from "./json-rpc.ts";
import { requireType } from "./registration.ts";

/** A prompt that clients can offer to their users. The CLI does not offer those of in-process servers (verified against 2.1.328). */
export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
  /** Gives the messages; a text is one of the user. What it throws becomes the error that the client gets. */
  readonly get: (input: Readonly<Record<string, string>>, context: CallContext) => Promise<PromptReturn> | PromptReturn;
}

/** What a prompt can be told. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  /** Default false. */
  readonly required?: boolean;
}

/** What the `get` of a prompt may return. */
export type PromptReturn = string | readonly PromptMessage[];

/** A message of a prompt. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** @throws {@link ToolDefinitionError} for prompts that clients could not list. */
export function registerPrompts(
  server: string,
  prompts: readonly PromptDefinition[],
): ReadonlyMap<string, PromptDefinition> {
  const registered = new Map<string, PromptDefinition>();
  for (const prompt of prompts) {
    const { name, get } = prompt;
    if (typeof name !== "string" || name === "") throw new ToolDefinitionError(server, "has a prompt without a name.");
    if (registered.has(name)) throw new ToolDefinitionError(name, "is the name of two prompts.");
    if (typeof get !== "function") throw new ToolDefinitionError(name, "has no get. Give a function.");
    for (const field of ["title", "description"] as const) requireType(name, field, prompt[field], "string");
    for (const argument of prompt.arguments ?? []) {
      if (typeof argument.name !== "string") throw new ToolDefinitionError(name, "has an argument without a name.");
      requireType(name, "the description of an argument", argument.description, "string");
      requireType(name, "required of an argument", argument.required, "boolean");
    }
    registered.set(name, prompt);
  }
  return registered;
}

/** The entry of `prompts/list`. */
export function listPrompt(prompt: PromptDefinition): object {
  const { name, title, description } = prompt;
  const given = prompt.arguments?.map((argument) => ({
    name: argument.name,
    description: argument.description,
    required: argument.required,
  }));
  return { name, title, description, arguments: given };
}

/** @throws {@link RequestError} for arguments that are no texts, or lack one that is required. */
export function checkPromptInput(prompt: PromptDefinition, given: unknown = {}): Readonly<Record<string, string>> {
  if (!isRecord(given) || !isTexts(given)) throw new RequestError(invalidParams, "The arguments of a prompt are texts");
  const missing = prompt.arguments?.find(({ name, required }) => required && !Object.hasOwn(given, name));
  if (missing !== undefined) throw new RequestError(invalidParams, `Prompt ${prompt.name} needs ${missing.name}`);
  return given;
}

/**
 * The result of `prompts/get`.
 *
 * @throws TypeError for what no client takes.
 */
export function toPromptResult(prompt: PromptDefinition, value: unknown): Readonly<Record<string, unknown>> {
  const messages = typeof value === "string" ? [{ role: "user", content: { type: "text", text: value } }] : value;
  if (!Array.isArray(messages)) throw new TypeError(`The prompt ${prompt.name} gave no messages.`);
  const { description } = prompt;
  return {
    ...(description !== undefined && { description }),
    // Unlike `map`, it sees the holes of a list.
    messages: Array.from(messages, (message: unknown, index) => {
      const { role, content } = isRecord(message) ? message : {};
      const checked = checkBlock(content);
      if ("block" in checked && (role === "user" || role === "assistant")) return { role, content: checked.block };
      const problem = "problem" in checked ? `has content that ${checked.problem}` : "has no role";
      throw new TypeError(`The prompt ${prompt.name} gave messages of which ${index} ${problem}.`);
    }),
  };
}

function isTexts(given: Record<string, unknown>): given is Record<string, string> {
  return Object.values(given).every((text) => typeof text === "string");
}

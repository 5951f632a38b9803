import type { PromptRequest, PromptResponse } from "@reins/runtime";
import { ChoicePanel } from "./choice-panel.ts";
import type { Ask } from "./panel.ts";
import { TextPanel } from "./text-panel.ts";

/** The members of a JSON Schema that the forms of MCP servers have. */
interface FieldSchema {
  readonly type?: unknown;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly enum?: unknown;
  readonly default?: unknown;
}

/** Asks for the fields of a form of an MCP server, one after the other. To leave one is to decline the form. */
export async function askForm({ message, metadata }: PromptRequest, ask: Ask): Promise<PromptResponse> {
  const { properties, required } = metadata.requested_schema ?? {};
  const fields = typeof properties === "object" && properties !== null ? Object.entries(properties) : [];
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const value: Record<string, unknown> = {};
  for (const [name, schema] of fields) {
    // Whatever it holds is asked before it is used.
    const field: FieldSchema = typeof schema === "object" && schema !== null ? (schema as FieldSchema) : {};
    const label = typeof field.title === "string" ? field.title : name;
    const description = typeof field.description === "string" ? ` (${field.description})` : "";
    const title = `${metadata.server_name ?? "A server"}: ${message}\n${label}${description}`;
    const answer = await askField(title, field, isRequired(name), ask);
    if (answer === undefined) return { cancelled: true };
    if (answer.value !== undefined) value[name] = answer.value;
  }
  return { value };
}

async function askField(
  title: string,
  field: FieldSchema,
  isRequired: boolean,
  ask: Ask,
): Promise<{ readonly value: unknown } | undefined> {
  const options = field.type === "boolean" ? [true, false] : Array.isArray(field.enum) ? field.enum : undefined;
  if (options !== undefined) {
    const answer = await ask<{ values: readonly unknown[] }>(
      (onAnswer) =>
        new ChoicePanel<unknown>({
          title,
          choices: [
            ...options.map((value) => ({
              label: value === true ? "Yes" : value === false ? "No" : String(value),
              value,
            })),
            ...(isRequired ? [] : [{ label: "No answer", value: undefined }]),
          ],
          selected: Math.max(options.indexOf(field.default), 0),
          onAnswer,
        }),
    );
    return answer && { value: answer.values[0] };
  }
  const isNumber = field.type === "number" || field.type === "integer";
  const check = (text: string): string | undefined => {
    if (text.trim() === "") return isRequired ? "It has to be there." : undefined;
    if (!isNumber) return undefined;
    const number = Number(text);
    if (field.type === "integer" && !Number.isInteger(number)) return "It has to be a whole number.";
    return Number.isFinite(number) ? undefined : "It has to be a number.";
  };
  const text = field.default === undefined ? "" : String(field.default);
  const answer = await ask<string>((onAnswer) => new TextPanel({ title, text, check, onAnswer }));
  if (answer === undefined) return undefined;
  if (answer.trim() === "") return { value: undefined };
  return { value: isNumber ? Number(answer) : answer };
}

import type { CapturedExchange } from "./exchange.ts";
import { isObject } from "./read-capture.ts";

/** Body of a call of the model. The fields that are used here are typed; the CLI decides what else there is. */
export interface ModelCallBody {
  readonly model: string;
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** The body of a call of the model; `undefined` for all else that is asked of the API. */
export function modelCallBody({ request }: CapturedExchange): ModelCallBody | undefined {
  const { method, path, body } = request;
  return method === "POST" && /^\/v1\/messages(\?|$)/.test(path) && isModelCallBody(body) ? body : undefined;
}

/**
 * Whether a call is beside the conversation, as the testkit's scripted model sees it, too: it checks a key, a model or a quota, or names the
 * session.
 */
export function isSideCall({ tools = [], ...body }: ModelCallBody): boolean {
  if (body["max_tokens"] === 1) return true;
  const names = ["output_config", "format", "schema", "properties", "title"];
  const title = names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
  return tools.length === 0 && title !== undefined;
}

function isModelCallBody(body: unknown): body is ModelCallBody {
  if (!isObject(body)) return false;
  const { model, messages, tools = [] } = body;
  return typeof model === "string" && isObjectList(messages) && isObjectList(tools);
}

function isObjectList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

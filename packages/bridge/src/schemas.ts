import * as z from "zod";
import type { BridgeMessage, HostMessage } from "./protocol.ts";

// Strict everywhere: this is the list of what a host can have done, and nothing passes that is not on it.

// It becomes the name of a file.
const uuid = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

const json = z.record(z.string(), z.unknown());
const id = z.string().min(1).max(256);

const source = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.strictObject({ type: z.literal("url"), url: z.string() }),
]);

const promptBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image"), source }),
  z.strictObject({ type: z.literal("document"), source, title: z.string().optional() }),
]);

const promptContent = z.union([z.string(), z.array(promptBlock).min(1)]);

const transcriptEntry = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

const openOptions = z.strictObject({
  model: z.string().optional(),
  fallback_model: z.string().optional(),
  effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
  system_prompt: z
    .union([z.string(), z.strictObject({ preset: z.literal("claude_code"), append: z.string().optional() })])
    .optional(),
  cwd: z.string().optional(),
  additional_directories: z.array(z.string()).optional(),
  built_in_tools: z.union([z.array(z.string()), z.literal("all")]).optional(),
  allowed_tools: z.array(z.string()).optional(),
  disallowed_tools: z.array(z.string()).optional(),
  permission_mode: z.enum(["default", "acceptEdits", "plan", "dontAsk"]).optional(),
  max_turns: z.int().min(1).optional(),
  max_budget_usd: z.number().positive().optional(),
  setting_sources: z.array(z.enum(["user", "project", "local"])).optional(),
  include_partial_messages: z.boolean().optional(),
  resume: z.string().regex(uuid).optional(),
  expand_prompts: z.boolean().optional(),
});

const hostTool = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  input_schema: json.optional(),
  ask: z.boolean().optional(),
});

const toolResultBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("image"), media_type: z.string(), data: z.string() }),
]);

const send = z.union([
  z.strictObject({ type: z.literal("send"), id, content: promptContent }),
  z.strictObject({ type: z.literal("send"), id, transcript: z.array(transcriptEntry).min(1) }),
]);

const permissionAnswer = z.discriminatedUnion("behavior", [
  z.strictObject({
    type: z.literal("permission_answer"),
    id,
    behavior: z.literal("allow"),
    updated_input: json.optional(),
    always: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal("permission_answer"),
    id,
    behavior: z.literal("deny"),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  }),
]);

/** The messages of a host by their type: the whole list of what passes. */
export const hostMessageSchemas: { readonly [Type in HostMessage["type"]]: z.ZodType<HostMessage> } = {
  hello: z.strictObject({
    type: z.literal("hello"),
    protocols: z.array(z.int()).min(1),
    host: z.string().optional(),
  }),
  open: z.strictObject({
    type: z.literal("open"),
    options: openOptions.optional(),
    tools: z.array(hostTool).optional(),
  }),
  send,
  tool_result: z.strictObject({
    type: z.literal("tool_result"),
    id,
    content: z.union([z.string(), z.array(toolResultBlock)]),
    is_error: z.boolean().optional(),
  }),
  permission_answer: permissionAnswer,
  interrupt: z.strictObject({ type: z.literal("interrupt"), id }),
  close: z.strictObject({ type: z.literal("close") }),
};

/** The messages of a bridge by their type. A host takes further fields, as later versions of the bridge may add some. */
export const bridgeMessageSchemas: { readonly [Type in BridgeMessage["type"]]: z.ZodType<BridgeMessage> } = {
  hello: z.looseObject({ type: z.literal("hello"), protocol: z.literal(1), bridge: z.string() }),
  opened: z.looseObject({ type: z.literal("opened"), session_id: z.string(), restarted: z.boolean() }),
  event: z.looseObject({ type: z.literal("event"), message: json }),
  tool_call: z.looseObject({
    type: z.literal("tool_call"),
    id,
    name: z.string(),
    input: json,
    tool_use_id: z.string().optional(),
  }),
  permission_question: z.looseObject({
    type: z.literal("permission_question"),
    id,
    tool_name: z.string(),
    input: json,
    tool_use_id: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    reason: z.string().optional(),
    can_allow_always: z.boolean(),
  }),
  cancelled: z.looseObject({ type: z.literal("cancelled"), id }),
  turn_end: z.looseObject({
    type: z.literal("turn_end"),
    id,
    outcome: z.string(),
    text: z.string(),
    session_id: z.string(),
  }),
  interrupted: z.looseObject({ type: z.literal("interrupted"), id }),
  closed: z.looseObject({ type: z.literal("closed"), reason: z.enum(["closed", "failed"]) }),
  error: z.looseObject({
    type: z.literal("error"),
    code: z.enum([
      "bad_line",
      "unknown_type",
      "bad_message",
      "hello_expected",
      "unsupported_protocol",
      "not_open",
      "already_open",
      "open_failed",
      "session_failed",
      "duplicate_id",
      "unknown_id",
      "busy",
      "refused",
    ]),
    message: z.string(),
    id: z.string().optional(),
  }),
};

/**
 * The protocol as JSON Schema (2020-12): `HostMessage` and `BridgeMessage`, and one definition for each message, among `$defs`.
 *
 * @returns What is committed as `contracts/bridge/bridge-v1.schema.json`.
 */
export function bridgeJsonSchema(): Record<string, unknown> {
  const definitions: [string, unknown][] = [];
  const side = (name: string, schemas: Readonly<Record<string, z.ZodType>>): void => {
    const references = Object.entries(schemas).map(([type, schema]) => {
      const definition = `${name}_${type}`;
      const { $schema: _, ...rest } = z.toJSONSchema(schema);
      definitions.push([definition, rest]);
      return { $ref: `#/$defs/${definition}` };
    });
    definitions.push([name, { anyOf: references }]);
  };
  side("HostMessage", hostMessageSchemas);
  side("BridgeMessage", bridgeMessageSchemas);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "bridge-v1.schema.json",
    description: "Lines of the bridge protocol, version 1: what a host writes, and what a bridge writes.",
    $defs: Object.fromEntries(definitions.sort(([left], [right]) => (left < right ? -1 : 1))),
  };
}

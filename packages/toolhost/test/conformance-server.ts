import { setTimeout as delay } from "node:timers/promises";
import { createToolServer, type ToolDefinition, type ToolServer, tool } from "../src/index.ts";
import type { PromptDefinition } from "../src/prompts.ts";
import type { ResourceDefinition } from "../src/resources.ts";
import { pixel } from "./proof-tools.ts";

/** The smallest WAV: a header that announces no samples. */
const silence = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

const image = { type: "image", data: pixel, mimeType: "image/png" } as const;

/** The pause between two reports that the suite asks for. */
const pause = 50;

// What stands in this file is prescribed by the descriptions of the scenarios.
const tools: readonly ToolDefinition[] = [
  tool("test_simple_text", "Text.", {}, () => "This is a simple text response for testing."),
  tool("test_image_content", "Image.", {}, () => ({ content: [image] })),
  tool("test_audio_content", "Audio.", {}, () => ({
    content: [{ type: "audio", data: silence, mimeType: "audio/wav" }],
  })),
  tool("test_embedded_resource", "Resource.", {}, () => ({
    content: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
  })),
  tool("test_multiple_content_types", "Three.", {}, () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  tool("test_tool_with_logging", "Logs.", {}, async (_, { log }) => {
    log("Tool execution started");
    await delay(pause);
    log("Tool processing data");
    await delay(pause);
    log("Tool execution completed");
    return "done";
  }),
  tool("test_tool_with_progress", "Progress.", {}, async (_, { progress }) => {
    progress(0, 100);
    await delay(pause);
    progress(50, 100);
    await delay(pause);
    progress(100, 100);
    return "done";
  }),
  tool("test_error_handling", "Fails.", {}, () => {
    throw new Error("This tool intentionally returns an error for testing");
  }),
  tool(
    "json_schema_2020_12_tool",
    "Tool with JSON Schema 2020-12 features",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      $defs: {
        address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
      },
      properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
      additionalProperties: false,
    },
    () => "done",
  ),
];

const resources: readonly ResourceDefinition[] = [
  {
    uri: "test://static-text",
    name: "Static text",
    description: "Text.",
    mimeType: "text/plain",
    read: () => "This is the content of the static text resource.",
  },
  {
    uri: "test://static-binary",
    name: "Static binary",
    description: "Bytes.",
    mimeType: "image/png",
    read: () => Buffer.from(pixel, "base64"),
  },
];

const prompts: readonly PromptDefinition[] = [
  { name: "test_simple_prompt", description: "Simple.", get: () => "This is a simple prompt for testing." },
  {
    name: "test_prompt_with_arguments",
    description: "Arguments.",
    arguments: [
      { name: "arg1", description: "First test argument", required: true },
      { name: "arg2", description: "Second test argument", required: true },
    ],
    get: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "Resource.",
    arguments: [{ name: "resourceUri", description: "URI of the resource to embed", required: true }],
    get: ({ resourceUri = "" }) => [
      {
        role: "user",
        content: {
          type: "resource",
          resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        },
      },
      { role: "user", content: { type: "text", text: "Please process the embedded resource above." } },
    ],
  },
  {
    name: "test_prompt_with_image",
    description: "Image.",
    get: () => [
      { role: "user", content: image },
      { role: "user", content: { type: "text", text: "Please analyze the image above." } },
    ],
  },
];

/** The server that the MCP conformance suite asks for, as far as servers of this package can be it. */
export function createConformanceServer(): ToolServer {
  return createToolServer({ name: "conformance", tools, resources, prompts });
}

import { z } from "zod";
import { pixel } from "./proof-tools.ts";

/** The official `tool`, as far as it is used here: our own is one of the kind. */
export type DefineTool<Definition> = (
  name: string,
  description: string,
  // What a handler may return without types is part of what is compared.
  inputSchema: Readonly<Record<string, z.ZodType>>,
  handler: (input: Record<string, unknown>) => Promise<never>,
  extras?: { readonly annotations?: { readonly readOnlyHint?: boolean; readonly title?: string } },
) => Definition;

/** One tool file for both SDKs. */
export function defineTools<Definition>(tool: DefineTool<Definition>): Definition[] {
  /** A tool without arguments that gives what is given here. */
  const giving = (name: string, result: unknown): Definition => tool(name, "Gives.", {}, async () => result as never);
  const throwing = (name: string, thrown: unknown): Definition =>
    tool(name, "Throws.", {}, async () => {
      throw thrown;
    });
  const textOf = (text: string): object => ({ content: [{ type: "text", text }] });
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  return [
    tool(
      "input",
      "Tells its input.",
      {
        a: z.number().describe("A number."),
        b: z.string().default("b"),
        c: z.enum(["x", "y"]).optional(),
        d: z.string().transform((each) => each.length),
        e: z.coerce.number().optional(),
      },
      async (input) => textOf(JSON.stringify(input)) as never,
      { annotations: { readOnlyHint: true, title: "The input" } },
    ),
    giving("text", textOf("a")),
    giving("texts", { content: [textBlock("a"), textBlock("b")] }),
    giving("image", { content: [textBlock("A pixel:"), { type: "image", data: pixel, mimeType: "image/png" }] }),
    giving("resource", { content: [{ type: "resource", resource: { uri: "a:b", text: "x" } }] }),
    giving("link", { content: [{ type: "resource_link", uri: "a:b", name: "n", description: "d" }] }),
    giving("structured", { content: [textBlock("hidden")], structuredContent: { a: [1] } }),
    giving("error", { content: [textBlock("no"), textBlock("way")], isError: true }),
    giving("silent-error", { content: [], isError: true }),
    giving("empty", { content: [] }),
    giving("meta", { content: [{ ...textBlock("a"), _meta: { b: 1 } }], _meta: { c: 1 } }),
    giving("large", textOf("x".repeat(60_000))),
    giving("object", {}),
    throwing("throw-error", new Error("out of order")),
    throwing("throw-nameless", new TypeError("")),
    throwing("throw-text", "no error at all"),
    throwing("throw-object", { code: 5 }),
    giving("return-text", "a"),
    giving("return-data", { a: 1 }),
    giving("return-nothing", undefined),
    giving("return-null", null),
    giving("return-number", 5),
    giving("bad-block", { content: [{ type: "video" }] }),
    giving("bad-content", { content: "a" }),
    giving("circular", { content: [], structuredContent: circular }),
  ];
}

function textBlock(text: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text };
}

/** What the model asks for: each tool of the file once, and `input` in all the ways that are right and wrong. */
export const parityCalls: readonly (readonly [id: string, tool: string, input: Readonly<Record<string, unknown>>])[] = [
  ["input", "input", { a: 1, d: "four", e: "5", unknown: true }],
  ["input-all", "input", { a: 1, b: "B", c: "x", d: "" }],
  ["input-missing", "input", { d: "four" }],
  ["input-wrong", "input", { a: "one", c: "z", d: 4 }],
  ...[
    [
      "text",
      "texts",
      "image",
      "resource",
      "link",
      "structured",
      "error",
      "silent-error",
      "empty",
      "meta",
      "large",
      "object",
    ],
    ["throw-error", "throw-nameless", "throw-text", "throw-object"],
    ["return-text", "return-data", "return-nothing", "return-null", "return-number"],
    ["bad-block", "bad-content", "circular"],
  ]
    .flat()
    .map((name) => [name, name, {}] as const),
];

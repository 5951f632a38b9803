import { describe, expect, test } from "vitest";
import { textOfThrown, toCallToolResult } from "./handler-result.ts";

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

describe("a result", () => {
  test.each<[string, unknown, string]>([
    ["a text", "hi", "hi"],
    ["an empty text", "", ""],
    ["a number", 5, "5"],
    ["false", false, "false"],
    ["a list", [1], "[1]"],
    ["an object", { a: 1 }, '{"a":1}'],
    ["data with a member called isError", { isError: false, rows: [] }, '{"isError":false,"rows":[]}'],
    ["an object that writes itself", new Date(0), '"1970-01-01T00:00:00.000Z"'],
  ])("is made of %s", (_, value, expected) => {
    expect(toCallToolResult(value)).toEqual({ content: [{ type: "text", text: expected }] });
  });

  test.each<[string, Record<string, unknown>]>([
    ["texts", { content: [{ type: "text", text: "x", annotations: { audience: ["user"] } }], _meta: { a: 1 } }],
    ["nothing", { content: [] }],
    ["an error", { content: [{ type: "text", text: "x" }], isError: true }],
    ["an image", { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] }],
    ["audio", { content: [{ type: "audio", data: "AA==", mimeType: "audio/wav", _meta: { a: [1] } }] }],
    [
      "a resource of text",
      { content: [{ type: "resource", resource: { uri: "a:b", text: "", mimeType: "text/css" } }] },
    ],
    ["a resource of bytes", { content: [{ type: "resource", resource: { uri: "a:b", blob: "" } }] }],
    ["a link", { content: [{ type: "resource_link", uri: "a:b", name: "n", description: "d" }] }],
    ["fields of tomorrow", { content: [{ type: "text", text: "x", later: 1 }], later: { a: null } }],
  ])("that is whole passes as it is: %s", (_, value) => {
    expect(toCallToolResult(value)).toEqual(value);
  });

  test("of nothing but the sign of an error is one", () => {
    expect(toCallToolResult({ isError: true })).toEqual({ content: [], isError: true });
  });

  test("of structured content alone has empty content", () => {
    expect(toCallToolResult({ structuredContent: { a: 1 } })).toEqual({ content: [], structuredContent: { a: 1 } });
  });

  test("stays what it was when the handler goes on with what it returned", () => {
    const block = { type: "text", text: "before" };
    const data = { list: [1] };
    const result = toCallToolResult({ content: [block], structuredContent: data });
    block.text = "after";
    data.list.push(2);
    expect(result).toEqual({ content: [{ type: "text", text: "before" }], structuredContent: { list: [1] } });
  });

  test.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /no result/],
    ["null", null, /no result/],
    ["a BigInt", 1n, /bigint/],
    ["bytes", new Uint8Array(3), /returned bytes. Of an image, make toolResult.image/],
    ["a function", () => {}, /function/],
    ["a cycle", cyclic, /object that cannot/],
    ["content that is no list", { content: "x" }, /content is no list \(return data with toolResult.json\)/],
    ["content that is null", { content: null }, /content is no list/],
    ["a block that is no object", { content: ["x"] }, /block 0 is no object/],
    ["a list with a hole", { content: new Array(1) }, /block 0 is no object/],
    ["a block of an unknown type", { content: [{ type: "video" }] }, /unknown type "video"/],
    ["a text without text", { content: [{ type: "text" }] }, /no string as its text/],
    ["an image that is not base64", { content: [{ type: "image", data: "?", mimeType: "image/png" }] }, /not base64/],
    ["an image without its type", { content: [{ type: "image", data: "AAAA" }] }, /mimeType/],
    ["annotations that are none", { content: [{ type: "text", text: "x", annotations: "user" }] }, /annotations/],
    [
      "an audience that is none",
      { content: [{ type: "text", text: "x", annotations: { audience: ["me"] } }] },
      /audience that is no list of user and assistant/,
    ],
    [
      "a priority out of range",
      { content: [{ type: "text", text: "x", annotations: { priority: 2 } }] },
      /priority that is not from 0 to 1/,
    ],
    [
      "a time that is none",
      { content: [{ type: "text", text: "x", annotations: { lastModified: 5 } }] },
      /no string as its lastModified/,
    ],
    ["a block with a _meta that is none", { content: [{ type: "text", text: "x", _meta: 5 }] }, /_meta that is no/],
    ["a resource without contents", { content: [{ type: "resource", resource: { uri: "a:b" } }] }, /blob/],
    [
      "a resource of bad base64",
      { content: [{ type: "resource", resource: { uri: "a:b", blob: "?" } }] },
      /not base64/,
    ],
    ["no resource", { content: [{ type: "resource", text: "x" }] }, /no resource/],
    ["a link without a name", { content: [{ type: "resource_link", uri: "a:b" }] }, /name/],
    [
      "a link of a wrong kind",
      { content: [{ type: "resource_link", uri: "a:b", name: "n", mimeType: 5 }] },
      /mimeType/,
    ],
    ["a block with a cycle", { content: [{ type: "text", text: "x", _meta: cyclic }] }, /cannot be written/],
    ["a block that writes itself as a text", { content: [{ type: "text", toJSON: () => "x" }] }, /cannot be written/],
    ["structured content with a BigInt", { structuredContent: { n: 1n } }, /cannot be written/],
    ["structured content that is a list", { structuredContent: [1] }, /structuredContent/],
    ["structured content that is a date", { structuredContent: new Date(0) }, /structuredContent/],
    ["_meta with a cycle", { content: [], _meta: cyclic }, /cannot be written/],
    ["_meta that is a text", { content: [], _meta: "x" }, /_meta/],
    ["a field of tomorrow with a BigInt", { content: [], later: 1n }, /cannot be written/],
    ["isError that is no boolean", { content: [], isError: "yes" }, /isError/],
  ])("of %s is an error that says so", (_, value, problem) => {
    expect(toCallToolResult(value)).toEqual({
      isError: true,
      content: [{ type: "text", text: expect.stringMatching(problem) }],
    });
  });

  test("of an error that is returned and not thrown is an error", () => {
    expect(toCallToolResult(new Error("boom"))).toEqual({ isError: true, content: [{ type: "text", text: "boom" }] });
  });
});

test.each<[string, unknown, string]>([
  ["an error", new Error("boom"), "boom"],
  ["an error without a message", new TypeError(), "TypeError"],
  ["an error of another realm", { name: "Error", message: "boom" }, "boom"],
  ["a text", "boom", "boom"],
  ["an empty text", "", "The tool failed without saying why."],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["a symbol", Symbol("boom"), "Symbol(boom)"],
  ["an object", { code: 5 }, '{"code":5}'],
  ["a cycle", cyclic, "[object Object]"],
  [
    "what has no text at all",
    Object.assign(Object.create(null), { self: 1n }),
    "The tool threw something that cannot be put into words.",
  ],
])("what was thrown is put into words: %s", (_, thrown, expected) => {
  expect(textOfThrown(thrown)).toBe(expected);
});

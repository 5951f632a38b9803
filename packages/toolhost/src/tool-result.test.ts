import { describe, expect, test } from "vitest";
import { toCallToolResult } from "./handler-result.ts";
import { toolResult } from "./index.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);

function image(start: string): string {
  return btoa(`${start}${"\0".repeat(12 - start.length)}`);
}

describe("a helper makes a result that passes as it is:", () => {
  test.each([
    [
      "text",
      toolResult.text("a", "b"),
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
    ],
    ["json", toolResult.json({ content: "data" }), { content: [{ type: "text", text: '{"content":"data"}' }] }],
    ["error", toolResult.error("no"), { content: [{ type: "text", text: "no" }], isError: true }],
    ["image", toolResult.image(png), { content: [{ type: "image", data: "iVBORw0KGgoAAAAN", mimeType: "image/png" }] }],
    [
      "image of base64, of another type",
      toolResult.image("AAAA", "image/tiff"),
      { content: [{ type: "image", data: "AAAA", mimeType: "image/tiff" }] },
    ],
    [
      "content",
      toolResult.content(["a", { type: "resource_link", uri: "a:b", name: "n" }, toolResult.image(png)]),
      {
        content: [
          { type: "text", text: "a" },
          { type: "resource_link", uri: "a:b", name: "n" },
          { type: "image", data: "iVBORw0KGgoAAAAN", mimeType: "image/png" },
        ],
      },
    ],
    [
      "content with an error",
      toolResult.content([toolResult.error("no"), "b"]),
      {
        content: [
          { type: "text", text: "no" },
          { type: "text", text: "b" },
        ],
        isError: true,
      },
    ],
  ])("%s", (_, result, expected) => {
    expect(result).toEqual(expected);
    expect(toCallToolResult(result)).toEqual(expected);
  });
});

test.each([
  ["image/jpeg", image("\xFF\xD8\xFF\xE0")],
  ["image/gif", image("GIF89a")],
  ["image/webp", image("RIFF\0\0\0\0WEBP")],
])("an image says that it is %s", (mimeType, data) => {
  expect(toolResult.image(data).content).toEqual([{ type: "image", data, mimeType }]);
});

test("an image of any size is written whole", () => {
  const bytes = Uint8Array.from({ length: 100_003 }, (_, index) => (index * 31) % 256);
  const [block] = toolResult.image(bytes, "image/png").content;
  expect(Uint8Array.from(atob(String(block?.["data"])), (character) => character.charCodeAt(0))).toEqual(bytes);
});

test.each<[string, () => unknown, RegExp]>([
  ["a path is no image", () => toolResult.image("chart.png"), /Give the bytes of the file, not its path/],
  ["bytes of another type are no image by themselves", () => toolResult.image(new Uint8Array(9)), /Say its type/],
  ["nothing is no image", () => toolResult.image(new Uint8Array()), /Say its type/],
  ["a BigInt is no JSON", () => toolResult.json(1n), /bigint cannot be written as JSON/],
  ["nothing is no JSON", () => toolResult.json(undefined), /undefined cannot/],
])("%s", (_, make, message) => {
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
});

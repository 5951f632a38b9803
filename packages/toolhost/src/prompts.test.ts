import { describe, expect, test, vi } from "vitest";
import { createToolServer, type PromptDefinition, ToolDefinitionError } from "./index.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What a server with these prompts answers, without what every answer has. */
async function ask(prompts: readonly PromptDefinition[], method: string, params: Fields = {}): Promise<Fields> {
  const connection = createToolServer({ name: "s", prompts }).connect();
  const { result, error } = (await connection.handle({ jsonrpc: "2.0", id: 0, method, params })) ?? {};
  return JSON.parse(JSON.stringify({ result, error }));
}

function prompt(get: unknown, fields: Partial<PromptDefinition> = {}): PromptDefinition {
  return { name: "p", ...fields, get: get as PromptDefinition["get"] };
}

describe("a server with prompts", () => {
  test("says so, and lists them", async () => {
    const review = prompt(() => "", {
      title: "Review",
      description: "Reviews a file.",
      arguments: [{ name: "path", description: "Which.", required: true }, { name: "style" }],
    });
    expect(await ask([review], "initialize")).toMatchObject({ result: { capabilities: { tools: {}, prompts: {} } } });
    const { get: _, ...listing } = review;
    expect(await ask([review], "prompts/list")).toEqual({ result: { prompts: [listing] } });
  });

  test("gives messages; a text is one of the user", async () => {
    const get = vi.fn(({ path }: { path: string }) => `Review ${path}.`);
    const review = prompt(get, { description: "Reviews.", arguments: [{ name: "path", required: true }] });
    expect(await ask([review], "prompts/get", { name: "p", arguments: { path: "a.ts" } })).toEqual({
      result: {
        description: "Reviews.",
        messages: [{ role: "user", content: { type: "text", text: "Review a.ts." } }],
      },
    });
    expect(get).toHaveBeenCalledExactlyOnceWith({ path: "a.ts" }, expect.objectContaining({ server: "s" }));
    const messages = [{ role: "assistant", content: { type: "text", text: "x" } }];
    expect(await ask([prompt(async () => messages)], "prompts/get", { name: "p" })).toEqual({ result: { messages } });
  });

  test.each<[string, unknown, RegExp]>([
    ["throws", () => Promise.reject(new Error("boom")), /^boom$/],
    ["gives nothing", () => undefined, /gave no messages/],
    ["gives a text as a message", () => ["x"], /0 has content that is no object/],
    ["gives a list with a hole", () => new Array(1), /0 has content that is no object/],
    ["gives a message of nobody", () => [{ content: { type: "text", text: "x" } }], /0 has no role/],
    ["gives a bad block", () => [{ role: "user", content: { type: "video" } }], /unknown type "video"/],
  ])("answers with an error where the prompt %s", async (_, get, message) => {
    expect(await ask([prompt(get)], "prompts/get", { name: "p" })).toEqual({
      error: { code: -32603, message: expect.stringMatching(message) },
    });
  });

  test.each<[string, Fields, RegExp]>([
    ["another prompt", { name: "q" }, /^Prompt q not found$/],
    ["no prompt", {}, /not found$/],
    ["arguments that are no texts", { name: "p", arguments: { path: 5 } }, /are texts/],
    ["a list of arguments", { name: "p", arguments: ["a"] }, /are texts/],
    ["too few arguments", { name: "p", arguments: {} }, /^Prompt p needs path$/],
  ])("refuses a request for %s", async (_, params, message) => {
    const review = prompt(() => "", { arguments: [{ name: "path", required: true }] });
    expect(await ask([review], "prompts/get", params)).toEqual({
      error: { code: -32602, message: expect.stringMatching(message) },
    });
  });
});

test("a server without prompts does not know their methods", async () => {
  for (const method of ["prompts/list", "prompts/get"])
    expect(await ask([], method)).toMatchObject({ error: { code: -32601, message: "Method not found" } });
});

test.each<[string, unknown, RegExp]>([
  ["without a name", { name: "" }, /prompt without a name/],
  ["without a function", { get: "text" }, /no get/],
  ["with a title that is none", { title: 5 }, /title that is no string/],
  ["with an argument without a name", { arguments: [{}] }, /argument without a name/],
  ["with an argument that may be required", { arguments: [{ name: "a", required: 1 }] }, /required of an argument/],
])("a prompt %s is refused", (_, fields, message) => {
  const prompts = [{ ...prompt(() => ""), ...(fields as object) }];
  expect(() => createToolServer({ name: "s", prompts })).toThrow(ToolDefinitionError);
  expect(() => createToolServer({ name: "s", prompts })).toThrow(message);
});

test("two prompts of one name are refused", () => {
  expect(() => createToolServer({ name: "s", prompts: [prompt(() => ""), prompt(() => "")] })).toThrow(/two prompts/);
});

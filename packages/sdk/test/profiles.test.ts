import { type ModelScript, type Sandbox, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  ApiKeyAuthError,
  collect,
  type Options,
  OutputFormatError,
  outputFormat,
  pipe,
  ToolSurfaceMismatchError,
  tool,
} from "../src/index.ts";
import { type RealCli, realCli } from "./real-cli.ts";

async function run(
  script: ModelScript,
  act: (options: Options, sandbox: Sandbox) => Promise<void>,
): Promise<RealCli["model"]["requests"]> {
  await using cli = await realCli(script);
  // The profiles say themselves which tools there are.
  const { tools: _, ...options } = cli.options;
  await act(options, cli.sandbox);
  return cli.model.requests;
}

const add = tool("add", "Adds two numbers.", { a: z.number(), b: z.number() }, ({ a, b }) => String(a + b));

test("the pipe profile has the given tools and no others, and they run unasked", async () => {
  const script: ModelScript = ({ toolResults: [result] }) =>
    result ? text(`It is ${result.text}.`) : toolUse("mcp__tools__add", { a: 2, b: 40 });
  const requests = await run(script, async (options) => {
    const { text: answer, outcome } = await collect({
      prompt: "2 + 40",
      options: { ...options, ...pipe("You are a calculator.", [add]) },
    });
    expect([outcome.kind, answer]).toEqual(["completed", "It is 42."]);
  });
  const [first] = requests;
  // The CLI adds a placeholder that cannot be called, whatever tools there are.
  expect(first?.toolNames.filter((name) => name !== "DeferredToolPlaceholder")).toEqual(["mcp__tools__add"]);
  expect(first?.systemText).toContain("You are a calculator.");
});

test("another set of tools than expected ends the session with what is missing and what is too much", async () => {
  await run(
    () => text("Hello."),
    async (options) => {
      const profile = pipe("You are a calculator.", [add]);
      const collecting = collect({
        prompt: "2 + 40",
        options: { ...options, ...profile, tools: ["Read"], mcpServers: {} },
      });
      await expect(collecting).rejects.toBeInstanceOf(ToolSurfaceMismatchError);
      await expect(collecting).rejects.toMatchObject({ missing: ["mcp__tools__add"], extra: ["Read"] });
    },
  );
});

test("an API key where a subscription is required ends the session, and the error names its source", async () => {
  await run(
    () => text("Hello."),
    async (options) => {
      const collecting = collect({ prompt: "Hello", options: { ...options, tools: [], requireSubscription: true } });
      await expect(collecting).rejects.toBeInstanceOf(ApiKeyAuthError);
      await expect(collecting).rejects.toMatchObject({ apiKeySource: "ANTHROPIC_API_KEY" });
    },
  );
});

test("structured output has the type of its schema, with defaults and transforms", async () => {
  const format = outputFormat(z.object({ total: z.number(), currency: z.string().default("EUR") }));
  const script: ModelScript = ({ toolNames, toolResults }) =>
    toolResults.length > 0 ? text("Done.") : toolUse(toolNames.at(-1) ?? "", { total: 12 });
  await run(script, async (options) => {
    const { structuredOutput } = await collect({
      prompt: "Add the invoices.",
      options: { ...options, tools: [], outputFormat: format },
    });
    const output: { total: number; currency: string } = await format.read(structuredOutput);
    expect(output).toEqual({ total: 12, currency: "EUR" });
  });
});

test("structured output that is missing, or does not fit, is an error that says where", async () => {
  const format = outputFormat(z.object({ total: z.number().max(5) }));
  await expect(format.read(undefined)).rejects.toBeInstanceOf(OutputFormatError);
  await expect(format.read({ total: 9 })).rejects.toThrow(/total: /);
});

test("a schema that cannot tell its JSON Schema needs one", async () => {
  const schema = { "~standard": { version: 1, vendor: "own", validate: (value: unknown) => ({ value }) } } as const;
  expect(() => outputFormat(schema)).toThrow("A schema of own cannot tell its JSON Schema");
  expect(outputFormat(schema, { type: "object" }).schema).toEqual({ type: "object" });
});

test("an empty prompt has no result to collect", async () => {
  await run(
    () => text("Hello."),
    async (options) => {
      const nothing: AsyncIterable<never> = { async *[Symbol.asyncIterator]() {} };
      await expect(collect({ prompt: nothing, options: { ...options, tools: [] } })).rejects.toThrow(
        "the prompt was empty",
      );
    },
  );
});

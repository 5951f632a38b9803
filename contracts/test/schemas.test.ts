import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { controlFrameSchema, messageSchema } from "@reins/messages/schemas";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Capture, goldenFolder, readCaptures } from "../tools/capture-files.ts";
import { schemaFolder, staleSchemaFiles } from "../tools/schema-files.ts";

type Wire = Readonly<Record<string, unknown>>;

// Once: a compiled definition serves all tests.
const schemaOf = await compile();
const captures = await readCaptures(goldenFolder);

async function compile(): Promise<(reference: string) => ValidateFunction> {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const file of await readdir(schemaFolder)) {
    ajv.addSchema(JSON.parse(await readFile(join(schemaFolder, file), "utf8")));
  }
  return (reference) => {
    const validate = ajv.getSchema(reference);
    if (validate === undefined) throw new Error(`There is no ${reference}.`);
    return validate;
  };
}

function problemsOf(reference: string, value: unknown): string[] {
  const validate = schemaOf(reference);
  return validate(value) ? [] : [`${reference}: ${JSON.stringify(validate.errors)}`];
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Wire)[name] : undefined;
}

function isControl(frame: Wire): boolean {
  return /^(control_.*|keep_alive|transcript_mirror)$/.test(String(frame["type"]));
}

/** The frames that the CLI wrote, or the host. Lines that are none are left out. */
function framesOf(capture: Capture, dir: "in" | "out"): Wire[] {
  return capture.lines
    .filter((line) => line.dir === dir && line.text.startsWith("{"))
    .map(({ text }) => JSON.parse(text));
}

/** The paths of all members of a value, its own first. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [[...path, name], ...pathsOf(part, [...path, name])]);
}

test("the committed files are what the zod schemas say", async () => {
  expect(await staleSchemaFiles(schemaFolder)).toEqual([]);
});

test("each file and each definition compiles, strictly", async () => {
  for (const file of await readdir(schemaFolder)) {
    schemaOf(file);
    const { $defs } = JSON.parse(await readFile(join(schemaFolder, file), "utf8")) as { readonly $defs: Wire };
    expect(Object.keys($defs).length).toBeGreaterThan(0);
    for (const name of Object.keys($defs)) schemaOf(`${file}#/$defs/${name}`);
  }
});

describe("what the CLI wrote is valid", () => {
  test("frames", () => {
    expect(captures.length).toBeGreaterThan(100);
    for (const frame of captures.flatMap((capture) => framesOf(capture, "in"))) {
      expect(problemsOf(isControl(frame) ? "control-frames.schema.json" : "messages.schema.json", frame)).toEqual([]);
    }
  });

  test("its requests, and what its hooks are told", () => {
    const requests = captures
      .flatMap((capture) => framesOf(capture, "in"))
      .filter(({ type }) => type === "control_request");
    expect(requests.length).toBeGreaterThan(100);
    for (const request of requests) {
      expect(problemsOf("control-frames.schema.json#/$defs/InboundControlRequest", request)).toEqual([]);
    }
  });

  test("its responses, by the subtype of the request", () => {
    const answered = new Set<string>();
    for (const capture of captures) {
      const asked = new Map(
        framesOf(capture, "out").map((frame) => [frame["request_id"], member(frame["request"], "subtype")]),
      );
      for (const { response } of framesOf(capture, "in")) {
        const subtype = asked.get(member(response, "request_id"));
        if (typeof subtype !== "string" || member(response, "subtype") !== "success") continue;
        answered.add(subtype);
        const table = { [subtype]: member(response, "response") ?? {} };
        expect(problemsOf("control-responses.schema.json#/$defs/OutboundResponses", table)).toEqual([]);
      }
    }
    expect(answered.size).toBeGreaterThan(30);
  });

  test("the outputs of its tools, by the name of the tool", () => {
    const used = new Set<string>();
    for (const capture of captures) {
      const names = new Map<unknown, string>();
      for (const { type, message, tool_use_result: output } of framesOf(capture, "in")) {
        const content = member(message, "content");
        if (!Array.isArray(content)) continue;
        for (const block of content) {
          if (block.type === "tool_use") names.set(block.id, block.name === "Task" ? "Agent" : block.name);
          const name = names.get(block.tool_use_id);
          // A failure is told in a text.
          if (type !== "user" || name === undefined || typeof output !== "object") continue;
          used.add(name);
          if (name.startsWith("mcp__"))
            expect(problemsOf("tool-outputs.schema.json#/$defs/McpToolOutput", output)).toEqual([]);
          else expect(problemsOf("tool-outputs.schema.json", { [name]: output })).toEqual([]);
        }
      }
    }
    expect(used.size).toBeGreaterThan(10);
  });
});

test("JSON Schema and zod refuse the same frames", () => {
  const frames = captures.flatMap((capture) => framesOf(capture, "in"));
  const assistant = frames.find(({ type }) => type === "assistant");
  const init = frames.find(({ subtype }) => subtype === "init");
  const withBlock = (block: Wire): Wire => ({
    ...assistant,
    message: { ...(assistant?.["message"] as Wire), content: [block] },
  });
  const verdicts: [Wire, boolean][] = [
    [{ ...assistant, a_field_of_tomorrow: 1 }, true],
    [{ ...assistant, type: "a_type_of_tomorrow" }, true],
    [{ ...init, subtype: "a_subtype_of_tomorrow" }, true],
    [{ ...init, permissionMode: "a mode of tomorrow" }, true],
    [withBlock({ type: "a_block_of_tomorrow" }), true],
    [withBlock({ type: "text" }), false],
    [{ ...assistant, message: null }, false],
    [{ ...assistant, parent_tool_use_id: 1 }, false],
    [{ ...assistant, type: 1 }, false],
    [{ ...init, tools: null }, false],
    [{ ...init, subtype: null }, false],
    [{}, false],
  ];
  for (const [frame, verdict] of verdicts) {
    expect(schemaOf("messages.schema.json")(frame), JSON.stringify(frame)).toBe(verdict);
    expect(messageSchema.safeParse(frame).success, JSON.stringify(frame)).toBe(verdict);
  }
});

test("JSON Schema and zod agree on frames with one value changed", () => {
  const frames = captures.flatMap((capture) => framesOf(capture, "in"));
  const index = fc.nat().map((number) => (length: number) => number % length);
  const values = fc.constantFrom<unknown>(null, true, 1, "text", [], {}, [null], { type: "text" }, undefined);
  fc.assert(
    fc.property(index, index, values, (whichFrame, whichPath, value) => {
      const frame = structuredClone(frames[whichFrame(frames.length)]!);
      const paths = pathsOf(frame);
      const path = paths[whichPath(paths.length)]!;
      const parent = path.slice(0, -1).reduce<unknown>(member, frame) as Record<string, unknown>;
      parent[path.at(-1)!] = value;
      const sent: Wire = JSON.parse(JSON.stringify(frame));
      const [file, schema] = isControl(sent)
        ? (["control-frames.schema.json", controlFrameSchema] as const)
        : (["messages.schema.json", messageSchema] as const);
      expect(schemaOf(file)(sent)).toBe(schema.safeParse(sent).success);
    }),
    { numRuns: 500 },
  );
});

test("the files tell nothing of the machine that made them", async () => {
  for (const file of await readdir(schemaFolder)) {
    expect(await readFile(join(schemaFolder, file), "utf8")).not.toMatch(
      /\/(home|Users|root|work|tmp)\b|__shared|schema\d/,
    );
  }
});

import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type * as z from "zod";
import { isKnownMessage, parseMessage } from "../src/index.ts";
import * as schemas from "../src/schemas/index.ts";

const source = join(import.meta.dirname, "..", "src");
const fixtures = join(import.meta.dirname, "fixtures");

type Wire = Readonly<Record<string, unknown>>;

/** A kind of frame that CLI 2.1.328 declares or writes. */
interface Kind {
  readonly type: string;
  readonly subtype?: string;
  readonly variant?: string;
  /** `engine-only`: declared, and never written to a pipe. */
  readonly status: "public" | "internal" | "engine-only";
  readonly captured: boolean;
}

async function frames(): Promise<Wire[]> {
  const texts = await Promise.all((await readdir(fixtures)).map((name) => readFile(join(fixtures, name), "utf8")));
  return texts.flatMap((text) => text.split("\n").filter((line) => line !== "")).map((line) => JSON.parse(line));
}

async function kinds(): Promise<Kind[]> {
  return JSON.parse(await readFile(join(import.meta.dirname, "message-kinds.json"), "utf8"));
}

test("what the CLI wrote is valid, and comes out whole", async () => {
  const all = await frames();
  expect(all.length).toBeGreaterThan(200);
  for (const frame of all) {
    const schema: z.ZodType | undefined = schemas.schemaFor(frame);
    const { data, error } = schema?.safeParse(frame) ?? {};
    expect(error?.issues, JSON.stringify(frame)).toBeUndefined();
    expect(data).toEqual(frame);
    if (parseMessage(frame).kind === "message") expect(schemas.messageSchema.parse(frame)).toEqual(frame);
  }
});

test("every kind of frame that the CLI declares has a type and a schema", async () => {
  for (const { type, subtype } of await kinds()) {
    const frame = subtype === undefined ? { type } : { type, subtype };
    expect(schemas.schemaFor(frame), JSON.stringify(frame)).toBeDefined();
    if (Object.hasOwn(schemas.controlFrameSchemas, type)) expect(isKnownMessage(frame)).toBe(false);
    else expect(isKnownMessage(frame), JSON.stringify(frame)).toBe(true);
  }
});

test("no schema is for a kind that nobody has seen declared", async () => {
  const declared = new Set((await kinds()).map(({ type, subtype }) => (type === "system" ? subtype : type)));
  const tables = [
    schemas.messageSchemas,
    schemas.controlFrameSchemas,
    schemas.systemMessageSchemas,
    schemas.hostedSystemMessageSchemas,
    schemas.engineSystemMessageSchemas,
  ];
  const surplus = tables.flatMap((table) => Object.keys(table)).filter((kind) => !declared.has(kind));
  expect(surplus.sort()).toEqual([
    // The control protocol is listed elsewhere, and all system messages have one type.
    "control_cancel_request",
    "control_request",
    "control_response",
    "system",
    // Subtypes that only the CLI's own hosts declare.
    "tool_host_result",
    "ui_panes",
  ]);
});

test("every type of the package has a schema, but for those that are no shape of their own", async () => {
  const index = await readFile(join(source, "index.ts"), "utf8");
  // Exports of types alone: what stands beside a function is the function's own.
  const types = [...index.matchAll(/export type \{([^}]*)\}/g)].flatMap(([, names = ""]) => names.match(/\w+/g) ?? []);
  expect(types.length).toBeGreaterThan(400);
  const names = new Set(Object.keys(schemas));
  const without = types.filter((type) => !names.has(`${type.charAt(0).toLowerCase()}${type.slice(1)}Schema`));
  expect(without.sort()).toEqual(
    [
      // What other types extend.
      [
        "HookInputBase",
        "HookRun",
        "MessageBase",
        "McpRemoteServerConfig",
        "ModelSwitchHookInputBase",
        "PendingRequests",
      ],
      ["PromptStamps", "ResultBase", "ResultTimings", "SandboxCredentialRule", "StopHookInputBase", "SubagentStamps"],
      ["SystemBase", "TaskHookInputBase", "ToolHookInputBase", "UserMessageInternals"],
      // Tables, whose schemas are tables too, and what is derived from them.
      [
        "HookInputs",
        "HookSpecificOutputs",
        "InboundRequests",
        "McpRequests",
        "OpaqueInboundRequests",
        "OpaqueRequests",
      ],
      ["OutboundRequests", "QueryRequests", "SettingsRequests", "ToolInputs", "ToolOutputs", "TurnRequests"],
      ["OpaqueInboundSubtype", "OpaqueSubtype", "OutboundFields", "OutboundResponse", "OutboundSubtype", "ToolName"],
      // Generic: part of the schemas by event.
      ["ContextOutput", "ElicitationHookSpecificOutput", "WatchPathsOutput"],
      // What is unknown depends on what is known, so it is part of the unions.
      ["OpenString", "UnknownBlock", "UnknownDelta", "UnknownOrigin", "UnknownStreamEvent", "UnknownValue"],
    ]
      .flat()
      .sort(),
  );
});

test("the root entry reaches neither zod nor the schemas", async () => {
  const seen = new Map<string, string[]>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    const imports = (await readFile(file, "utf8")).matchAll(/^(?:import|export) (?!type\b)[^;]*?from "([^"]+)";$/gm);
    const specifiers = [...imports].map(([, specifier = ""]) => specifier);
    seen.set(file, specifiers);
    for (const specifier of specifiers) if (specifier.startsWith(".")) await visit(join(dirname(file), specifier));
  };
  await visit(join(source, "index.ts"));
  expect(seen.size).toBeGreaterThan(10);
  expect([...seen.keys()].filter((file) => file.startsWith(join(source, "schemas")))).toEqual([]);
  const packages = [...seen.values()].flat().filter((specifier) => !specifier.startsWith("."));
  expect([...new Set(packages)]).toEqual(["@reins/streamjson"]);
});

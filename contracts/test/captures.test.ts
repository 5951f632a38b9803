import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { hookEvents, parseMessage } from "@reins/messages";
import { schemaFor } from "@reins/messages/schemas";
import { decodeFrame, encodeFrame, type FrameValue } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { type Capture, goldenFolder, goldenVersion, parseCapture, readCaptures } from "../tools/capture-files.ts";
import { capturesReadme, toRows } from "../tools/captures-readme.ts";
import { baseArgv } from "../tools/scenario.ts";
import { scenarios } from "../tools/scenarios/index.ts";
import { capturedKinds } from "./captures-kinds.ts";

const captures = await readCaptures(goldenFolder);
const named = captures.map((capture) => [capture.name, capture] as const);

/** Kinds that the types do not name, by `type/subtype`, each with the reason. */
const unknownKinds: Readonly<Record<string, string>> = {};

/** Hooks that never reach a host here, with the reason. */
const hooksOutOfReach: Readonly<Record<string, string>> = {
  Setup: "it runs before the CLI knows of the host's hooks",
  TeammateIdle: "it needs a team of agents, which has no switch for a host",
};

function linesOf(capture: Capture, dir: "in" | "out"): string[] {
  return capture.lines.filter((line) => line.dir === dir).map(({ text }) => text);
}

function framesOf(capture: Capture): FrameValue[] {
  return linesOf(capture, "in").map((text) => decodeFrame(text).value);
}

function kindOf(frame: FrameValue): string {
  if (frame.type === "user") return frame["isReplay"] === true ? "user/replay" : "user";
  return frame.type === "system" || frame.type === "result" ? `${frame.type}/${frame.subtype}` : String(frame.type);
}

describe.each(named)("the capture %s", (_, capture) => {
  test("holds only frames of the CLI that have a type", () => {
    for (const frame of framesOf(capture)) {
      const { kind } = parseMessage(frame);

      expect(kind !== "unknown" || kindOf(frame) in unknownKinds, kindOf(frame)).toBe(true);
    }
  });

  test("keeps its bytes when it is decoded and encoded", () => {
    for (const text of linesOf(capture, "in")) {
      const frame = decodeFrame(text);

      expect(encodeFrame(frame)).toBe(`${text}\n`);
      expect(encodeFrame(frame.value)).toBe(`${text}\n`);
    }
  });

  test("fits the schemas", () => {
    for (const frame of framesOf(capture)) {
      const problems = schemaFor(frame)?.safeParse(frame).error?.issues ?? [];

      expect(problems, kindOf(frame)).toEqual([]);
    }
  });

  test("holds nothing of the machine and the moment that it was made on", () => {
    for (const { text } of capture.lines) {
      const made = text.matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g);
      for (const [uuid] of made) expect(uuid).toMatch(/^00000000-0000-4000-8000-\d{12}$/);
      expect(text).not.toMatch(/reins-sandbox|\/node_modules\/|127\.0\.0\.1:\d\d/);
      for (const [time] of text.matchAll(/\d{4}-\d\d-\d\dT\d\d:\d\d[^"]*/g))
        expect(time).toBe("2026-01-01T00:00:00.000Z");
    }
  });
});

describe("the golden captures", () => {
  test.each(capturedKinds)("have a frame of the kind %s", (kind) => {
    const found = captures.some((capture) => framesOf(capture).some((frame) => kindOf(frame) === kind));

    expect(found).toBe(true);
  });

  test.each(["can_use_tool", "hook_callback", "mcp_message", "elicitation"])(
    "have a request %s of the CLI",
    (subtype) => {
      const requests = captures.flatMap(framesOf).filter(({ type }) => type === "control_request");

      expect(requests.some(({ request }) => Object(request).subtype === subtype)).toBe(true);
    },
  );

  test.each(hookEvents.filter((event) => !(event in hooksOutOfReach)))("have a call of the hook %s", (event) => {
    const inputs = captures.flatMap(framesOf).map(({ request }) => Object(Object(request).input));

    expect(inputs.some(({ hook_event_name }) => hook_event_name === event)).toBe(true);
  });

  test("are those of the scenarios, each with its index entry and its file", async () => {
    const files = (await readdir(goldenFolder)).filter((file) => file.endsWith(".ndjson"));

    expect(files.sort()).toEqual(captures.map(({ name }) => `${name}.ndjson`).sort());
    expect(new Set(files)).toEqual(new Set(scenarios.map(({ name }) => `${name}.ndjson`)));
    for (const { name, shows, argv = [], baseArgv: base = baseArgv } of scenarios) {
      const facts = captures.find((capture) => capture.name === name)?.facts;
      expect(facts, name).toMatchObject({ shows, argv: [...base, ...argv] });
    }
  });

  test("were made by the CLI whose version names their folder", () => {
    const versions = captures.flatMap(framesOf).flatMap((frame) => frame["claude_code_version"] ?? []);

    expect(new Set(versions)).toEqual(new Set([goldenVersion]));
  });

  test("stay small", async () => {
    const files = await readdir(goldenFolder);
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(goldenFolder, file))).size));

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(3_000_000);
  });

  test("are listed in the README, with what they show", async () => {
    const readme = await readFile(capturesReadme, "utf8");

    expect(readme).toContain(`\n| --- | --- |\n${toRows(captures).join("\n")}\n\n`);
  });
});

describe("parseCapture", () => {
  test("refuses a line of another form", () => {
    expect(() => parseCapture('{"dir":"up","frame":{}}\n')).toThrow("no line of a capture");
  });
});

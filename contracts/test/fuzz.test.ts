import { ControlClient, type Diagnostic } from "@reins/control";
import { type Message, MessageParseError, parseMessage, UsageMeter } from "@reins/messages";
import { messageSchema, schemaFor } from "@reins/messages/schemas";
import { FrameDecoder, type FrameValue } from "@reins/streamjson";
import { transportPair } from "@reins/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { goldenFolder, readCaptures } from "../tools/capture-files.ts";
import { anyMutation, fuzz, fuzzTimeoutMs } from "./fuzz-draw.ts";
import { mutate } from "./fuzz-mutations.ts";
import { type Seed, seeds } from "./fuzz-seeds.ts";

const captures = await readCaptures(goldenFolder);
/** The lines of the CLI in each capture. */
const linesOf = new Map(
  captures.map(({ name, lines }) => [name, lines.flatMap(({ dir, text }) => (dir === "in" ? [text] : []))]),
);

const anySeed: fc.Arbitrary<Seed> = fc.record({
  capture: fc.constantFrom(...linesOf.keys()),
  line: fc.nat({ max: 200 }),
  mutation: anyMutation,
});
const examples = seeds.map((seed): [Seed] => [seed]);

/** The lines of the CLI as bytes, the changed one among them, each with its newline. */
function streamOf({ capture, line, mutation }: Seed): Uint8Array {
  const lines = linesOf.get(capture) ?? [];
  const parts = lines.map((text, index) =>
    index === line % lines.length ? mutate(text, mutation) : new TextEncoder().encode(text),
  );
  return Buffer.concat(parts.flatMap((part) => [part, Buffer.from("\n")]));
}

function changedLine({ capture, line, mutation }: Seed): Uint8Array {
  const lines = linesOf.get(capture) ?? [];
  return mutate(lines[line % lines.length]!, mutation);
}

/** What a reader has to see of a stream: the value of each line, `undefined` for one that is no object. Blank lines are nothing. */
function expectedOf(stream: Uint8Array): (FrameValue | undefined)[] {
  const lines = new TextDecoder().decode(stream).split("\n");
  return lines.filter((line) => line.trim() !== "").map(objectOn);
}

function objectOn(line: string): FrameValue | undefined {
  try {
    const value: unknown = JSON.parse(line);
    // A frame promises no more than this.
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as FrameValue) : undefined;
  } catch {
    return undefined;
  }
}

describe("a changed line of a capture", { timeout: fuzzTimeoutMs }, () => {
  test("is a message, or an error that says what is wrong with it", () => {
    const property = fc.property(anySeed, (seed) => {
      // A changed byte may be a line break.
      for (const value of expectedOf(changedLine(seed))) {
        if (value === undefined) continue;
        try {
          const parsed = parseMessage(value);
          expect(parsed.kind === "control" ? parsed.frame : parsed.message).toBe(value);
        } catch (error) {
          expect(error).toBeInstanceOf(MessageParseError);
        }
        // None of them throws.
        new UsageMeter().observe(value as unknown as Message);
        schemaFor(value)?.safeParse(value);
        messageSchema.safeParse(value);
      }
    });

    fc.assert(property, { ...fuzz(1_500), examples });
  });

  test("is one frame, with a value or an error, however it is cut into chunks", () => {
    const property = fc.property(anySeed, fc.nat({ max: 10_000 }), (seed, size) => {
      const stream = streamOf(seed);
      const decoder = new FrameDecoder({ onMalformed: "deliver" });
      const chunks = Math.ceil(stream.length / (size + 1));
      const pieces = Array.from({ length: chunks }, (_, at) => stream.slice(at * (size + 1), (at + 1) * (size + 1)));

      const frames = [...pieces.flatMap((piece) => [...decoder.push(piece)]), ...decoder.end()];

      const values = frames
        .filter(({ text }) => text.trim() !== "")
        .map((frame) => (frame.error ? undefined : frame.value));
      expect(values).toEqual(expectedOf(stream));
    });

    fc.assert(property, { ...fuzz(150), examples: seeds.map((seed): [Seed, number] => [seed, 63]) });
  });

  test("reaches the reader of a ControlClient, or its diagnostics, and nothing behind it is lost", async () => {
    const property = fc.asyncProperty(anySeed, async (seed) => {
      const stream = streamOf(seed);
      const expected = expectedOf(stream);
      const diagnostics: Diagnostic[] = [];
      const { host, cli } = transportPair({ bufferBytes: stream.length + 1 });
      await using client = new ControlClient(host, { onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic) });

      await cli.write(stream);
      // A request that is never answered would keep it waiting.
      await readAnswers(cli, owedAnswers(expected));
      cli.exit();
      const messages: FrameValue[] = [];
      try {
        for await (const frame of client.messages) messages.push(frame.value);
      } catch (error) {
        // The recorded conversation may end without a result.
        expect(error).toBeInstanceOf(Error);
      }

      expect(messages).toEqual(expected.filter((value) => value !== undefined && isForReader(value)));
      expect(countOf(diagnostics, "malformed-frame")).toBe(expected.filter((value) => value === undefined).length);
      const [responses, requests] = ["control_response", "control_request"].map((type) =>
        expected.filter((value) => value?.type === type),
      );
      expect(countOf(diagnostics, "unmatched-response")).toBe(responses?.length);
      expect(countOf(diagnostics, "unanswerable-request")).toBe(
        requests?.filter((value) => !isAnswerable(value)).length,
      );
    });

    await fc.assert(property, { ...fuzz(150), examples });
  });
});

/** Ids of the requests that the host has to answer: good ones that are not withdrawn. */
function owedAnswers(values: readonly (FrameValue | undefined)[]): Set<unknown> {
  const owed = new Set<unknown>();
  for (const value of values) {
    if (value?.type === "control_request" && isAnswerable(value)) owed.add(value["request_id"]);
    if (value?.type === "control_cancel_request") owed.delete(value["request_id"]);
  }
  return owed;
}

/** Reads what the host sends until all of these are answered. */
async function readAnswers(cli: ReturnType<typeof transportPair>["cli"], owed: Set<unknown>): Promise<void> {
  while (owed.size > 0) {
    const frame = await cli.read();
    if (frame === undefined) throw new Error(`The host is gone, and owes answers to ${[...owed].join(", ")}.`);
    if (frame.type === "control_response") owed.delete(Object(frame.value["response"]).request_id);
  }
}

function isForReader(value: FrameValue): boolean {
  const control = ["control_request", "control_response", "control_cancel_request", "keep_alive"];
  return !control.includes(value.type as string) && value["sdk_host_only"] !== true;
}

function isAnswerable(value: FrameValue | undefined): boolean {
  const request = value?.["request"];
  const isObject = typeof request === "object" && request !== null && !Array.isArray(request);
  return typeof value?.["request_id"] === "string" && isObject;
}

function countOf(diagnostics: readonly Diagnostic[], kind: Diagnostic["kind"]): number {
  return diagnostics.filter((diagnostic) => diagnostic.kind === kind).length;
}

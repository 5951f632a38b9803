// Small inputs that broke published decoders. Each case is a JSON file that names its input, how to feed it, and what must come out.
import { readFileSync } from "node:fs";
import { type Frame, FrameDecoder } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { pieces } from "./pieces.ts";

const folder = new URL("fixtures/", import.meta.url);

function readCase(name: string): { readonly input: Uint8Array; readonly expected: Record<string, unknown> } {
  const { given, expect: expected } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));
  return { input: readFileSync(new URL(given.input, folder)), expected };
}

/** All frames, each of them good: the decoder throws at a bad line. */
function decode(chunks: readonly Uint8Array[]): Frame[] {
  const decoder = new FrameDecoder();
  const frames = chunks.flatMap((chunk) => [...decoder.push(chunk)]);
  return [...frames, ...decoder.end()];
}

function textOfBlock(frame: Frame | undefined): string {
  // The inputs hold one text block per message.
  const message = frame?.value["message"] as { content: [{ text: string }] };
  return message.content[0].text;
}

describe("framing-blank-padding-and-tail", () => {
  const { input, expected } = readCase("framing-blank-padding-and-tail");

  test.each([input.length, 1])("gives its frames in pieces of %i bytes", (size) => {
    const frames = decode(pieces(input, size));
    expect(frames).toHaveLength(Number(expected["frames"]));
    expect(frames.map((frame) => frame.type)).toEqual(expected["types"]);
    expect(frames.map((frame) => frame.value.type)).toEqual(expected["types"]);
  });
});

describe("framing-line-separators", () => {
  const { input, expected } = readCase("framing-line-separators");

  test.each([input.length, 1, 7])("ends lines at LF only in pieces of %i bytes", (size) => {
    const frames = decode(pieces(input, size));
    expect(frames).toHaveLength(Number(expected["frames"]));
    expect(frames.map((frame) => frame.type)).toEqual(expected["types"]);
    const codePoints = [...textOfBlock(frames[1])].map((character) => character.codePointAt(0));
    expect(codePoints).toEqual(expected["text_of_frame_2_code_points"]);
  });
});

describe("framing-split-characters", () => {
  const { input, expected } = readCase("framing-split-characters");

  test("keeps each character wherever one cut is", () => {
    for (let at = 0; at <= input.length; at++) {
      const frames = decode([input.subarray(0, at), input.subarray(at)]);
      expect(frames).toHaveLength(Number(expected["frames"]));
      expect(textOfBlock(frames[1])).toBe(expected["text_of_frame_2"]);
    }
  });

  test("keeps each character byte by byte", () => {
    const frames = decode(pieces(input, 1));
    expect(frames).toHaveLength(Number(expected["frames"]));
    expect(textOfBlock(frames[1])).toBe(expected["text_of_frame_2"]);
    expect(frames.filter((frame) => frame.text.includes("\uFFFD"))).toHaveLength(
      Number(expected["replacement_characters"]),
    );
  });
});

describe("framing-unknown-kinds", () => {
  const { input, expected } = readCase("framing-unknown-kinds");

  test("delivers what it does not know, in order and with every field", () => {
    const frames = decode([input]);
    expect(frames).toHaveLength(Number(expected["frames"]));
    expect(frames.map((frame) => frame.text).join("\n")).toBe(new TextDecoder().decode(input).trimEnd());
    const kept = (path: string): boolean =>
      frames.some((frame) => path.split(".").reduce<unknown>(memberOf, frame.value) !== undefined);
    const fields = expected["unknown_fields_kept"] as readonly string[];
    expect(fields.filter(kept)).toEqual(fields);
  });
});

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

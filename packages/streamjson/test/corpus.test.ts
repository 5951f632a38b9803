// Hostile inputs, one file each in corpus/. What must come out of them is in corpus/expected.json: a text for each line that is not
// blank, `LINE @BYTE OUTCOME`, where the outcome is the value as JSON, or what is wrong. An input with a limit names it first.
import { readdirSync, readFileSync } from "node:fs";
import { encodeFrame, type Frame, FrameDecoder, frameType } from "@reins/streamjson";
import { expect, test } from "vitest";
import { pieces } from "./pieces.ts";

const folder = new URL("corpus/", import.meta.url);
const expected: Record<string, readonly string[]> = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"));
const names = readdirSync(folder).flatMap((file) => (file.endsWith(".bin") ? [file.slice(0, -4)] : []));

/** A longer value is told by its size: the deepest are beyond what JSON.stringify can write. */
const longestShown = 300;

test("each input has its outcome, and each outcome its input", () => {
  expect(Object.keys(expected).sort()).toEqual(names.sort());
});

for (const name of names) {
  const input = new Uint8Array(readFileSync(new URL(`${name}.bin`, folder)));
  const [limit, outcomes] = splitLimit(expected[name] ?? []);

  test(`${name}: gives what is expected, whole, in bytes and in pieces of seven`, () => {
    for (const size of [Math.max(input.length, 1), 1, 7]) {
      const frames = decode(pieces(input, size), limit);
      expect(frames.map(outcomeOf)).toEqual(outcomes);
    }
  });

  test(`${name}: keeps every byte, and the types and the encoder agree with the parser`, () => {
    for (const frame of decode([input], limit)) {
      const end = frame.byteOffset + frame.bytes.length;
      expect(frame.bytes).toEqual(input.subarray(frame.byteOffset, end));
      if (frame.error !== undefined) {
        expect(() => encodeFrame(frame)).toThrow();
        continue;
      }
      expect([0x0a, undefined]).toContain(input[end]);
      const { type } = frame.value;
      expect(frameType(frame.bytes)).toBe(typeof type === "string" ? type : undefined);
      const [again, ...rest] = new FrameDecoder().push(encodeFrame(frame));
      expect(rest).toEqual([]);
      if (frame.length <= longestShown) expect(again?.value).toEqual(frame.value);
      else expect(again?.text).toBe(frame.text.trim());
    }
  });
}

function decode(chunks: readonly Uint8Array[], maxLineBytes: number): Frame[] {
  const decoder = new FrameDecoder({ onMalformed: "deliver", maxLineBytes });
  const frames = chunks.flatMap((chunk) => [...decoder.push(chunk)]);
  return [...frames, ...decoder.end()];
}

function outcomeOf(frame: Frame): string {
  return `${frame.lineNumber} @${frame.byteOffset} ${describe(frame)}`;
}

function describe(frame: Frame): string {
  const { error } = frame;
  if (error?.code === "REINS_FRAME_TOO_LARGE") return "too large";
  if (error !== undefined) return error.truncated ? "malformed, cut off" : "malformed";
  return frame.length > longestShown ? `an object of ${frame.bytes.length} bytes` : JSON.stringify(frame.value);
}

function splitLimit(lines: readonly string[]): [number, readonly string[]] {
  const [first, ...rest] = lines;
  const limit = /^limit (\d+)$/.exec(first ?? "")?.[1];
  return limit === undefined ? [Number.POSITIVE_INFINITY, lines] : [Number(limit), rest];
}

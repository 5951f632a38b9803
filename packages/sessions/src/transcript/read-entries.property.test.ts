import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { parseEntry } from "./fields.ts";
import { readEntries } from "./read-entries.ts";

/** What reading should give, in the plainest way: split the bytes, decode each line, parse it. */
function plainly(file: Buffer): unknown[] {
  const seen: unknown[] = [];
  const start = file.subarray(0, 3).toString("hex") === "efbbbf" ? 3 : 0;
  for (let from = start; from < file.length; ) {
    const newline = file.indexOf(0x0a, from);
    const end = newline === -1 ? file.length : newline;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.subarray(from, end));
    const isBulk = /^\{"type":"(?:api-request|file-history|attribution-snapshot|cost-state|last-prompt)/.test(text);
    if (!/^[ \t\r]*$/.test(text) && !isBulk) seen.push(parseEntry(text) ?? { problemAt: from });
    from = end + 1;
  }
  return seen;
}

async function read(path: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  const isThere = await readEntries(
    path,
    (problem) => seen.push({ problemAt: "byteOffset" in problem && problem.byteOffset }),
    (entry) => seen.push(entry),
  );
  expect(isThere).toBe(true);
  return seen;
}

const hostile = [
  '{"type":"user","uuid":"a","uuid":"b","type":"assistant"}',
  '{"\\u0074ype":"user","uu\\u0069d":"a","__proto__":{"type":"x"}}',
  '{"type":"user","toolUseResult":{"toolUseResult":"\\"toolUseResult\\":{"},"uuid":"\\\\"}',
  '{"type":"user","text":"\\"},{\\"type\\":\\"user\\"","n":1e999,"m":-0,"k":0.1e-7}',
  '{"type":"user","text":"\u2028\u2029\u0085 ö 😀 \ufeff"}',
  '{"type":"user","text":"\\ud83d","other":"\\ude00"}',
  '\ufeff{"type":"user"}',
  '{"type":"api-request","type":"user"}',
  '{ "type":"api-request"}',
  '{"type":"cost-state"',
  `{"type":"user","deep":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
  '{"type":"user"}{"type":"user"}',
  ' \t{"type":"user"} \r',
  '{"type":"user","text":"a\rb"}',
  "[1]",
  "null",
  '"type"',
  "",
  "\r",
  " \t",
].map((line) => Buffer.from(line));
const entries = fc
  .dictionary(
    fc.oneof(fc.constantFrom("type", "uuid", "toolUseResult"), fc.string({ unit: "grapheme" })),
    fc.jsonValue(),
  )
  .map((value) => Buffer.from(JSON.stringify(value)));
const whole = fc.oneof(fc.constantFrom(...hostile), entries);
const torn = fc.tuple(whole, fc.nat(99)).map(([line, percent]) => line.subarray(0, (line.length * percent) / 100));
const invalid = fc
  .tuple(fc.uint8Array(), fc.uint8Array())
  .map(([before, inside]) => Buffer.concat([Buffer.from('{"a":"'), inside, Buffer.from('"}'), before]));
const long = fc.nat(3).map((tens) => Buffer.from(`{"type":"user","text":"${"ß".repeat(tens * 15_000)}"}`));
const line = fc.oneof(
  { weight: 6, arbitrary: whole },
  { weight: 2, arbitrary: torn },
  { weight: 1, arbitrary: fc.tuple(torn, whole).map((parts) => Buffer.concat(parts)) },
  { weight: 1, arbitrary: invalid },
  { weight: 1, arbitrary: long },
);

test("any lines are read as if each were decoded and parsed by itself", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "transcript.jsonl");
  const newline = Buffer.from("\n");
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.boolean(), async (lines, isEnded) => {
      const file = Buffer.concat(lines.flatMap((each) => [each, newline]));
      const written = isEnded ? file : file.subarray(0, -1);
      writeFileSync(path, written);
      expect(await read(path)).toEqual(plainly(written));
    }),
    { numRuns: 300 },
  );
});

test("characters and lines that lie across the borders of reads are whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-lines-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "transcript.jsonl");
  for (const shift of [0, 1, 2, 3]) {
    // 1 MiB is read at once.
    const file = Buffer.from(
      [
        "x".repeat(shift),
        ...Array.from({ length: 50 }, (_, index) => `{"i":${index},"text":"${"😀".repeat(8_000)}"}`),
        `{"text":"${"ö😀".repeat(400_000)}"}`,
        '{"type":"user"}',
      ].join("\n"),
    );
    writeFileSync(path, file);
    expect(await read(path)).toEqual(plainly(file));
  }
});

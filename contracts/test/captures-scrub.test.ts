import { describe, expect, test } from "vitest";
import { joinMirrors } from "../tools/join-mirrors.ts";
import { NeutralText } from "../tools/neutral-text.ts";
import type { RecordedLine } from "../tools/recording-host.ts";
import { scrub } from "../tools/scrub.ts";

const places = [
  { path: "/tmp/box-1/cwd", name: "/home/user/project" },
  { path: "/tmp/box-1", name: "/home/user/sandbox" },
];

function scrubbed(...lines: readonly object[]): unknown[] {
  const texts = lines.map((line): RecordedLine => ({ dir: "in", text: JSON.stringify(line) }));
  const recording = { lines: texts, exit: { code: 0, signal: null }, exitsByItself: false, places, ours: [] };
  return scrub(recording).map(({ text }) => JSON.parse(text));
}

describe("NeutralText", () => {
  const neutral = new NeutralText(["Make a file", "touch made.txt"]);

  test.each([
    ["one word, since it is a value", "acceptEdits", "acceptEdits"],
    ["a text of ours", "Make a file", "Make a file"],
    ["texts of ours with signs between", "Make a file: `touch made.txt`", "Make a file: `touch made.txt`"],
    ["what is no word at all", "1 + 2 = 3", "1 + 2 = 3"],
  ])("keeps %s", (_, text, expected) => {
    expect(neutral.of(text)).toBe(expected);
  });

  test.each([
    ["prose", "The command was run.", "Text."],
    ["prose around a text of ours", "You said Make a file", "Text."],
    [
      "what pairs of tags hold",
      "<status>done</status><summary>All is well</summary>",
      "<status>done</status><summary>Text.</summary>",
    ],
    ["a tag that is only a placeholder of a usage line", "use <path> here", "Text."],
  ])("replaces %s", (_, text, expected) => {
    expect(neutral.of(text)).toBe(expected);
  });
});

describe("scrub", () => {
  test("numbers ids in the order in which they come, wherever they stand", () => {
    const [first, second] = ["1b4e28ba-2fa1-41d2-883f-0016d3cca427", "6fa459ea-ee8a-4ca4-894e-db77e160355e"];

    const [frame, next] = scrubbed(
      { uuid: first, task_id: "b0zrja4rz", path: `/tmp/box-1/cwd/${second}/b0zrja4rz.output` },
      { session_id: second, [String(first)]: 1 },
    );

    const [one, two] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
    expect(frame).toEqual({ uuid: one, task_id: "b00000001", path: `/home/user/project/${two}/b00000001.output` });
    expect(next).toEqual({ session_id: two, [one]: 1 });
  });

  test("puts fixed values in the place of times, durations, process ids and estimates", () => {
    const [frame] = scrubbed({
      timestamp: "2026-11-29T23:14:58.190Z",
      end_time: 1_795_993_147_064,
      resetsAt: 1_795_993_147,
      duration_ms: 0,
      pid: 4711,
      input_tokens: 10,
      post_tokens: 457,
      tokens: 0,
      timeout_ms: 5000,
    });

    expect(frame).toEqual({
      timestamp: "2026-01-01T00:00:00.000Z",
      end_time: 1_767_225_600_000,
      resetsAt: 1_767_225_600,
      duration_ms: 1,
      pid: 1000,
      input_tokens: 10,
      post_tokens: 1000,
      tokens: 0,
      timeout_ms: 5000,
    });
  });

  test("replaces the name that the CLI makes of a path", () => {
    expect(scrubbed({ file: "/x/-tmp-box-1-cwd/a.jsonl" })).toEqual([{ file: "/x/-home-user-project/a.jsonl" }]);
  });

  test("keeps a line that is no JSON, and refuses one that would not keep its bytes", () => {
    const recording = { exit: { code: 0, signal: null }, exitsByItself: false, places, ours: [] };
    const line = (text: string): RecordedLine => ({ dir: "in", text });

    expect(scrub({ ...recording, lines: [line("noise of /tmp/box-1")] })).toEqual([
      line("noise of /home/user/sandbox"),
    ]);
    expect(() => scrub({ ...recording, lines: [line('{"a": 1}')] })).toThrow("changes this line");
  });
});

describe("joinMirrors", () => {
  test("makes one frame of a file's entries before the result, and one behind it", () => {
    const mirror = (filePath: string, ...entries: object[]): RecordedLine => ({
      dir: "in",
      text: JSON.stringify({ type: "transcript_mirror", filePath, entries }),
    });
    const other: RecordedLine = { dir: "in", text: '{"type":"assistant"}' };
    const result: RecordedLine = { dir: "in", text: '{"type":"result"}' };

    const joined = joinMirrors([
      mirror("a", { uuid: "1" }),
      other,
      mirror("b", { uuid: "2" }),
      mirror("a", { mode: "x" }, { uuid: "3" }),
      result,
      mirror("a", { uuid: "4" }),
    ]);

    expect(joined).toEqual([
      other,
      mirror("a", { mode: "x" }, { uuid: "1" }, { uuid: "3" }),
      mirror("b", { uuid: "2" }),
      result,
      mirror("a", { uuid: "4" }),
    ]);
  });
});

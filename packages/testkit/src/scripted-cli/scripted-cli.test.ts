import type { FrameValue, Transport } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { CliScriptError } from "./parse-script.ts";
import type { CliScript, CliStep } from "./script.ts";
import { type ScriptedCliOptions, scriptedCli } from "./scripted-cli.ts";

const initialize = {
  type: "control_request",
  request_id: "1",
  request: { subtype: "initialize", hooks: { Stop: [{ ids: [7] }] } },
};

/** Runs the steps against a host that sends these frames, ends its input, and reads to the end. */
async function converse(steps: CliStep[], sent: FrameValue[] = [], options: ScriptedCliOptions = {}) {
  await using cli = scriptedCli({ steps }, options);
  for (const frame of sent) await cli.transport.send(frame);
  await cli.transport.endInput();
  const texts = await readTexts(cli.transport);
  return { texts, exit: await cli.transport.closed, log: await cli.log() };
}

async function readTexts(transport: Transport): Promise<string[]> {
  const texts: string[] = [];
  for await (const batch of transport.frames) texts.push(...batch.map((frame) => frame.text));
  return texts;
}

function valuesOf(texts: string[]): unknown[] {
  return texts.map((text): unknown => JSON.parse(text));
}

describe("steps", () => {
  test("init answers the initialize request and keeps it", async () => {
    const { texts, exit, log } = await converse(
      [
        { do: "init", response: { commands: [], id: "{{init.request_id}}" } },
        { do: "write", frame: { type: "x", id: "{{init.request.hooks.Stop.0.ids.0}}" } },
      ],
      [initialize],
    );

    expect(valuesOf(texts)).toEqual([
      {
        type: "control_response",
        response: { subtype: "success", request_id: "1", response: { commands: [], id: "1" } },
      },
      { type: "x", id: 7 },
    ]);
    expect(exit).toEqual({ code: 0, signal: null, stderrTail: "" });
    expect(log.frames).toEqual([initialize]);
  });

  test("read takes the first match and leaves other frames for later steps", async () => {
    const { texts, log } = await converse(
      [
        { do: "read", match: { type: "b", "v.list.1": { deep: true } }, as: "second" },
        { do: "read", match: { type: "a" }, as: "first" },
        { do: "write", frame: { order: ["{{first.n}}", "{{second.n}}", "n={{first.n}} {{second.v.list}}"] } },
      ],
      [
        { type: "a", n: 1 },
        { type: "b", n: 2, v: { list: [0, { deep: false }] } },
        { type: "b", n: 3, v: { list: [0, { deep: true }] } },
      ],
    );

    expect(valuesOf(texts)).toEqual([{ order: [1, 3, 'n=1 [0,{"deep":true}]'] }]);
    expect(log.frames).toHaveLength(3);
  });

  test("read compares with what earlier frames held", async () => {
    const { exit } = await converse(
      [
        { do: "read", match: { type: "a" }, as: "a" },
        { do: "read", match: { type: "cancel", id: "{{a.id}}" } },
      ],
      [
        { type: "cancel", id: "other" },
        { type: "cancel", id: 5 },
        { type: "a", id: 5 },
      ],
    );

    expect(exit.code).toBe(0);
  });

  test("write fills in fallbacks, repeats, literals, and repeats itself", async () => {
    const { texts } = await converse([
      {
        do: "write",
        frame: {
          text: { $repeat: { text: "ab", count: 3 } },
          kept: { $literal: { text: "{{a.b}}", $repeat: 1 } },
          fallback: "{{user.uuid|none}} and {{user.uuid|}}",
          list: [1, null, true],
        },
        $times: 3,
      },
      { do: "write", frame: { never: true }, $times: 0 },
    ]);

    const frame = {
      text: "ababab",
      kept: { text: "{{a.b}}", $repeat: 1 },
      fallback: "none and ",
      list: [1, null, true],
    };
    expect(valuesOf(texts)).toEqual([frame, frame, frame]);
  });

  test("write streams many frames in few large pieces", async () => {
    await using cli = scriptedCli({ steps: [{ do: "write", frame: { type: "stream_event" }, $times: 200_000 }] });
    const sizes: number[] = [];
    for await (const batch of cli.transport.frames) sizes.push(batch.length);

    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_000);
    expect(sizes.length).toBeLessThan(50);
  });

  test("write keeps U+2028 and U+2029 as they are", async () => {
    const { texts } = await converse([{ do: "write", frame: { text: "a\u2028b\u2029c" } }]);

    expect(texts).toEqual(['{"text":"a\u2028b\u2029c"}']);
  });

  test("text is written as it is", async () => {
    const { texts } = await converse([
      { do: "text", text: '{"a":' },
      { do: "text", text: { $repeat: { text: "1", count: 3 } } },
      { do: "text", text: "}\nnoise\r\n" },
      { do: "text", text: "{}\n", $times: 2 },
    ]);

    expect(texts).toEqual(['{"a":111}', "noise\r", "{}", "{}"]);
  });

  test("file writes what was handed over, whole or in pieces", async () => {
    const files = { "a/b.ndjson": '{"t":"ü"}\n{"u":2}\n', "../bytes": new TextEncoder().encode("{}") };
    const { texts } = await converse(
      [
        { do: "file", path: "a/b.ndjson" },
        { do: "file", path: "a/b.ndjson", size: 1 },
        { do: "file", path: "../bytes", size: 1000 },
      ],
      [],
      { files },
    );

    expect(texts).toEqual(['{"t":"ü"}', '{"u":2}', '{"t":"ü"}', '{"u":2}', "{}"]);
  });

  test("file fails for what was not handed over", async () => {
    const { log } = await converse([{ do: "file", path: "toString" }]);

    expect(log.failure).toContain('The file "toString" was not handed over');
  });

  test("chunked cuts a frame anywhere", async () => {
    const { texts } = await converse([{ do: "chunked", frame: { text: "äöü€😀" }, size: 1 }]);

    expect(valuesOf(texts)).toEqual([{ text: "äöü€😀" }]);
  });

  test("stderr goes to the tail", async () => {
    const { exit } = await converse([{ do: "stderr", text: { $repeat: { text: "e", count: 2 } }, $times: 2 }]);

    expect(exit.stderrTail).toBe("eeee");
  });

  test("wait, noInput and readEnd with a limit go on when the time is over", async () => {
    await using cli = scriptedCli({
      steps: [
        { do: "wait", ms: 5 },
        { do: "noInput", ms: 5 },
        { do: "readEnd", ms: 5 },
        { do: "exit", code: 9 },
      ],
    });

    expect((await cli.transport.closed).code).toBe(9);
    const { events } = await cli.log();
    expect(events.map((event) => (event.kind === "step" ? event.do : event.kind))).toEqual([
      "wait",
      "noInput",
      "collected",
      "readEnd",
      "exit",
      "exit",
    ]);
    expect(events.at(-1)?.atMs).toBeGreaterThanOrEqual(14);
  });

  test("noInput logs what came", async () => {
    await using cli = scriptedCli({ steps: [{ do: "noInput", ms: 30 }] });
    await cli.transport.send({ n: 1 });
    await cli.transport.closed;

    expect((await cli.log()).events).toContainEqual(expect.objectContaining({ kind: "collected", lines: ['{"n":1}'] }));
  });

  test("readEnd waits for the end of the input", async () => {
    await using cli = scriptedCli({ steps: [{ do: "readEnd" }, { do: "write", frame: { type: "after" } }] });
    const reading = readTexts(cli.transport);
    expect((await cli.log()).inputEnded).toBe(false);

    await cli.transport.endInput();

    expect(await reading).toEqual(['{"type":"after"}']);
    const order = (await cli.log()).events.map((event) => event.kind);
    expect(order).toEqual(["step", "input-end", "step", "exit"]);
  });

  test("pauseInput fills the pipe until a step takes input again", async () => {
    await using cli = scriptedCli(
      {
        steps: [
          { do: "pauseInput" },
          { do: "pauseInput" },
          { do: "write", frame: { type: "paused" } },
          { do: "wait", ms: 20 },
          { do: "write", frame: { type: "resumed" } },
          { do: "readEnd" },
        ],
      },
      { bufferBytes: 1 },
    );
    const frames = cli.transport.frames[Symbol.asyncIterator]();
    await frames.next();
    const settled: number[] = [];
    const sends = [1, 2, 3, 4].map((n) => cli.transport.send({ n }).then(() => settled.push(n)));
    await new Promise((resolve) => setImmediate(resolve));
    // One is taken by the read that was under way, one fits into the buffer.
    const settledWhilePaused = [...settled];
    await Promise.all(sends);
    await cli.transport.endInput();

    expect(settledWhilePaused).toEqual([1, 2]);
    expect(await frames.next()).toMatchObject({ done: false });
    expect(await frames.next()).toMatchObject({ done: true });
    expect((await cli.log()).frames).toHaveLength(4);
  });

  test("trap and orphan do nothing in memory", async () => {
    const { exit } = await converse([
      { do: "trap", signals: ["SIGTERM"], exitCode: 143 },
      { do: "orphan", ms: 600_000 },
    ]);

    expect(exit.code).toBe(0);
  });

  test("endOutput ends the frames and goes on", async () => {
    await using cli = scriptedCli({
      steps: [
        { do: "endOutput" },
        { do: "write", frame: { type: "lost" } },
        { do: "read", match: { type: "user" } },
        { do: "exit", code: 4 },
      ],
    });

    expect(await readTexts(cli.transport)).toEqual([]);
    await cli.transport.send({ type: "user" });
    expect((await cli.transport.closed).code).toBe(4);
  });

  test("hang ignores the end of the input until close", async () => {
    await using cli = scriptedCli({ steps: [{ do: "hang" }] });
    await cli.transport.endInput();

    await cli.close();

    expect(await cli.transport.closed).toEqual({ code: null, signal: "SIGKILL", stderrTail: "" });
    const log = await cli.log();
    expect(log).toMatchObject({ inputEnded: true, exit: undefined, failure: undefined });
  });

  test("exit ends by code or by signal, and steps behind it are not done", async () => {
    const byCode = await converse([
      { do: "exit", code: 1 },
      { do: "write", frame: {} },
    ]);
    const bySignal = await converse([{ do: "exit", signal: "SIGKILL", code: 1 }]);

    expect(byCode.exit).toMatchObject({ code: 1, signal: null });
    expect(byCode.texts).toEqual([]);
    expect(bySignal.exit).toMatchObject({ code: null, signal: "SIGKILL" });
  });
});

describe("a script that cannot be followed", () => {
  const cases: { title: string; steps: CliStep[]; failure: string }[] = [
    {
      title: "the input ends before a match",
      steps: [{ do: "read", match: { type: "never", "a.b": 1 } }],
      failure: 'step 0 (read): the input ended before a frame with {"type":"never","a.b":1} came',
    },
    {
      title: "a frame is not as expected",
      steps: [{ do: "read", match: { type: "user" }, expect: { "message.role": "user" } }],
      failure: 'step 0 (read): message.role of the frame that came is undefined, not "user"',
    },
    {
      title: "a placeholder names nothing",
      // Reads first, so that the host's frame does not race with the exit.
      steps: [
        { do: "read", match: { type: "user" } },
        { do: "write", frame: { id: "{{nobody.id}}" } },
      ],
      failure: "step 1 (write): nothing to put in for {{nobody.id}}: no step before kept a frame under this name",
    },
    {
      title: "a frame has no such member, not even an inherited one",
      steps: [
        { do: "read", match: { type: "user" }, as: "u" },
        { do: "write", frame: { id: "x{{u.constructor.name}}" } },
      ],
      failure: 'step 1 (write): nothing to put in for {{u.constructor.name}}: the frame is {"type":"user"}',
    },
  ];

  test.each(cases)("exits with code 70 and says why: $title", async ({ steps, failure }) => {
    const { exit, log } = await converse(steps, [{ type: "user" }]);

    expect(log.failure).toBe(failure);
    expect(exit).toMatchObject({ code: 70, stderrTail: `The scripted CLI cannot go on at ${failure}\n` });
  });

  test("is refused at the call when it is no script", () => {
    // What a caller without types, or a JSON file, may hand over.
    const script = { steps: [{ do: "wait" }] } as unknown as CliScript;

    expect(() => scriptedCli(script)).toThrow(CliScriptError);
  });
});

describe("a scripted CLI in memory", () => {
  test("stops in every kind of step when it is closed", async () => {
    const endless: CliStep[] = [
      { do: "wait", ms: 600_000 },
      { do: "noInput", ms: 600_000 },
      { do: "hang" },
      { do: "write", frame: { type: "x" }, $times: 1_000_000_000 },
      { do: "chunked", frame: { text: { $repeat: { text: "x", count: 1_000_000 } } }, size: 1 },
    ];
    for (const step of endless) {
      const cli = scriptedCli({ steps: [step] });

      await cli.close();
      await cli.close();

      expect((await cli.transport.closed).signal).toBe("SIGKILL");
    }
  });

  test("lets the script finish at the end of the input when it is closed", async () => {
    const cli = scriptedCli({ steps: [{ do: "readEnd" }, { do: "exit", code: 5 }] });

    await cli.close();

    expect((await cli.log()).exit).toEqual({ code: 5, signal: null });
  });

  test("goes on with its script when the host has left the frames", async () => {
    await using cli = scriptedCli({
      steps: [
        { do: "write", frame: { n: 1 } },
        { do: "read", match: { type: "user" } },
        { do: "write", frame: { n: 2 }, $times: 1000 },
        { do: "exit", code: 6 },
      ],
    });
    for await (const _ of cli.transport.frames) break;

    await cli.transport.send({ type: "user" });

    expect((await cli.transport.closed).code).toBe(6);
    expect((await cli.log()).events.filter((event) => event.kind === "output-closed")).toHaveLength(1);
  });

  test("logs nothing after its exit", async () => {
    await using cli = scriptedCli({ steps: [{ do: "exit", code: 0 }] });
    await cli.transport.closed;
    await cli.transport.endInput();

    expect((await cli.log()).events.map((event) => event.kind)).toEqual(["step", "exit"]);
  });

  test("says nothing of itself in the log but what a process would", async () => {
    const { log } = await converse([]);

    expect(log).toMatchObject({ pid: 0, argv: [], env: {}, cwd: "", inputEnded: false });
  });
});

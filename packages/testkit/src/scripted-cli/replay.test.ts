import type { FrameValue } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { CliScriptError } from "./parse-script.ts";
import { type CaptureEntry, type ReplayOptions, replayScript } from "./replay.ts";
import { scriptedCli } from "./scripted-cli.ts";

const out = (frame: FrameValue): CaptureEntry => ({ dir: "out", frame });
const incoming = (frame: FrameValue): CaptureEntry => ({ dir: "in", frame });
const request = (id: string, subtype: string, more: FrameValue = {}): FrameValue => ({
  type: "control_request",
  request_id: id,
  request: { subtype, ...more },
});
const answer = (id: string, response: FrameValue = {}): FrameValue => ({
  type: "control_response",
  response: { subtype: "success", request_id: id, response },
});

/** Replays a capture to a host that sends these frames and ends its input. */
async function replay(capture: CaptureEntry[] | string, sent: FrameValue[], options: ReplayOptions = {}) {
  await using cli = scriptedCli(replayScript(capture, options));
  for (const frame of sent) await cli.transport.send(frame);
  await cli.transport.endInput();
  const frames: FrameValue[] = [];
  for await (const batch of cli.transport.frames) frames.push(...batch.map((frame) => frame.value));
  return { frames, exit: await cli.transport.closed, log: await cli.log() };
}

describe("replayScript", () => {
  test("answers requests with the ids that the host uses, in whatever order it asks", async () => {
    const capture = [
      out(request("r1", "initialize")),
      out(request("r2", "set_model")),
      out(request("r3", "set_model")),
      incoming(answer("r3", { n: 3 })),
      incoming({ type: "system", subtype: "control_request_progress", request_id: "r2" }),
      incoming(answer("r2", { n: 2 })),
      incoming(answer("r1", { n: 1 })),
    ];

    const { frames, exit } = await replay(capture, [
      request("B", "set_model"),
      request("A", "initialize"),
      request("C", "set_model"),
    ]);

    expect(frames).toEqual([
      answer("C", { n: 3 }),
      { type: "system", subtype: "control_request_progress", request_id: "B" },
      answer("B", { n: 2 }),
      answer("A", { n: 1 }),
    ]);
    expect(exit.code).toBe(0);
  });

  test("keeps the ids of the CLI's requests, also where they equal one of the host", async () => {
    const question = request("r1", "can_use_tool");
    const capture = [
      out(request("r1", "initialize")),
      incoming(question),
      incoming({ type: "control_cancel_request", request_id: "r1" }),
      incoming(answer("r1", { pending: [question] })),
    ];

    const { frames } = await replay(capture, [request("mine", "initialize")]);

    expect(frames).toEqual([
      question,
      { type: "control_cancel_request", request_id: "r1" },
      answer("mine", { pending: [question] }),
    ]);
  });

  test("calls the hook callbacks that the host registered last", async () => {
    const hooks = (id: string): FrameValue => ({ hooks: { Stop: [{ hookCallbackIds: ["other", id] }] } });
    const capture = [
      out(request("r1", "initialize", hooks("hook_0"))),
      incoming(request("c1", "hook_callback", { callback_id: "hook_0" })),
      out(answer("c1")),
      out(request("r2", "initialize", hooks("hook_1"))),
      incoming(request("c2", "hook_callback", { callback_id: "hook_1" })),
    ];

    const { frames } = await replay(capture, [
      request("A", "initialize", hooks("mine")),
      request("B", "initialize", hooks("mine again")),
      answer("c1"),
    ]);

    expect(frames).toEqual([
      request("c1", "hook_callback", { callback_id: "mine" }),
      request("c2", "hook_callback", { callback_id: "mine again" }),
    ]);
  });

  test("names the messages of the host as the host does, or as recorded where it does not", async () => {
    const capture = [
      out({ type: "user", uuid: "u1" }),
      incoming({ type: "command_lifecycle", command_uuid: "u1" }),
      incoming({ type: "result", user_message_uuids: ["u1"], text: "not u1" }),
    ];

    const named = await replay(capture, [{ type: "user", uuid: "mine" }]);
    const unnamed = await replay(capture, [{ type: "user" }]);

    expect(named.frames).toEqual([
      { type: "command_lifecycle", command_uuid: "mine" },
      { type: "result", user_message_uuids: ["mine"], text: "not u1" },
    ]);
    expect(unnamed.frames).toEqual(capture.slice(1).map((entry) => entry.frame));
  });

  test("waits for a cancel by the id of the host, and for no cancel of what is not open", async () => {
    const cancel = (id: string): FrameValue => ({ type: "control_cancel_request", request_id: id });
    const capture = [
      out(request("r1", "side_question")),
      out(cancel("r1")),
      out(cancel("unknown")),
      incoming(answer("r1")),
    ];

    const { frames, exit } = await replay(capture, [cancel("other"), request("A", "side_question"), cancel("A")]);
    const without = await replay(capture, [request("A", "side_question")]);

    expect(frames).toEqual([answer("A")]);
    expect(exit.code).toBe(0);
    expect(without.log.failure).toContain(
      'the input ended before a frame with {"type":"control_cancel_request","request_id":"A"}',
    );
  });

  test("waits for no answer that is late, second, or to nothing", async () => {
    const capture = [
      incoming(request("c1", "can_use_tool")),
      incoming({ type: "control_cancel_request", request_id: "c1" }),
      out(answer("c1")),
      out(answer("nothing")),
      incoming(request("c2", "can_use_tool")),
      out(answer("c2")),
      out(answer("c2")),
      incoming({ type: "result" }),
    ];

    const { frames } = await replay(capture, [answer("c2")]);

    expect(frames.at(-1)).toEqual({ type: "result" });
  });

  test.each([
    [answer("c1", { behavior: "deny" }), 'response.response.behavior of the frame that came is "deny", not "allow"'],
    [
      { type: "control_response", response: { subtype: "error", request_id: "c1", error: "no" } },
      'response.subtype of the frame that came is "error", not "success"',
    ],
  ])("fails when the host decides otherwise: %j", async (given, failure) => {
    const capture = [incoming(request("c1", "can_use_tool")), out(answer("c1", { behavior: "allow" }))];

    const { exit, log } = await replay(capture, [given]);

    expect(exit.code).toBe(70);
    expect(log.failure).toContain(failure);
  });

  test("takes text that looks like a placeholder as it is", async () => {
    const frame = { type: "x", text: "{{a.b}}", list: ["{{c}}"], tool: { $repeat: "{{d}}" }, other: { $literal: 1 } };

    const { frames } = await replay([incoming(frame)], []);

    expect(frames).toEqual([frame]);
  });

  test("ends as told", async () => {
    const exit = { code: 1 };
    await using cli = scriptedCli(replayScript([], { exit, stderr: "gave up\n", waitsForEnd: false }));

    expect(await cli.transport.closed).toMatchObject({ code: 1, stderrTail: "gave up\n" });
  });

  test("reads the lines of a file", async () => {
    const text = '{"dir":"out","frame":{"type":"user"}}\n\n{"dir":"in","frame":{"type":"result"}}';

    expect((await replay(text, [{ type: "user" }])).frames).toEqual([{ type: "result" }]);
    expect(() => replayScript('{"dir":"out","raw":"not json\\n"}')).toThrow(CliScriptError);
    expect(() => replayScript('{"dir":"up","frame":{}}')).toThrow("Line 1 of the capture");
  });
});

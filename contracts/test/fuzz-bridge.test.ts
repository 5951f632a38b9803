import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type BridgeEnd, type HostMessage, runBridge } from "@reins/bridge";
import { decodeFrames, type Frame, type FrameValue } from "@reins/streamjson";
import { type CliEnd, transportPair } from "@reins/testkit";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyMutation, fuzz, fuzzTimeoutMs } from "./fuzz-draw.ts";
import { type Mutation, mutate } from "./fuzz-mutations.ts";

// What a host may write to a bridge by mistake or on purpose. Whatever it is, the bridge answers in its own protocol, ends with its input,
// and lets nothing through to the CLI that is no prompt, no control request of its own and no answer.

/** All messages of a host, in an order in which they make sense. */
const conversation: readonly HostMessage[] = [
  { type: "hello", protocols: [1], host: "fuzz" },
  {
    type: "open",
    options: { model: "haiku", system_prompt: "Be brief.", built_in_tools: ["Read"], max_turns: 3 },
    tools: [{ name: "add", description: "Adds.", input_schema: { properties: { a: { type: "number" } } }, ask: true }],
  },
  { type: "send", id: "1", content: "Hi." },
  { type: "send", id: "2", content: [{ type: "text", text: "And now?" }] },
  {
    type: "send",
    id: "3",
    transcript: [
      { role: "user", content: "Hi." },
      { role: "user", content: "Well?" },
    ],
  },
  // Nobody has asked under these ids.
  { type: "permission_answer", id: "p1", behavior: "allow", updated_input: { a: 1 }, always: true },
  { type: "permission_answer", id: "p2", behavior: "deny", message: "No.", interrupt: true },
  { type: "tool_result", id: "t1", content: [{ type: "text", text: "42" }], is_error: false },
  { type: "interrupt", id: "i1" },
  { type: "close" },
];
const lines = conversation.map((message) => JSON.stringify(message));

/** What of the conversation is written, one number per line, each perhaps changed. */
interface Seed {
  readonly order: readonly number[];
  /** Which of them is changed, counted round. */
  readonly at: number;
  readonly mutation: Mutation;
}

const inOrder = conversation.map((_, index) => index);

/** Tried in every run: what a gateway must not let through, and what broke readers before. */
const corpus: readonly Seed[] = [
  // Frames that act on the CLI without a question, in place of a message.
  { order: inOrder, at: 2, mutation: { kind: "retype", pick: 0, value: "bash_command" } },
  { order: inOrder, at: 2, mutation: { kind: "retype", pick: 0, value: "control_request" } },
  // Members that the protocol does not have.
  { order: inOrder, at: 2, mutation: { kind: "add", pick: 0, key: "priority", value: "now" } },
  { order: inOrder, at: 1, mutation: { kind: "add", pick: 0, key: "__proto__", value: { env: { PATH: "" } } } },
  { order: inOrder, at: 1, mutation: { kind: "add", pick: 1, key: "permission_mode", value: "bypassPermissions" } },
  // An id that is none, or another's.
  { order: inOrder, at: 2, mutation: { kind: "retype", pick: 1, value: "" } },
  { order: [0, 1, 2, 2], at: 3, mutation: { kind: "add", pick: 0, key: "x", value: 1 } },
  // Twice open, close before open, no hello, half a line.
  { order: [0, 1, 1, 2], at: 0, mutation: { kind: "add", pick: 0, key: "x", value: 1 } },
  { order: [0, 9, 2, 1, 2], at: 0, mutation: { kind: "drop", pick: 2 } },
  { order: [1, 2], at: 0, mutation: { kind: "drop", pick: 1 } },
  { order: inOrder, at: 3, mutation: { kind: "cut", pick: 20 } },
  // Another version of the protocol.
  { order: inOrder, at: 0, mutation: { kind: "retype", pick: 3, value: 2 } },
  { order: inOrder, at: 3, mutation: { kind: "byte", pick: 10, byte: 0x0a } },
];

const anySeed: fc.Arbitrary<Seed> = fc.record({
  order: fc.oneof(fc.constant(inOrder), fc.shuffledSubarray(inOrder), fc.array(fc.nat({ max: lines.length - 1 }))),
  at: fc.nat({ max: 20 }),
  mutation: anyMutation,
});

/** A CLI that answers each request and prompt, and asks a permission in every turn. Gives the types of all that it was sent. */
async function serve(cli: CliEnd, types: Set<unknown>): Promise<void> {
  for (let turn = 1; ; turn++) {
    const value = (await cli.read())?.value;
    if (value === undefined) break;
    types.add(value.type);
    // The bridge may be gone.
    const send = (frame: FrameValue): Promise<void> => cli.send(frame).catch(() => {});
    if (value.type === "control_request") {
      const response = { subtype: "success", request_id: value["request_id"], response: {} };
      await send({ type: "control_response", response });
    }
    if (value.type !== "user") continue;
    await send({ type: "system", subtype: "init", session_id: "s", tools: [] });
    const request = { subtype: "can_use_tool", tool_name: "mcp__host__add", input: {}, tool_use_id: `toolu_${turn}` };
    await send({ type: "control_request", request_id: `q${turn}`, request });
    await send({ type: "result", subtype: "success", is_error: false, session_id: "s", result: "Done." });
  }
  cli.exit();
}

/** Allows what the bridge asks for, which goes on as long as there is a session. Gives all that the bridge wrote. */
async function answerQuestions(output: PassThrough, input: PassThrough): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of decodeFrames(output)) {
    frames.push(frame);
    const { type, id } = frame.value;
    if (type !== "permission_question" || input.writableEnded) continue;
    input.write(`${JSON.stringify({ type: "permission_answer", id, behavior: "allow" })}\n`);
  }
  return frames;
}

const schema = JSON.parse(readFileSync(join(import.meta.dirname, "../bridge/bridge-v1.schema.json"), "utf8"));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true }).addSchema(schema);
const isMessage = ajv.compile({ $ref: `${schema.$id}#/$defs/BridgeMessage` });

test("a bridge answers whatever its host writes in its protocol, and lets nothing else through to the CLI", {
  timeout: fuzzTimeoutMs,
}, async () => {
  const ends = new Set<BridgeEnd>();
  const sentTypes = new Set<unknown>();
  const property = fc.asyncProperty(anySeed, async ({ order, at, mutation }) => {
    const { host, cli } = transportPair();
    const served = serve(cli, sentTypes);
    const input = new PassThrough();
    const output = new PassThrough();
    const done = runBridge({ input, output, options: { transport: host, onWarning: () => {} } });
    const written = answerQuestions(output, input);
    for (const [index, line] of order.entries()) {
      const text = lines[line] ?? "";
      input.write(order.length > 0 && index === at % order.length ? mutate(text, mutation) : text);
      input.write("\n");
      // Something comes of it before the next line, most often.
      for (let turns = 0; turns < 5; turns++) await nextTurn();
    }
    input.end();
    ends.add(await done);
    output.end();
    for (const frame of await written) expect(isMessage(frame.value), frame.text).toBe(true);
    await host.close();
    await served;
  });
  await fc.assert(property, { ...fuzz(150), examples: corpus.map((seed): [Seed] => [seed]) });
  expect([...ends].sort()).toEqual(["input-ended", "protocol-refused"]);
  expect([...sentTypes].sort()).toEqual(["control_request", "control_response", "user"]);
});

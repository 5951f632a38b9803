import type { FrameValue } from "@reins/streamjson";
import { type CliEnd, transportPair } from "@reins/testkit";
import { expect, onTestFinished, test } from "vitest";
import { Client, ControlError, type Message, type Options, SessionClosedError } from "../src/index.ts";

interface Setup {
  readonly client: Client;
  readonly cli: CliEnd;
  /** The next frame of the host that is no initialize request, which is answered. */
  readonly read: () => Promise<FrameValue>;
  readonly send: (...frames: FrameValue[]) => Promise<void>;
}

function setUp(options: Options = {}, initializeAnswer: FrameValue = { type: "", hooks_applied: true }): Setup {
  const { host, cli } = transportPair();
  const client = new Client({ ...options, transport: host });
  onTestFinished(() => client.close());
  const send = async (...frames: FrameValue[]): Promise<void> => {
    for (const frame of frames) await cli.send(frame);
  };
  return {
    client,
    cli,
    send,
    read: async () => {
      for (;;) {
        const frame = await cli.read();
        if (frame === undefined) throw new Error("the input ended");
        const { request_id, request } = frame.value as { request_id?: string; request?: { subtype: string } };
        if (request?.subtype !== "initialize") return frame.value;
        await send(answer(request_id, initializeAnswer));
      }
    },
  };
}

function answer(requestId: unknown, response: object): FrameValue {
  return { type: "control_response", response: { subtype: "success", request_id: requestId, response } };
}

async function all(messages: AsyncIterable<Message>): Promise<Message[]> {
  const seen: Message[] = [];
  for await (const message of messages) seen.push(message);
  return seen;
}

const init = { type: "system", subtype: "init", session_id: "s1", tools: [], capabilities: [] };

function assistant(text: string): FrameValue {
  return { type: "assistant", message: { id: text, content: [{ type: "text", text }] } };
}

function result(text: string, ...uuids: string[]): FrameValue {
  return { type: "result", subtype: "success", is_error: false, result: text, user_message_uuids: uuids };
}

test("turns follow one another over one session, each with its own response", async () => {
  const { client, send, read } = setUp();
  expect(client.sessionId).toBeUndefined();
  await client.query("one");
  expect(await read()).toMatchObject({ type: "user", message: { role: "user", content: "one" } });
  await send(init, assistant("1"), result("1"), assistant("between"));
  expect(await all(client.receiveResponse())).toEqual([init, assistant("1"), result("1")]);
  expect([client.sessionId, client.init]).toEqual(["s1", init]);
  await client.query("two");
  // The conversation was cleared meanwhile.
  await send({ ...init, session_id: "s2" }, result("2"));
  expect(await all(client.receiveResponse())).toEqual([
    assistant("between"),
    { ...init, session_id: "s2" },
    result("2"),
  ]);
  expect(client.sessionId).toBe("s2");
});

test("leaving a response early leaves the session open, and the next reader goes on there", async () => {
  const { client, send } = setUp();
  await client.query("one");
  await send(assistant("1"), result("1"));
  for await (const _ of client.receiveResponse()) break;
  expect(await all(client.receiveResponse())).toEqual([result("1")]);
});

test("two readers take turns", async () => {
  const { client, send } = setUp();
  await client.query("one");
  const first = all(client.receiveResponse());
  const second = all(client.receiveResponse());
  await send(assistant("1"), result("1"), assistant("2"), result("2"));
  expect([await first, await second]).toEqual([
    [assistant("1"), result("1")],
    [assistant("2"), result("2")],
  ]);
});

test("what is left of an interrupted turn does not look like the answer to the next prompt", async () => {
  const { client, send, read } = setUp();
  await client.query("long");
  await read();
  const interrupting = client.interrupt();
  await send(answer((await read())["request_id"], { still_queued: [] }));
  expect(await interrupting).toEqual({ still_queued: [] });
  const aborted = { ...result(""), subtype: "error_during_execution", is_error: true };
  await client.query("short");
  await send(assistant("half"), aborted, assistant("whole"), result("whole"));
  expect(await all(client.receiveResponse())).toEqual([assistant("whole"), result("whole")]);
});

test("read before the next prompt, an interrupted turn ends with its own result", async () => {
  const { client, send, read } = setUp();
  await client.query("long");
  await read();
  const interrupting = client.interrupt();
  await send(answer((await read())["request_id"], { still_queued: [] }));
  await interrupting;
  const aborted = { ...result(""), subtype: "error_during_execution", is_error: true };
  await send(assistant("half"), aborted);
  expect(await all(client.receiveResponse())).toEqual([assistant("half"), aborted]);
  await client.query("short");
  await send(result("whole"));
  expect(await all(client.receiveResponse())).toEqual([result("whole")]);
});

test("ask gives the result of its own prompt, whoever reads", async () => {
  const { client, send } = setUp();
  const alone = client.ask("one", { uuid: "u1" });
  await send(assistant("1"), result("other", "u0"), result("1", "u1"), assistant("after"));
  expect(await alone).toEqual(result("1", "u1"));
  const reading = all(client.receiveMessages());
  const beside = client.ask("two", { uuid: "u2" });
  await send(result("2", "u2"));
  expect(await beside).toEqual(result("2", "u2"));
  await client.close();
  expect(await reading).toEqual([assistant("after"), result("2", "u2")]);
});

test("ask rejects for a prompt that was taken back", async () => {
  const { client, send } = setUp();
  const asking = client.ask("one", { uuid: "u1" });
  await send({ type: "command_lifecycle", command_uuid: "u1", state: "cancelled" });
  await expect(asking).rejects.toMatchObject({ code: "REINS_TURN_ENDED" });
  await send(result("2"));
  expect(await all(client.receiveResponse())).toEqual([result("2")]);
});

test("prompts of many callers each get their handle", async () => {
  const { client, send, read } = setUp();
  const turns = await Promise.all(["a", "b", "c"].map((content) => client.send(content)));
  const sent = [await read(), await read(), await read()];
  expect(sent.map(({ uuid }) => uuid)).toEqual(turns.map(({ uuid }) => uuid));
  await send(result("all", ...turns.map(({ uuid }) => uuid)));
  const results = await Promise.all(turns.map((turn) => turn.result));
  expect(new Set(results).size).toBe(1);
});

test("frames of a caller's own making go out as they are", async () => {
  const { client, read } = setUp({ verbatimPrompts: true });
  const frame = { type: "user", message: { role: "user", content: [] }, extra: 1 };
  await client.sendRaw(frame);
  expect(await read()).toEqual(frame);
  await client.query(
    (async function* () {
      yield { type: "user" as const, message: { role: "user" as const, content: "x" } };
    })(),
  );
  expect(await read()).toMatchObject({ message: { content: "x" }, client_composed: true });
});

test("hooks that the CLI did not take keep prompts from being sent", async () => {
  const { client, read } = setUp(
    { hooks: { PreToolUse: [{ hooks: [() => {}] }] } },
    { type: "", hooks_applied: false },
  );
  const reading = expect(read()).rejects.toThrow("the input ended");
  await expect(client.query("one")).rejects.toBeInstanceOf(ControlError);
  await reading;
  await expect(client.query("two")).rejects.toBeInstanceOf(ControlError);
});

test("a closed client sends nothing, whether or not it was used", async () => {
  const used = setUp();
  await used.client.query("one");
  await used.client.close();
  expect(await all(used.client.receiveMessages())).toEqual([]);
  await expect(used.client.query("two")).rejects.toBeInstanceOf(SessionClosedError);
  const unused = setUp();
  await unused.client.close();
  await expect(unused.client.query("one")).rejects.toBeInstanceOf(SessionClosedError);
});

test("the normal end leaves what was not read", async () => {
  const { client, cli, send, read } = setUp();
  await client.query("one");
  await read();
  await send(result("1"));
  const finishing = client.finish();
  expect(await cli.read()).toBeUndefined();
  cli.exit();
  await finishing;
  expect(await all(client.receiveMessages())).toEqual([result("1")]);
});

test("usage is that of all turns", async () => {
  const { client, send } = setUp();
  await client.query("one");
  await send(
    { ...result("1"), total_cost_usd: 1, modelUsage: {} },
    { ...result("2"), total_cost_usd: 3, modelUsage: {} },
  );
  await all(client.receiveResponse());
  await all(client.receiveResponse());
  expect(client.usage.total.costUsd).toBe(3);
});

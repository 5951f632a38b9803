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
  expect((await all(client.receiveResponse())).at(-1)).toEqual(result("2"));
});

test("those who ask at the same time read no further than to their results, and leave nothing of them", async () => {
  const { client, send } = setUp();
  const asking = Promise.all(["u1", "u2", "u3"].map((uuid) => client.ask(uuid, { uuid })));
  // Two are merged into one turn.
  await send(assistant("1"), result("1", "u1"), assistant("2"), result("2 and 3", "u2", "u3"));
  expect(await asking).toEqual([result("1", "u1"), result("2 and 3", "u2", "u3"), result("2 and 3", "u2", "u3")]);
  await client.query("four");
  await send(assistant("4"), result("4"));
  expect(await all(client.receiveResponse())).toEqual([assistant("4"), result("4")]);
});

/** Interrupts, and answers for the CLI. */
async function interrupt({ client, read, send }: Setup): Promise<void> {
  const interrupting = client.interrupt();
  for (;;) {
    const { type, request_id } = await read();
    if (type !== "control_request") continue;
    await send(answer(request_id, { still_queued: [] }));
    break;
  }
  await interrupting;
}

test("a prompt that could not be written is not one whose turn is interrupted", async () => {
  const setup = setUp();
  const { client, send } = setup;
  // No frame can hold it.
  await expect(client.send("one", { extra: 1n } as object)).rejects.toMatchObject({ name: "FrameEncodeError" });
  await expect(client.sendRaw({ type: "user", extra: 1n })).rejects.toMatchObject({ name: "FrameEncodeError" });
  await interrupt(setup);
  await client.query("two");
  await send(assistant("2"), result("2"));
  expect(await all(client.receiveResponse())).toEqual([assistant("2"), result("2")]);
});

test("a prompt that could not be written makes nothing stale", async () => {
  const setup = setUp();
  const { client, send } = setup;
  await client.query("one");
  await interrupt(setup);
  await expect(client.send("two", { extra: 1n } as object)).rejects.toMatchObject({ name: "FrameEncodeError" });
  await send(assistant("half"), result("1"));
  expect(await all(client.receiveResponse())).toEqual([assistant("half"), result("1")]);
});

test("a prompt that was cancelled while it waited has no rest, so the next response is the next one", async () => {
  const setup = setUp();
  const { client, send } = setup;
  const cancelled = await client.send("one", { uuid: "u1" });
  await interrupt(setup);
  await client.send("two", { uuid: "u2" });
  const reading = all(client.receiveResponse());
  await send({ type: "command_lifecycle", command_uuid: "u1", state: "cancelled" });
  await expect(cancelled.result).rejects.toMatchObject({ code: "REINS_TURN_ENDED" });
  await send(assistant("2"), result("2", "u2"));
  expect((await reading).slice(-2)).toEqual([assistant("2"), result("2", "u2")]);
});

test("the rest of a turn is passed over although the result of one before was read late", async () => {
  const setup = setUp();
  const { client, send } = setup;
  await client.send("one", { uuid: "u1" });
  await client.send("two", { uuid: "u2" });
  await send(result("1", "u1"));
  expect(await all(client.receiveResponse())).toEqual([result("1", "u1")]);
  await interrupt(setup);
  await client.send("three", { uuid: "u3" });
  await send(assistant("half"), result("2", "u2"), assistant("3"), result("3", "u3"));
  expect(await all(client.receiveResponse())).toEqual([assistant("3"), result("3", "u3")]);
});

test.each(["before the start", "while it starts", "in a turn", "while a reader waits", "while another closes"])(
  "a close %s ends everything that waits, and leaves nobody",
  async (state) => {
    const { client, read } = setUp();
    const waiting: Promise<unknown>[] = [];
    if (state !== "before the start") waiting.push(client.connect().catch((error: unknown) => error));
    if (state === "in a turn") {
      waiting.push(client.ask("one").catch((error: unknown) => error));
      await read();
    }
    const readers =
      state === "while a reader waits" ? [all(client.receiveMessages()), all(client.receiveResponse())] : [];
    if (state === "while another closes") waiting.push(client.close(), client.finish());
    await Promise.all([client.close(), client.close()]);
    for (const outcome of await Promise.all(waiting))
      if (outcome !== undefined && state !== "in a turn") expect(outcome).toBeInstanceOf(SessionClosedError);
    expect(await Promise.all(readers)).toEqual(readers.map(() => []));
    for (const call of [client.send("x"), client.interrupt(), client.setModel("m"), client.ask("x")])
      await expect(call).rejects.toBeInstanceOf(SessionClosedError);
    expect(await all(client.receiveResponse())).toEqual([]);
    await client.finish();
    await client.close();
  },
);

test("readers that are left by return, throw and an error in the loop let the next one read", async () => {
  const { client, send } = setUp();
  await client.query("one");
  await send(assistant("1"), assistant("2"), assistant("3"), result("1"));
  const returned = client.receiveMessages();
  expect(await returned.next()).toEqual({ done: false, value: assistant("1") });
  const next = client.receiveResponse();
  const waiting = next.next();
  expect(await returned.return()).toEqual({ done: true, value: undefined });
  expect(await waiting).toEqual({ done: false, value: assistant("2") });
  await expect(next.throw(new Error("mine"))).rejects.toThrow("mine");
  const loop = async (): Promise<void> => {
    for await (const _ of client.receiveResponse()) throw new Error("in the loop");
  };
  await expect(loop()).rejects.toThrow("in the loop");
  // One that was never begun holds nobody up.
  await client.receiveMessages().return();
  expect(await all(client.receiveResponse())).toEqual([result("1")]);
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

import type { Transport } from "@reins/streamjson";
import { transportPair } from "@reins/testkit";
import { expect, test } from "vitest";
import { deferredTransport } from "./deferred-transport.ts";

interface Start {
  readonly transport: Transport;
  readonly succeed: (transport: Transport) => void;
  readonly fail: (error: unknown) => void;
  readonly signal: () => AbortSignal | undefined;
}

function start(): Start {
  let succeed: Start["succeed"] = () => {};
  let fail: Start["fail"] = () => {};
  let seen: AbortSignal | undefined;
  const transport = deferredTransport((signal) => {
    seen = signal;
    return new Promise((resolve, reject) => {
      succeed = resolve;
      fail = reject;
    });
  });
  return { transport, succeed, fail, signal: () => seen };
}

async function framesOf(transport: Transport): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const batch of transport.frames) seen.push(...batch.map(({ value }) => value));
  return seen;
}

test("what is sent before the start is written then, and a close is that of the other side", async () => {
  const { host, cli } = transportPair();
  const { transport, succeed } = start();
  const sending = transport.send({ type: "user" });
  succeed(host);
  await sending;
  expect((await cli.read())?.value).toEqual({ type: "user" });
  const reading = framesOf(transport);
  await cli.send({ type: "result" });
  await transport.close();
  expect(await transport.closed).toEqual(await host.closed);
  await reading;
});

test("closed before the start it waits for nothing, and what is started all the same is closed", async () => {
  const { host } = transportPair();
  const { transport, succeed, signal } = start();
  const sending = transport.send({ type: "user" });
  const reading = framesOf(transport);
  await transport.close();
  expect(signal()?.aborted).toBe(true);
  await expect(sending).rejects.toThrow("closed before its start");
  expect(await transport.closed).toEqual({ code: null, signal: null, stderrTail: "" });
  expect(await reading).toEqual([]);
  succeed(host);
  await host.closed;
  await transport.close();
});

test("a start that fails is an end with that error, also behind a close", async () => {
  const failing = start();
  failing.fail(new Error("no room"));
  expect(await failing.transport.closed).toMatchObject({ error: { message: "no room" } });
  await expect(failing.transport.send({ type: "user" })).rejects.toThrow("no room");
  expect(await framesOf(failing.transport)).toEqual([]);
  const closed = start();
  await closed.transport.close();
  closed.fail("late");
  expect(await closed.transport.closed).toEqual({ code: null, signal: null, stderrTail: "" });
});

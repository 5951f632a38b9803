import {
  AlreadyConsumedError,
  decodeFrame,
  type Frame,
  FrameEncodeError,
  type FrameValue,
  FrameWriteError,
  type Transport,
} from "@reins/streamjson";
import { describe, expect, test, vi } from "vitest";
import { CliExitError, transportPair } from "./transport-pair.ts";

/** Tells whether a promise has settled once everything happened that waits for no time. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const mark = (): void => {
    settled = true;
  };
  promise.then(mark, mark);
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

async function readAll(host: Transport): Promise<FrameValue[]> {
  const values: FrameValue[] = [];
  for await (const batch of host.frames) values.push(...batch.map((frame) => frame.value));
  return values;
}

describe("transportPair", () => {
  test("carries frames both ways in order", async () => {
    const { host, cli } = transportPair();

    await host.send({ type: "user", n: 1 });
    await host.send(decodeFrame('{"type":"user", "n":2}'));
    await cli.send({ type: "assistant", n: 3 });
    await cli.send({ type: "result", n: 4 });
    cli.exit();

    expect(await readAll(host)).toEqual([
      { type: "assistant", n: 3 },
      { type: "result", n: 4 },
    ]);
    expect(await host.closed).toEqual({ code: 0, signal: null, stderrTail: "" });
  });

  test("gives the CLI the text as the host wrote it, and the end of the input", async () => {
    const { host, cli } = transportPair();

    await host.send(decodeFrame('{"type":"user", "n":2}'));
    await host.endInput();
    await host.endInput();

    expect((await cli.read())?.text).toBe('{"type":"user", "n":2}');
    expect(await cli.read()).toBeUndefined();
    expect(await cli.read()).toBeUndefined();
    await expect(host.send({ type: "user" })).rejects.toThrow(FrameWriteError);
  });

  test("answers concurrent reads in their order", async () => {
    const { host, cli } = transportPair();

    const reads = [cli.read(), cli.read()];
    await host.send({ n: 1 });
    await host.send({ n: 2 });

    expect((await Promise.all(reads)).map((frame) => frame?.value)).toEqual([{ n: 1 }, { n: 2 }]);
    cli.exit();
  });

  test("joins raw pieces to frames, and delivers noise and a cut line as frames with an error", async () => {
    const { host, cli } = transportPair();
    const umlaut = new TextEncoder().encode('{"t":"ü"}\n');

    for (const byte of umlaut) await cli.write(Uint8Array.of(byte));
    await cli.write('noise\n{"a":1}\n{"b":');
    cli.exit();

    const frames: Frame[] = [];
    for await (const batch of host.frames) frames.push(...batch);
    expect(frames.map((frame) => frame.text)).toEqual(['{"t":"ü"}', "noise", '{"a":1}', '{"b":']);
    expect(frames.map((frame) => frame.error === undefined)).toEqual([true, false, true, false]);
  });

  test("refuses values that are no frames, on both sides, and goes on", async () => {
    const { host, cli } = transportPair();
    const cyclic: Record<string, unknown> = {};
    cyclic["self"] = cyclic;

    await expect(host.send(cyclic)).rejects.toThrow(FrameEncodeError);
    await expect(cli.send({ f: () => {} })).rejects.toThrow(FrameEncodeError);

    await host.send({ type: "user" });
    expect((await cli.read())?.type).toBe("user");
    cli.exit();
    expect(await readAll(host)).toEqual([]);
  });

  test("lets the host wait when the buffer is full, until the CLI reads", async () => {
    const { host, cli } = transportPair({ bufferBytes: 100 });
    const large = { type: "user", text: "x".repeat(200) };

    await host.send(large);
    const second = host.send(large);

    expect(await isSettled(second)).toBe(false);
    await cli.read();
    await second;
    cli.exit();
  });

  test("settles a send only when the CLI asks for it, without a buffer", async () => {
    const { host, cli } = transportPair({ bufferBytes: 0 });

    const send = host.send({ type: "user" });

    expect(await isSettled(send)).toBe(false);
    expect((await cli.read())?.type).toBe("user");
    await send;
    cli.exit();
  });

  test("lets the CLI wait when the host does not read", async () => {
    const { host, cli } = transportPair({ bufferBytes: 100 });
    const large = { type: "assistant", text: "x".repeat(200) };
    await cli.send(large);

    const second = cli.send(large);

    expect(await isSettled(second)).toBe(false);
    const reading = readAll(host);
    await second;
    cli.exit();
    expect(await reading).toHaveLength(2);
  });

  test("fails sends that wait when the CLI exits", async () => {
    const { host, cli } = transportPair({ bufferBytes: 0 });
    const waiting = host.send({ type: "user" });

    cli.exit();

    await expect(waiting).rejects.toThrow(FrameWriteError);
    await expect(host.send({ type: "user" })).rejects.toThrow(FrameWriteError);
    await host.endInput();
    expect(await cli.read()).toBeUndefined();
  });

  test("delivers what was written before the exit, and fails what is written after", async () => {
    const { host, cli } = transportPair();
    await cli.send({ n: 1 });
    cli.exit();

    await expect(cli.send({ n: 2 })).rejects.toThrow(FrameWriteError);
    await host.closed;
    expect(await readAll(host)).toEqual([{ n: 1 }]);
  });

  test("tells code, standard error and error of a failed exit; the first exit counts", async () => {
    const { host, cli } = transportPair();

    cli.writeError("x".repeat(20_000));
    cli.writeError("out of memory\n");
    cli.exit({ code: 3 });
    cli.exit({ code: 4 });

    const exit = await host.closed;
    expect(exit).toMatchObject({ code: 3, signal: null });
    expect(exit.stderrTail).toHaveLength(16_384);
    expect(exit.stderrTail).toMatch(/xout of memory\n$/);
    expect(exit.error).toBeInstanceOf(CliExitError);
    expect(exit.error).toMatchObject({ code: "REINS_CLI_EXIT", name: "CliExitError", exitCode: 3, signal: null });
  });

  test("tells the signal of an exit by signal", async () => {
    const { host, cli } = transportPair();

    cli.exit({ signal: "SIGSEGV" });

    const exit = await host.closed;
    expect(exit).toMatchObject({ code: null, signal: "SIGSEGV" });
    expect(exit.error?.message).toContain("by SIGSEGV");
  });

  test("ends the frames with the output while the CLI lives on", async () => {
    const { host, cli } = transportPair();
    await cli.send({ n: 1 });

    cli.endOutput();
    cli.endOutput();

    expect(await readAll(host)).toEqual([{ n: 1 }]);
    expect(await isSettled(host.closed)).toBe(false);
    await host.send({ type: "user" });
    expect((await cli.read())?.type).toBe("user");
    cli.exit();
    expect((await host.closed).code).toBe(0);
  });

  test("lets the CLI exit by itself at close", async () => {
    const { host, cli } = transportPair();
    const served = (async () => {
      while ((await cli.read()) !== undefined);
      await cli.send({ type: "result" });
      cli.exit({ code: 7 });
    })();
    await host.send({ type: "user" });

    await host.close();

    expect(await host.closed).toEqual({ code: 7, signal: null, stderrTail: "" });
    expect(cli.killed.aborted).toBe(false);
    await served;
    expect(await readAll(host)).toEqual([{ type: "result" }]);
  });

  test("kills a CLI that does not exit at close, also with fake timers", async () => {
    vi.useFakeTimers();
    try {
      const { host, cli } = transportPair({ bufferBytes: 0 });
      const sending = host.send({ type: "user" });
      const writing = cli.send({ type: "assistant" });
      const reading = readAll(host);

      const closing = Promise.all([host.close(), host.close()]);

      await expect(sending).rejects.toThrow(FrameWriteError);
      await closing;
      expect(cli.killed.aborted).toBe(true);
      expect(await host.closed).toEqual({ code: null, signal: "SIGKILL", stderrTail: "" });
      await writing;
      expect(await reading).toEqual([{ type: "assistant" }]);
      expect(await cli.read()).toBeUndefined();
      await expect(cli.send({ type: "assistant" })).rejects.toThrow(FrameWriteError);
    } finally {
      vi.useRealTimers();
    }
  });

  test("frees a CLI whose writes nobody reads when the host closes", async () => {
    const { host, cli } = transportPair({ bufferBytes: 10 });
    await cli.send({ type: "assistant" });
    const waiting = cli.send({ type: "assistant" });

    await host.close();

    await expect(waiting).rejects.toThrow(FrameWriteError);
  });

  test("fails writes of the CLI when the consumer has left the loop", async () => {
    const { host, cli } = transportPair();
    await cli.send({ n: 1 });

    for await (const _ of host.frames) break;

    await expect(cli.send({ n: 2 })).rejects.toThrow(FrameWriteError);
    await host.close();
  });

  test("refuses a second consumer", async () => {
    const { host, cli } = transportPair();
    cli.exit();
    await readAll(host);

    expect(() => host.frames[Symbol.asyncIterator]()).toThrow(AlreadyConsumedError);
  });

  test("closes with the scope", async () => {
    const { host, cli } = transportPair();
    {
      await using scoped = host;
      await scoped.send({ type: "user" });
    }
    expect(cli.killed.aborted).toBe(true);
  });
});

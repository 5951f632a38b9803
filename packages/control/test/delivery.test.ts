import { decodeFrame } from "@reins/streamjson";
import { describe, expect, test } from "vitest";
import { SessionClosedError } from "../src/index.ts";
import { session, values } from "./session.ts";

const assistant = { type: "assistant", n: 1 };
const result = { type: "result", subtype: "success", is_error: false };
const notice = { type: "system", subtype: "mirror_error" };

function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("what has to be done before a result", () => {
  test("holds the result and what comes behind it, and no control traffic", async () => {
    const { open, opened } = gate();
    const { client, cli, ask } = session({
      canUseTool: () => ({ behavior: "allow" }),
      beforeResult: async () => {
        await opened;
        return [decodeFrame(JSON.stringify(notice))];
      },
    });
    for (const frame of [assistant, result, { ...assistant, n: 2 }]) await cli.send(frame);
    const permission = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t" };
    expect(await ask("p1", permission)).toMatchObject({ response: { behavior: "allow" } });
    expect((await client.messages.next()).value?.value).toEqual(assistant);
    expect(client.messages.take()).toBeUndefined();
    open();
    cli.exit();
    // Asked once more at the end.
    expect(await values(client)).toEqual([notice, result, { ...assistant, n: 2 }, notice]);
  });

  test("holds the end of the session, too, however quickly the last call is done", async () => {
    const { open, opened } = gate();
    let calls = 0;
    const { client, cli } = session({
      beforeResult: async () => {
        if (++calls === 1) await opened;
        return [];
      },
    });
    await cli.send(result);
    const reading = values(client);
    const pending = client.request("mcp_status").catch((error: unknown) => error);
    cli.exit();
    // From now on the end is known.
    expect(await pending).toBeInstanceOf(SessionClosedError);
    await new Promise((resolve) => setTimeout(resolve, 0));
    open();
    expect(await reading).toEqual([result]);
  });

  test("may fail", async () => {
    const { client, cli } = session({ beforeResult: () => Promise.reject(new Error("boom")) });
    await cli.send(result);
    cli.exit();
    expect(await values(client)).toEqual([result]);
  });

  test("is waited for by the normal end, also when the CLI does not exit", async () => {
    const { open, opened } = gate();
    const { client, cli } = session({
      beforeResult: async () => {
        await opened;
        return [];
      },
    });
    await client.send({ type: "user", message: { role: "user", content: "hi" } });
    await cli.send(result);
    const finishing = client.finish(1);
    const reading = values(client);
    await cli.read();
    expect(await cli.read()).toBeUndefined();
    open();
    await finishing;
    expect(await reading).toEqual([result]);
  });
});

test("lines of a transcript go to whoever takes them, else to the reader", async () => {
  const mirror = { type: "transcript_mirror", filePath: "/p", entries: [] };
  const taken: unknown[] = [];
  const one = session({ onTranscriptMirror: (frame) => taken.push(frame.value) });
  await one.cli.send(mirror);
  one.cli.exit();
  expect(await values(one.client)).toEqual([]);
  expect(taken).toEqual([mirror]);
  const two = session();
  await two.cli.send(mirror);
  two.cli.exit();
  expect(await values(two.client)).toEqual([mirror]);
});

test("an observer sees messages before their reader, and ends the session by throwing: the turn is interrupted", async () => {
  const seen: unknown[] = [];
  const { client, cli, read } = session({
    onMessage: ({ value }) => {
      seen.push(value);
      if (value.type === "result") throw new Error("enough");
    },
  });
  await cli.send(assistant);
  await cli.send(result);
  expect(await read()).toMatchObject({ type: "control_request", request: { subtype: "interrupt" } });
  expect(seen).toEqual([assistant, result]);
  expect((await client.messages.next()).value?.value).toEqual(assistant);
  await expect(client.messages.next()).rejects.toThrow("enough");
});

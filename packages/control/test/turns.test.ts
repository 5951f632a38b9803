import type { FrameValue } from "@reins/streamjson";
import { expect, test } from "vitest";
import { SessionClosedError, TurnEndedError } from "../src/index.ts";
import { answerTo, session } from "./session.ts";

function lifecycle(uuid: string, state: string): FrameValue {
  return { type: "command_lifecycle", command_uuid: uuid, state };
}

function result(...uuids: string[]): FrameValue {
  return { type: "result", subtype: "success", is_error: false, user_message_uuids: uuids };
}

test("a prompt is sent with a uuid, and its handle follows what the CLI says of it", async () => {
  const { client, cli, read } = session();
  const turn = await client.prompt("hello", { priority: "later" });
  expect(await read()).toEqual({
    type: "user",
    message: { role: "user", content: "hello" },
    parent_tool_use_id: null,
    priority: "later",
    uuid: turn.uuid,
  });
  expect(turn.uuid).toMatch(/^[0-9a-f-]{36}$/);
  const states = [turn.state];
  for (const state of ["queued", "started"]) {
    await cli.send(lifecycle(turn.uuid, state));
    await client.messages.next();
    states.push(turn.state);
  }
  await cli.send(result(turn.uuid));
  expect(await turn.result).toEqual(result(turn.uuid));
  await cli.send(lifecycle(turn.uuid, "completed"));
  await client.messages.next();
  await client.messages.next();
  expect([...states, turn.state]).toEqual(["sent", "queued", "started", "completed"]);
});

test("prompts that the CLI merged share a result, and say so", async () => {
  const { client, cli } = session();
  const first = await client.prompt("one", { uuid: "u1" });
  const second = await client.prompt("two", { uuid: "u2" });
  const third = await client.prompt("three", { uuid: "u3" });
  for (const uuid of ["u1", "u2", "u3"]) await cli.send(lifecycle(uuid, "queued"));
  await cli.send(lifecycle("u1", "started"));
  await cli.send(result("u1"));
  await cli.send(lifecycle("u1", "completed"));
  expect(await first.result).toEqual(result("u1"));
  expect(second.promptUuids).toEqual(["u2"]);
  await cli.send(result("u2", "u3"));
  expect(await second.result).toBe(await third.result);
  expect(second.promptUuids).toEqual(["u2", "u3"]);
});

test("a prompt that was folded into a running turn is completed before the result of that turn", async () => {
  const { client, cli } = session();
  const turn = await client.prompt("one", { uuid: "u1" });
  for (const state of ["queued", "started", "completed"]) await cli.send(lifecycle("u1", state));
  // The list of a result ends at 64 uuids.
  await cli.send(result("other"));
  expect(await turn.result).toEqual(result("other"));
});

test("an interrupted turn has its error result, a prompt that was taken back has none", async () => {
  const { client, cli, read } = session();
  const running = await client.prompt("one", { uuid: "u1" });
  const waiting = await client.prompt("two", { uuid: "u2" });
  await read();
  await read();
  await cli.send(lifecycle("u1", "started"));
  await cli.send(lifecycle("u2", "queued"));
  const cancelling = waiting.cancel();
  const request = await read();
  expect(request["request"]).toEqual({ subtype: "cancel_async_message", message_uuid: "u2" });
  await cli.send(lifecycle("u2", "cancelled"));
  await cli.send(answerTo(request, { cancelled: true }));
  expect(await cancelling).toBe(true);
  await expect(waiting.result).rejects.toBeInstanceOf(TurnEndedError);
  await expect(waiting.result).rejects.toMatchObject({ uuid: "u2", state: "cancelled" });
  const error = { ...result("u1"), subtype: "error_during_execution", is_error: true };
  await cli.send(error);
  await cli.send(lifecycle("u1", "cancelled"));
  expect(await running.result).toEqual(error);
});

test("a CLI that says nothing of prompts answers them in order, and its own turns answer none", async () => {
  const { client, cli } = session();
  const first = await client.prompt("one");
  const second = await client.prompt("two");
  const plain = { type: "result", subtype: "success", is_error: false };
  await cli.send({ ...plain, origin: { kind: "task-notification" } });
  await cli.send({ ...plain, result: "1" });
  await cli.send({ ...plain, result: "2" });
  expect([await first.result, await second.result]).toMatchObject([{ result: "1" }, { result: "2" }]);
  expect(first.state).toBe("completed");
});

test("the end of the session fails the handles that are open", async () => {
  const { client, cli } = session();
  const turn = await client.prompt("one");
  cli.exit();
  await expect(turn.result).rejects.toBeInstanceOf(SessionClosedError);
  await expect(client.prompt("two")).rejects.toBeInstanceOf(SessionClosedError);
});

test("a prompt that cannot be written fails, and its uuid is free again", async () => {
  const { client, cli } = session();
  await expect(client.prompt("one", { uuid: "u1", tool_use_result: 1n })).rejects.toMatchObject({
    code: "REINS_FRAME_ENCODE",
  });
  const turn = await client.prompt("one", { uuid: "u1" });
  await cli.send(result("u1"));
  expect(await turn.result).toEqual(result("u1"));
});

test("a prompt that was written just before the end of another run keeps the session open", async () => {
  const { client, cli } = session();
  const idle = { type: "system", subtype: "session_state_changed", state: "idle", sdk_host_only: true };
  const running = { ...idle, state: "running" };
  await client.prompt("one", { uuid: "u1" });
  await cli.read();
  await cli.send(running);
  for (const state of ["queued", "started"]) await cli.send(lifecycle("u1", state));
  const second = await client.prompt("two", { uuid: "u2" });
  await cli.read();
  const finishing = client.finish();
  // The CLI had not read the second prompt when it ended the first run.
  await cli.send(result("u1"));
  await cli.send(lifecycle("u1", "completed"));
  await cli.send(idle);
  await cli.send(lifecycle("u2", "queued"));
  await cli.send(running);
  await cli.send(result("u2"));
  expect(await second.result).toEqual(result("u2"));
  await cli.send(lifecycle("u2", "completed"));
  await cli.send(idle);
  expect(await cli.read()).toBeUndefined();
  cli.exit();
  await finishing;
});

test("a prompt that was sent twice is one prompt", async () => {
  const { client, cli } = session();
  const first = await client.prompt("one", { uuid: "u1" });
  const second = await client.prompt("one", { uuid: "u1" });
  await cli.send(result("u1"));
  expect(await second.result).toBe(await first.result);
});

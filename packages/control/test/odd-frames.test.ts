import { encodeFrame } from "@reins/streamjson";
import { expect, test } from "vitest";
import { ControlError } from "../src/index.ts";
import { changed, session } from "./session.ts";

const open = {
  type: "control_request",
  request_id: "p1",
  request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" },
};

test.each([
  ["no id", { request: { subtype: "ui_copy" } }],
  ["an id that is no string", { request_id: 5, request: { subtype: "ui_copy" } }],
  ["no content", { request_id: "u1" }],
  ["content that is no object", { request_id: "u1", request: [] }],
])("a request with %s is reported as it is, and not answered", async (_, fields) => {
  const { client, cli, read, diagnostics } = session();
  client.onRequest("ui_copy", { handle: () => ({ kind: "success" }) });
  const frame = { type: "control_request", ...fields };
  await cli.send(frame);
  await cli.send({ type: "control_request", request_id: "u2", request: { subtype: "other" } });
  expect(await read()).toMatchObject({ response: { request_id: "u2" } });
  expect(diagnostics).toEqual([{ kind: "unanswerable-request", request: frame }]);
});

test("an error without a text says to what it is the answer, and a code that is no string is none", async () => {
  const { client, cli, read } = session();
  const answer = client.request("mcp_status").catch((error: unknown) => error);
  const { request_id } = await read();
  const response = { subtype: "error", request_id, error: { nested: true }, error_code: 5 };
  await cli.send({ type: "control_response", response });
  const error = await answer;
  expect(error).toBeInstanceOf(ControlError);
  expect(error).toMatchObject({ message: expect.stringContaining("no valid answer to mcp_status") });
  expect(error).toMatchObject({ errorCode: undefined });
});

test("open questions are taken from the answer to initialize only", async () => {
  let asked = 0;
  const { client, cli, read, ask } = session({
    canUseTool: () => {
      asked++;
      return { behavior: "deny", message: "no" };
    },
  });
  const answer = client.request("mcp_status");
  const { request_id } = await read();
  const response = { subtype: "success", request_id, response: {}, pending_permission_requests: [open] };
  await cli.send({ type: "control_response", response });
  await answer;
  await ask("u1", { subtype: "other" });
  expect(asked).toBe(0);
});

test("an answer that cannot be written is reported, and is no failure of the callback", async () => {
  let failures = 0;
  const gone = new Error("the sink is gone");
  const { client, cli, diagnostics, ask } = session({}, (transport) =>
    changed({
      send: (frame) =>
        encodeFrame(frame).includes('"request_id":"u1"') ? Promise.reject(gone) : transport.send(frame),
    })(transport),
  );
  client.onRequest("ui_copy", {
    handle: () => ({ kind: "success" }),
    onFailure: () => {
      failures++;
      return { kind: "none" };
    },
  });
  await cli.send({ type: "control_request", request_id: "u1", request: { subtype: "ui_copy" } });
  await ask("u2", { subtype: "other" });
  expect(diagnostics).toEqual([{ kind: "answer-lost", requestId: "u1", error: gone }]);
  expect(failures).toBe(0);
});

test("only a prompt begins a run", async () => {
  const { client, cli } = session();
  await client.send({ type: "keep_alive" });
  await client.whenRunOver();
  await client.send({ type: "user", message: { role: "user", content: "hi" } });
  let isOver = false;
  const over = client.whenRunOver().then(() => {
    isOver = true;
  });
  await cli.send({ type: "assistant" });
  await client.messages.next();
  expect(isOver).toBe(false);
  await cli.send({ type: "result", subtype: "success", is_error: false });
  cli.exit();
  await over;
});

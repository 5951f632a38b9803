import { encodeFrame } from "@reins/streamjson";
import { expect, test } from "vitest";
import type { Answer, RequestContext } from "../src/index.ts";
import { changed, session } from "./session.ts";

const request = { subtype: "ui_copy" };
const done: Answer = { kind: "success" };

/** A promise that the test settles. */
function later<Value = void>(): { readonly promise: Promise<Value>; readonly settle: (value: Value) => void } {
  let settle!: (value: Value) => void;
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

test("a signal that is asked for after the request was withdrawn has aborted already, with the reason", async () => {
  const { client, cli, ask } = session();
  const told = later<RequestContext>();
  const answer = later<Answer>();
  client.onRequest("ui_copy", {
    handle: (_, context) => {
      told.settle(context);
      return answer.promise;
    },
  });
  await cli.send({ type: "control_request", request_id: "u1", request });
  await cli.send({ type: "control_cancel_request", request_id: "u1" });
  await ask("u2", { subtype: "other" });
  const { signal } = await told.promise;
  expect([signal.aborted, signal.reason.name]).toEqual([true, "AbortError"]);
  answer.settle(done);
});

test("only an answer that came too late is reported, not the word that there is none", async () => {
  const { client, cli, ask, diagnostics } = session();
  const answers: ((answer: Answer) => void)[] = [];
  client.onRequest("ui_copy", { handle: () => new Promise((resolve) => answers.push(resolve)) });
  for (const id of ["u1", "u2"]) {
    await cli.send({ type: "control_request", request_id: id, request });
    await cli.send({ type: "control_cancel_request", request_id: id });
  }
  await ask("u3", { subtype: "other" });
  answers[0]?.({ kind: "none" });
  answers[1]?.(done);
  await ask("u4", { subtype: "other" });
  expect(diagnostics).toEqual([{ kind: "late-answer", requestId: "u2", subtype: "ui_copy" }]);
});

test("an id that is used again belongs to the new request, also while the answer to the old one is being written", async () => {
  const [writing, written] = [later(), later()];
  let held = "u1";
  const { client, cli, ask } = session({}, (transport) =>
    changed({
      send: async (frame) => {
        if (held !== "" && encodeFrame(frame).includes(`"request_id":"${held}"`)) {
          held = "";
          writing.settle();
          await written.promise;
        }
        return transport.send(frame);
      },
    })(transport),
  );
  const contexts: RequestContext[] = [];
  const second = later<Answer>();
  client.onRequest("ui_copy", {
    handle: (_, context) => (contexts.push(context) === 1 ? done : second.promise),
  });
  await cli.send({ type: "control_request", request_id: "u1", request });
  await writing.promise;
  await cli.send({ type: "control_cancel_request", request_id: "u1" });
  await cli.send({ type: "control_request", request_id: "u1", request });
  await ask("u2", { subtype: "other" });
  written.settle();
  await cli.read();

  // It is being served, so it is neither begun again nor out of reach.
  await cli.send({ type: "control_request", request_id: "u1", request });
  await ask("u3", { subtype: "other" });
  expect(contexts).toHaveLength(2);
  await cli.send({ type: "control_cancel_request", request_id: "u1" });
  await ask("u4", { subtype: "other" });
  expect(contexts.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  second.settle(done);
});

test("nothing stands in for an answer that cannot be written, where the handler says so", async () => {
  const { client, cli, read, diagnostics } = session();
  client.onRequest("ui_copy", {
    handle: () => ({ kind: "success", response: { size: 1n } }),
    onFailure: () => ({ kind: "none" }),
  });
  await cli.send({ type: "control_request", request_id: "u1", request });
  await cli.send({ type: "control_request", request_id: "u2", request: { subtype: "other" } });
  expect(await read()).toMatchObject({ response: { request_id: "u2" } });
  expect(diagnostics).toMatchObject([{ kind: "callback-failed", subtype: "ui_copy" }]);
});

test("the end of the session withdraws what is being served, and nothing is begun behind it", async () => {
  const { client, cli, ask } = session({
    onMessage: () => {
      // Ends the session, as whatever it throws.
      throw new Error("enough");
    },
  });
  const contexts: RequestContext[] = [];
  client.onRequest("ui_copy", {
    handle: (_, context) => {
      contexts.push(context);
      return new Promise<never>(() => {});
    },
  });
  await cli.send({ type: "control_request", request_id: "u1", request });
  await ask("u2", { subtype: "other" });
  const next = { type: "control_request", request_id: "u3", request };
  // Read at once, so that the request is there already when the session ends.
  await cli.write(`${JSON.stringify({ type: "assistant" })}\n${JSON.stringify(next)}\n`);
  await client.ended;
  expect(contexts.map(({ requestId, signal }) => [requestId, signal.aborted])).toEqual([["u1", true]]);
});

test("to withdraw what was never asked, or was answered, changes nothing", async () => {
  const { client, cli, ask, diagnostics } = session();
  client.onRequest("ui_copy", { handle: () => done });
  await cli.send({ type: "control_cancel_request", request_id: "never" });
  await ask("u1", request);
  await cli.send({ type: "control_cancel_request", request_id: "u1" });
  expect(await ask("u1", request)).toMatchObject({ subtype: "success" });
  expect(diagnostics).toEqual([]);
});

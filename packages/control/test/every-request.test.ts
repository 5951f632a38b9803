import { inboundRequestSchemas, outboundRequestSchemas } from "@reins/messages/schemas";
import { expect, test } from "vitest";
import { answerTo, refusalOf, session } from "./session.ts";

// Also those that have no method of their own, and those that no CLI can be made to send offline.

test.each(Object.keys(outboundRequestSchemas))("%s is asked under its name, answered, and refused", async (subtype) => {
  const { client, cli, read } = session();
  const answered = client.request(subtype, { field: 1 });
  const request = await read();
  expect(request).toMatchObject({ type: "control_request", request: { subtype, field: 1 } });
  await cli.send(answerTo(request, { answer: 2 }));
  expect(await answered).toEqual({ answer: 2 });
  const refused = expect(client.request(subtype)).rejects.toMatchObject({
    subtype,
    errorCode: "no",
    message: "Not now.",
  });
  await cli.send(refusalOf(await read(), "Not now.", "no"));
  await refused;
});

const own = ["can_use_tool", "hook_callback", "mcp_message", "elicitation", "request_user_dialog"];
const foreign = ["remote_tool_call", "remote_plumbing_call", "remote_tools_probe", "remote_tools_reannounce"];

test.each(Object.keys(inboundRequestSchemas))("%s of the CLI is answered by a handler of the host", async (subtype) => {
  const { client, ask } = session();
  const takeBack = client.onRequest(subtype, { handle: ({ field }) => ({ kind: "success", response: { field } }) });
  expect(await ask("r1", { subtype, field: 3 })).toEqual({
    subtype: "success",
    request_id: "r1",
    response: { field: 3 },
  });
  takeBack();
  // A dialog of a kind that was not declared is left to another client, too.
  if (foreign.includes(subtype) || subtype === "request_user_dialog") return;
  // Whatever it is without one: an answer, so that the CLI does not wait.
  expect(await ask("r2", { subtype })).toMatchObject({ request_id: "r2" });
});

test.each(Object.keys(inboundRequestSchemas).filter((subtype) => !own.includes(subtype)))(
  "%s of the CLI is unsupported without a handler, or left to whom it belongs",
  async (subtype) => {
    const { ask, cli, read } = session();
    const unsupported = { subtype: "error", error: `Unsupported control request subtype: ${subtype}` };
    if (!foreign.includes(subtype)) expect(await ask("r1", { subtype })).toMatchObject(unsupported);
    else {
      await cli.send({ type: "control_request", request_id: "r1", request: { subtype } });
      await cli.send({ type: "control_request", request_id: "r2", request: { subtype: "unknown" } });
      // The first answer is the one to the second request.
      expect(await read()).toMatchObject({ response: { request_id: "r2" } });
    }
  },
);

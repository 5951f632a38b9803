import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import {
  apiError,
  createGate,
  type ModelScript,
  type ScriptedModel,
  ScriptMismatchError,
  startLeakCheck,
  startScriptedModel,
  text,
  toolUse,
} from "../src/index.ts";

/** An answer as a plain HTTP client sees it. `body` ends where the connection was cut. */
interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly isCut: boolean;
}

const call = { model: "claude-x", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

async function send(
  model: ScriptedModel,
  body: unknown,
  options: { path?: string; method?: string; agent?: Agent; signal?: AbortSignal } = {},
): Promise<Answer> {
  const { path = "/v1/messages?beta=true", method = "POST", ...rest } = options;
  const { hostname, port } = new URL(model.url);
  const headers = { "x-api-key": "sk-ant-secret", authorization: "Bearer secret", "x-kept": "kept" };
  const outgoing = httpRequest({ hostname, port, path, method, headers, ...rest });
  outgoing.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(outgoing, "response");
  if (response === undefined) throw new Error("no response");
  let received = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  const isCut = await once(response, "end").then(
    () => false,
    () => true,
  );
  return { status: response.statusCode, headers: response.headers, body: received, isCut };
}

function eventTypes({ body }: Answer): string[] {
  return [...body.matchAll(/^event: (.*)$/gm)].map(([, type]) => type!);
}

function problemsOf(model: ScriptedModel): readonly string[] {
  try {
    model.assertDone();
    return [];
  } catch (error) {
    if (error instanceof ScriptMismatchError) return error.problems;
    throw error;
  }
}

/** A scripted model that must leave nothing behind. */
async function withModel(script: ModelScript, use: (model: ScriptedModel) => Promise<void>): Promise<void> {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel(script);
  await use(model);
}

test("answers with a stream or without one, as it is asked", () =>
  withModel([text("a"), text("b")], async (model) => {
    const streamed = await send(model, { ...call, stream: true });
    const whole = await send(model, call);

    expect(streamed.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    expect(eventTypes(streamed)).toEqual([
      ...["message_start", "content_block_start", "content_block_delta", "content_block_stop"],
      ...["message_delta", "message_stop"],
    ]);
    expect(streamed.body).toContain('"id":"msg_0001"');
    expect(JSON.parse(whole.body)).toMatchObject({ id: "msg_0002", model: "claude-x", content: [{ text: "b" }] });
    expect(whole.headers["request-id"]).toBe("req_0002");
    expect(problemsOf(model)).toEqual([]);
  }));

test("records what was asked, without credentials", () =>
  withModel([text("a")], async (model) => {
    await send(model, call);

    expect(model.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "<redacted>", authorization: "<redacted>", "x-kept": "kept" },
      body: call,
    });
    expect(JSON.stringify(model.requests)).not.toContain("secret");
  }));

test("sends errors with their headers, and bodies that are none of the API's", () =>
  withModel(
    [apiError(429, { headers: { "retry-after": "7" } }), apiError(502, { body: "<html>Bad gateway</html>" })],
    async (model) => {
      expect(await send(model, { ...call, stream: true })).toMatchObject({
        status: 429,
        headers: { "retry-after": "7", "content-type": "application/json" },
        body: '{"type":"error","error":{"type":"rate_limit_error","message":"Scripted error 429."}}',
      });
      expect(await send(model, call)).toMatchObject({ status: 502, body: "<html>Bad gateway</html>" });
    },
  ));

test("sends an error in the middle of a stream as its last event", () =>
  withModel([apiError(529, { content: text("a", "b"), afterEvents: 3 })], async (model) => {
    const answer = await send(model, { ...call, stream: true });

    expect(answer).toMatchObject({ status: 200, isCut: false });
    expect(eventTypes(answer)).toEqual(["message_start", "content_block_start", "content_block_delta", "error"]);
    expect(answer.body).toMatch(/data: \{"type":"error","error":\{"type":"overloaded_error"/);
  }));

test("cuts the connection before the answer, in the middle and at the end of a stream", () =>
  withModel(
    [{ drop: true }, { content: text("a"), drop: true, afterEvents: 2 }, { drop: true, afterEvents: 99 }],
    async (model) => {
      await expect(send(model, call)).rejects.toMatchObject({ code: "ECONNRESET" });
      const middle = await send(model, { ...call, stream: true });
      const end = await send(model, { ...call, stream: true });

      expect([middle.isCut, end.isCut]).toEqual([true, true]);
      expect(eventTypes(middle)).toEqual(["message_start", "content_block_start"]);
      expect(eventTypes(end)).toEqual(["message_start", "message_delta", "message_stop"]);
      await expect(Promise.all(model.requests.map(({ ended }) => ended))).resolves.toEqual([
        "dropped",
        "dropped",
        "dropped",
      ]);
    },
  ));

test("holds an answer until the gate is open, before its start or in its middle", async () => {
  const gates = [createGate(), createGate()];
  const script = [
    { content: text("a"), hold: gates[0]!.opened },
    { content: text("b"), hold: gates[1]!.opened, afterEvents: 2 },
  ];
  await withModel(script, async (model) => {
    const order: string[] = [];
    const first = send(model, call).then(() => order.push("answer"));
    await model.waitForRequest(1);
    order.push("open");
    gates[0]!.open();
    await first;
    expect(order).toEqual(["open", "answer"]);

    const second = send(model, { ...call, stream: true });
    await model.waitForRequest(2);
    gates[1]!.open();
    expect(eventTypes(await second)).toHaveLength(6);
  });
});

test("takes its time before the answer and between the events", () =>
  withModel([{ content: text("a"), delayMs: 60, eventDelayMs: 20 }], async (model) => {
    const start = performance.now();
    await send(model, { ...call, stream: true });

    // Six events with five pauses. Timers may fire up to a millisecond early.
    expect(performance.now() - start).toBeGreaterThan(60 + 5 * 20 - 6);
  }));

test("gives up an answer when the client goes away", async () => {
  const gate = createGate();
  await withModel([{ hold: gate.opened }, { delayMs: 60_000 }, { eventDelayMs: 60_000 }], async (model) => {
    for (const index of [0, 1, 2]) {
      const client = new AbortController();
      const answer = send(model, { ...call, stream: true }, { signal: client.signal });
      const { ended } = await model.waitForRequest(index + 1);
      client.abort();
      await answer.catch(() => {});
      await expect(ended).resolves.toBe("cancelled");
    }
    model.assertDone();
  });
});

test("asks a function, which may think and may refuse", () =>
  withModel(
    async ({ userText }, index) => (userText === "no" ? undefined : text(`${userText} ${index}`)),
    async (model) => {
      expect((await send(model, call)).body).toContain('"hi 0"');
      const refused = await send(model, { ...call, messages: [{ role: "user", content: "no" }] });

      expect(refused).toMatchObject({ status: 500, headers: { "x-should-retry": "false" } });
      const problem = 'Scripted model: call 2 has no answer, the script refused it. Its last user text: "no"';
      expect(JSON.parse(refused.body).error.message).toBe(problem);
      expect(problemsOf(model)).toEqual([problem]);
    },
  ));

test("reports a function that throws, and an answer that cannot be written, with the cause", async () => {
  const mistake = new Error("mistake in the test");
  const script: ModelScript = (_request, index) => {
    if (index === 0) throw mistake;
    return { headers: { "not a header": "x" } };
  };
  await withModel(script, async (model) => {
    expect((await send(model, call)).body).toContain("mistake in the test");
    await expect(send(model, call)).rejects.toThrow();

    expect(() => model.assertDone()).toThrow(
      expect.objectContaining({ code: "REINS_SCRIPT_MISMATCH", cause: mistake }),
    );
    expect(problemsOf(model)).toEqual([
      "Scripted model: call 1 got no answer, the script threw Error: mistake in the test",
      expect.stringMatching(/^An answer could not be written: TypeError.*not a header/),
    ]);
  });
});

test("reports what is left of the script, and what was asked beyond it", () =>
  withModel([text("a"), text("b"), text("c")], async (model) => {
    await send(model, call);
    expect(model.remaining).toBe(2);
    expect(problemsOf(model)).toEqual(["2 of 3 turns were not used, the next one is number 2."]);
    await send(model, call);
    await send(model, call);
    expect(problemsOf(model)).toEqual([]);

    expect(await send(model, call)).toMatchObject({ status: 500, headers: { "x-should-retry": "false" } });
    expect(model.remaining).toBe(0);
    expect(problemsOf(model)).toEqual([
      'Scripted model: call 4 has no answer, the script of the test has only 3. Its last user text: "hi"',
    ]);
  }));

test("answers side requests by itself, with and without a stream", () =>
  withModel([], async (model) => {
    const title = { output_config: { format: { type: "json_schema", schema: { properties: { title: {} } } } } };
    const probe = await send(model, { ...call, max_tokens: 1 });
    const named = await send(model, { ...call, ...title, tools: [], stream: true });
    const counted = await send(model, call, { path: "/v1/messages/count_tokens?beta=true" });
    const hello = await send(model, undefined, { path: "/api/hello", method: "HEAD" });

    expect(JSON.parse(probe.body)).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 1 } });
    expect(named.body).toContain(JSON.stringify('{"title":"Scripted session"}'));
    expect(JSON.parse(counted.body)).toEqual({ input_tokens: expect.any(Number) });
    expect(hello.status).toBe(200);
    expect(model.sideRequests).toHaveLength(4);
    expect(model.requests).toEqual([]);
    expect(problemsOf(model)).toEqual([]);
  }));

test("asks the script for an object with a title when the call offers tools", () =>
  withModel([text("a")], async (model) => {
    const title = { output_config: { format: { type: "json_schema", schema: { properties: { title: {} } } } } };
    await send(model, { ...call, ...title, tools: [{ name: "Bash" }] });

    model.assertDone();
  }));

test.each([
  ["GET", "/v1/files", undefined],
  ["POST", "/v1/messages/batches", { requests: [] }],
  ["POST", "/v1/messages", "no json"],
  ["POST", "/v1/messages", { messages: "no list" }],
  ["GET", "/v1/messages", undefined],
])("does not know %s %s with %j", (method, path, body) =>
  withModel([], async (model) => {
    const answer = await send(model, body, { method, path });

    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ type: "error", error: { type: "not_found_error" } });
    expect(model.sideRequests).toMatchObject([{ method, path, body }]);
    expect(problemsOf(model)).toEqual([`${method} ${path} is not known.`]);
  }),
);

test("catches what is meant for other hosts", () =>
  withModel([], async (model) => {
    const plain = await send(model, undefined, { method: "GET", path: "http://example.com/x" });
    const tunnel = connect(Number(new URL(model.url).port), "127.0.0.1");
    tunnel.write("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n");

    expect(plain.status).toBe(403);
    expect(await readText(tunnel)).toMatch(/^HTTP\/1\.1 403 /);
    expect(problemsOf(model)).toEqual([
      "GET http://example.com/x was meant for another host and did not leave this one.",
      "CONNECT example.com:443 was meant for another host and did not leave this one.",
    ]);
  }));

test("waits for a call by number or by what it holds", () =>
  withModel([text("a"), text("b")], async (model) => {
    const second = model.waitForRequest(2);
    const bye = model.waitForRequest(({ userText }) => userText === "bye");
    await send(model, call);
    await send(model, { ...call, messages: [{ role: "user", content: "bye" }] });

    expect(await second).toBe(model.requests[1]);
    expect(await bye).toBe(model.requests[1]);
    expect(await model.waitForRequest(1, 0)).toBe(model.requests[0]);
  }));

test("says what came when it waited in vain", () =>
  withModel([toolUse("Bash")], async (model) => {
    await expect(model.waitForRequest(1, 1)).rejects.toThrow(/no call 1 of the model within 1 ms\. No request came\.$/);
    await send(model, call);
    await send(model, undefined, { method: "GET", path: "/nope" });
    const inVain = model.waitForRequest(({ userText }) => userText === "never", 1);
    await expect(inVain).rejects.toMatchObject({
      code: "REINS_REQUEST_NOT_SEEN",
      message: expect.stringContaining('What came:\n- call 1, user text "hi"\n- GET /nope'),
    });
    await expect(
      model.waitForRequest(() => {
        throw new Error("in the test");
      }),
    ).rejects.toThrow("in the test");

    const late = model.waitForRequest(2);
    const early = expect(late).rejects.toThrow("before it was closed");
    await model.close();
    await early;
    await expect(model.waitForRequest(2)).rejects.toThrow("before it was closed");
  }));

test("closes with held answers, slow functions and kept connections, once", async () => {
  const agent = new Agent({ keepAlive: true });
  const never = createGate();
  const script: ModelScript = async (_request, index) => {
    if (index === 0) return text("a");
    if (index === 1) await never.opened;
    return { hold: never.opened };
  };
  await withModel(script, async (model) => {
    await send(model, call, { agent });
    const pending = [send(model, call, { agent }), send(model, call)];
    const outcomes = Promise.allSettled(pending);
    await model.waitForRequest(3);
    const closed = model.close();

    expect(model.close()).toBe(closed);
    await closed;
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await Promise.all(model.requests.map(({ ended }) => ended))).toEqual(["answered", "dropped", "dropped"]);
    await expect(send(model, call)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
  agent.destroy();
});

test("takes a large request in small pieces", () =>
  withModel([text("a")], async (model) => {
    const content = "ä".repeat(1_000_000);
    await send(model, { ...call, messages: [{ role: "user", content }] });

    expect(model.requests[0]?.userText).toBe(content);
  }));

test("refuses a list with what is no answer, such as a function", async () => {
  // What a caller without types could pass.
  const script = [() => text("hi")] as never;
  await expect(startScriptedModel(script)).rejects.toThrow("Answer 1 of the script is of type function");
});

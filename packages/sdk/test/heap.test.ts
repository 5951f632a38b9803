import { MemorySessionStore } from "@reins/sessions";
import { type CliStep, checkHeap, scriptedCli } from "@reins/testkit";
import { expect, test } from "vitest";
import { AbortError, Client, createToolServer, type Options, query, startup, tool } from "../src/index.ts";

// What one session leaves in memory is too little to be seen; what each of a hundred leaves is not. The CLI is a script in memory, so that
// what is measured is the host: queries, messages and options, and what a signal, a server or a store of the caller remembers of them.

const session_id = "11111111-1111-4111-8111-111111111111";
const prompt: readonly CliStep[] = [
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
];
const result: CliStep = {
  do: "write",
  frame: { type: "result", subtype: "success", is_error: false, session_id, result: "done" },
};
const ask = (request_id: string, request: object): readonly CliStep[] => [
  { do: "write", frame: { type: "control_request", request_id, request } },
  { do: "read", match: { "response.request_id": request_id } },
];
const permission = ask("permission", { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" });

/** Plays the steps, with the end of the input awaited behind them. */
function play(...steps: readonly CliStep[]): ReturnType<typeof scriptedCli> {
  return scriptedCli({ steps: [{ do: "init" }, ...steps, { do: "readEnd" }] });
}

test("a query that was read to its end leaves nothing, on a signal that lives on neither", async () => {
  const abortController = new AbortController();
  await checkHeap(async (track) => {
    await using cli = play(...prompt, ...permission, result);
    const canUseTool: Options["canUseTool"] = track(() => ({ behavior: "allow" }));
    const options: Options = { transport: cli.transport, abortController, canUseTool };
    const session = track(query({ prompt: "Go.", options }));
    for await (const message of session) track(message);
  });
});

test("a query that was aborted in mid turn leaves nothing", async () => {
  await checkHeap(async (track) => {
    await using cli = play(...prompt);
    const abortController = track(new AbortController());
    const session = track(query({ prompt: "Go.", options: { transport: cli.transport, abortController } }));
    let thrown: unknown;
    try {
      for await (const message of session) {
        track(message);
        abortController.abort();
      }
    } catch (error) {
      thrown = error;
    }
    // Not `rejects`: the runner keeps the promises of those until the end of the test.
    expect(thrown).toBeInstanceOf(AbortError);
  });
});

test("a query that was closed while a permission was asked leaves nothing, though the callback never settles", async () => {
  await checkHeap(async (track) => {
    await using cli = play(...prompt, ...permission);
    const session = track(
      query({
        prompt: "Go.",
        options: {
          transport: cli.transport,
          canUseTool: track(() => {
            void session.close();
            return new Promise<never>(() => {});
          }),
        },
      }),
    );
    for await (const message of session) track(message);
  });
});

test("a turn that was interrupted leaves nothing", async () => {
  await checkHeap(async (track) => {
    const interrupt: readonly CliStep[] = [
      { do: "read", match: { "request.subtype": "interrupt" }, as: "interrupt" },
      {
        do: "write",
        frame: {
          type: "control_response",
          response: { subtype: "success", request_id: "{{interrupt.request_id}}", response: {} },
        },
      },
    ];
    await using cli = play(...prompt, ...interrupt, result);
    const session = track(query({ prompt: "Go.", options: { transport: cli.transport } }));
    for await (const message of session) if (track(message).type === "system") await session.interrupt();
  });
});

test("calls of tools and hooks leave nothing, on a server that lives on neither", async () => {
  const server = createToolServer({ name: "own", tools: [tool("who", "Says it.", {}, () => "me")] });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "who", arguments: {} } };
  const callback_id = "{{init.request.hooks.PreToolUse.0.hookCallbackIds.0}}";
  const input = { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} };
  await checkHeap(async (track) => {
    await using cli = play(
      ...prompt,
      ...ask("tool", { subtype: "mcp_message", server_name: "own", message: call }),
      ...ask("hook", { subtype: "hook_callback", callback_id, input }),
      result,
    );
    const hook = track(async () => ({}));
    const options: Options = {
      transport: cli.transport,
      mcpServers: { own: server },
      hooks: { PreToolUse: [{ hooks: [hook] }] },
    };
    const session = track(query({ prompt: "Go.", options }));
    for await (const message of session) track(message);
    expect(JSON.stringify((await cli.log()).frames)).toContain('"text":"me"');
  });
});

test("a session that was started ahead leaves nothing, claimed or not", async () => {
  await checkHeap(async (track) => {
    await using cli = play(...prompt, result);
    const warm = track(await startup({ options: { transport: cli.transport } }));
    for await (const message of track(warm.query("Go."))) track(message);
    await using unused = play();
    await track(await startup({ options: { transport: unused.transport } })).close();
  });
});

test("a client of several turns leaves nothing", async () => {
  await checkHeap(async (track) => {
    await using cli = play(...prompt, result, ...prompt, result);
    await using client = track(new Client({ transport: cli.transport }));
    for (const text of ["One.", "Two."]) {
      await client.query(text);
      for await (const message of client.receiveResponse()) track(message);
    }
  });
});

test("a session whose transcript is mirrored leaves nothing but that, on a store that lives on", async () => {
  const store = new MemorySessionStore();
  const key = { projectKey: "-p", sessionId: session_id };
  const uuid = "22222222-2222-4222-8222-222222222222";
  const entries = [{ type: "user", uuid, message: { role: "user", content: "Go." } }];
  await checkHeap(async (track) => {
    await using cli = play(
      { do: "read", match: { type: "user" } },
      {
        do: "write",
        frame: { type: "transcript_mirror", filePath: `/config/projects/-p/${session_id}.jsonl`, entries },
      },
      result,
    );
    const options: Options = { transport: cli.transport, sessionStore: store };
    const session = track(query({ prompt: "Go.", options }));
    for await (const message of session) track(message);
    expect(await store.load(key)).toHaveLength(1);
    await store.delete(key);
  });
});

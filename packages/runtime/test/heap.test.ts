import { type CliStep, checkHeap, scriptedCli } from "@reins/testkit";
import { expect, test } from "vitest";
import { createAgent, type RuntimeEvent, TurnFailedError } from "../src/index.ts";

// The CLI is a script in memory, so that what is measured is the host alone.

const session_id = "11111111-1111-4111-8111-111111111111";
const message = { id: "msg_1", role: "assistant", content: [{ type: "text", text: "Hello." }] };
const turn: readonly CliStep[] = [
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
  { do: "write", frame: { type: "assistant", session_id, message } },
  { do: "write", frame: { type: "result", subtype: "success", is_error: false, session_id, result: "Hello." } },
];

test("sessions that were closed leave nothing, on an agent that lives on, whose hooks they called", async () => {
  const events: RuntimeEvent[] = [];
  await using agent = createAgent({ onRuntimeEvent: (event) => events.push(event) });
  agent.registerHook("iteration_start", () => undefined);
  await checkHeap(async (track) => {
    await using cli = scriptedCli({ steps: [{ do: "init" }, ...turn, ...turn, { do: "readEnd" }] });
    const session = track(agent.session({ transport: cli.transport }));
    for (const prompt of ["One.", "Two."]) expect(track(await session.submitMessage(prompt)).text).toBe("Hello.");
    await session.close();
    expect(events.map(track)).not.toEqual([]);
    events.length = 0;
  });
});

test("a session that was closed while its turn waited for a permission leaves nothing", async () => {
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "toolu_1" };
  await using agent = createAgent();
  await checkHeap(async (track) => {
    const permission: CliStep = { do: "write", frame: { type: "control_request", request_id: "p", request } };
    await using cli = scriptedCli({ steps: [{ do: "init" }, ...turn.slice(0, 2), permission, { do: "readEnd" }] });
    const session = track(
      agent.session({
        transport: cli.transport,
        prompt: track(() => {
          void session.close();
          return new Promise<never>(() => {});
        }),
      }),
    );
    const error: unknown = await session.submitMessage("Go.").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TurnFailedError);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, test } from "vitest";
import { busTransport } from "../../../docs/examples/bus-transport.ts";
import { query } from "../src/index.ts";

// The transport that docs/custom-transports.md makes from nothing, over a bus that is a child.

const base = { session_id: "11111111-1111-4111-8111-111111111111", uuid: "00000000-0000-4000-8000-000000000001" };
const turn = [
  { do: "init" },
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "result", subtype: "success", is_error: false, result: "Hello.", ...base } },
  { do: "write", frame: { type: "system", subtype: "session_state_changed", state: "idle", ...base } },
  { do: "readEnd" },
] as const;

function startBus(path: string): Parameters<typeof busTransport>[0] {
  const child = spawn(path, [], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  return {
    publish: (line) =>
      new Promise((resolve, reject) => {
        if (line === "") child.stdin.end(resolve);
        else child.stdin.write(line, (error) => (error ? reject(error) : resolve()));
      }),
    subscribe: (onData, onEnd) => {
      void (async () => {
        for await (const data of child.stdout) await onData(data);
        const [code] = await exited;
        onEnd(code === 0 ? undefined : new Error(`The CLI ended with exit code ${code}.`));
      })();
    },
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

test("a session over the bus runs to its end", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: turn });
  const results: unknown[] = [];
  for await (const message of query({ prompt: "Hello.", options: { transport: busTransport(startBus(cli.path)) } })) {
    if (message.type === "result") results.push(message);
  }
  expect(results).toMatchObject([{ result: "Hello." }]);
});

test("leaving the loop ends what is at the other end of the bus", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: turn });
  for await (const message of query({ prompt: "Hello.", options: { transport: busTransport(startBus(cli.path)) } })) {
    if (message.type === "result") break;
  }
});

test("why the other end went away is the error of the session", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: [turn[0], turn[1], { do: "exit", code: 3 }] });
  const session = query({ prompt: "Hello.", options: { transport: busTransport(startBus(cli.path)) } });
  await expect(session.next()).rejects.toThrow("The CLI ended with exit code 3.");
});

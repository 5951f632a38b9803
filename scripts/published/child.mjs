// A session with a child of this runtime, to its end.
import { deepEqual, rejects } from "node:assert/strict";
import { query } from "@reins/sdk";
import { scriptedCliExecutable } from "@reins/testkit";

const odd = "a\u2028b\u2029c\u0085d\u{1f600}";
const base = { session_id: "11111111-1111-4111-8111-111111111111", uuid: "00000000-0000-4000-8000-000000000001" };
{
  const cli = await scriptedCliExecutable({
    steps: [
      { do: "init" },
      { do: "read", match: { type: "user" } },
      { do: "chunked", size: 1, frame: { type: "result", subtype: "success", is_error: false, result: odd, ...base } },
      { do: "write", frame: { type: "system", subtype: "session_state_changed", state: "idle", ...base } },
      { do: "readEnd" },
    ],
  });
  const results = [];
  for await (const message of query({ prompt: "Hello.", options: { pathToClaudeCodeExecutable: cli.path, env: {} } })) {
    if (message.type === "result") results.push(message.result);
  }
  deepEqual(results, [odd]);
  await cli.close();
}
{
  const cli = await scriptedCliExecutable({
    steps: [{ do: "init" }, { do: "stderr", text: "out of order\n" }, { do: "exit", code: 3 }],
  });
  const session = query({ prompt: "Hello.", options: { pathToClaudeCodeExecutable: cli.path, env: {} } });
  await rejects(Array.fromAsync?.(session) ?? session.next(), /code 3/);
  await cli.close();
}
console.log("ok");

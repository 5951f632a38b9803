import { query } from "@reins/sdk";
import { scriptedCli } from "@reins/testkit";
import { expect, test } from "vitest";

test("a CLI that dies before its result is an error", async () => {
  const cli = scriptedCli({
    steps: [{ do: "init" }, { do: "read", match: { type: "user" } }, { do: "exit", code: 3 }],
  });
  const session = query({ prompt: "Hello.", options: { transport: cli.transport } });
  await expect(session.next()).rejects.toThrow("ended with exit code 3");
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createSandbox, findTestBinary, startLeakCheck, startScriptedModel, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { BridgeProvider } from "../examples/provider.ts";
import type { TranscriptEntry } from "../src/index.ts";

const add = {
  name: "add",
  description: "Adds two numbers.",
  input_schema: { properties: { a: { type: "number" }, b: { type: "number" } } },
};

test("an agent that keeps the conversation itself uses the bridge as a provider of a model", async () => {
  await using _leaks = startLeakCheck();
  await using model = await startScriptedModel([
    toolUse("mcp__host__add", { a: 2, b: 40 }),
    text("It is 42."),
    text("43."),
    text("Then 43."),
  ]);
  await using sandbox = await createSandbox({ model });
  const bin = join(sandbox.root, "bin");
  await mkdir(bin);
  await symlink(findTestBinary(), join(bin, "claude"));
  const program = join(import.meta.dirname, "..", "examples", "bridge.ts");
  const argv = ["--conditions=@reins/source", `--import=${import.meta.resolve("tsx")}`, program];
  const options = sandbox.spawnOptions({ PATH: `${bin}:${sandbox.env["PATH"]}` });
  const bridge = spawn(process.execPath, argv, { ...options, stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(bridge, "exit");
  const provider = new BridgeProvider(bridge, [add]);
  const transcript: TranscriptEntry[] = [{ role: "user", content: "2 + 40?" }];
  // The loop of an agent: tools are run here, until there is an answer.
  const { toolCalls } = await provider.next(transcript);
  expect(toolCalls).toMatchObject([{ name: "add", input: { a: 2, b: 40 } }]);
  const answer = await provider.next(transcript, [{ id: toolCalls[0]?.id ?? "", text: "42" }]);
  expect(answer).toEqual({ text: "It is 42.", toolCalls: [] });
  transcript.push({ role: "assistant", content: answer.text }, { role: "user", content: "And 1 more?" });
  expect((await provider.next(transcript)).text).toBe("43.");
  // The user edits what the model had said.
  const edited = [transcript[0]!, { role: "assistant" as const, content: "42." }, transcript[2]!];
  expect((await provider.next(edited)).text).toBe("Then 43.");
  provider.close();
  expect(await exit).toEqual([0, null]);
  model.assertDone();
});

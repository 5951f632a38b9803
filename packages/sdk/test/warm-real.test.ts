import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { expect, test } from "vitest";
import { z } from "zod";
import { Client, createToolServer, createWarmPool, type Options, prewarm, startup, tool } from "../src/index.ts";
import { type RealCli, realCli } from "./real-cli.ts";

// Warm starts of the real CLI, offline: the model is a script on loopback.

interface Setup extends AsyncDisposable {
  readonly sandbox: RealCli["sandbox"];
  readonly options: Options;
}

async function setUp(script: ModelScript = () => text("done")): Promise<Setup> {
  const cli = await realCli(script);
  // A spare process has no folder before it is claimed.
  const { cwd: _, ...options } = cli.options;
  return { ...cli, options };
}

async function resultsOf(messages: AsyncIterable<{ readonly type: string }>): Promise<unknown[]> {
  const results: unknown[] = [];
  for await (const message of messages) if ("result" in message) results.push(message.result);
  return results;
}

test("startup: the CLI is ready, takes its prompt, and shows no checkpoint of its start", async () => {
  await using setup = await setUp();
  const warm = await startup({ options: { ...setup.options, cwd: setup.sandbox.cwd } });
  const query = warm.query("go");
  expect((await query.initializationResult()).commands.length).toBeGreaterThan(0);
  expect(await resultsOf(query)).toEqual(["done"]);
  await warm.ended;

  const unused = await startup({ options: { ...setup.options, cwd: setup.sandbox.cwd } });
  await unused.close();
  await unused.ended;
});

test("startup: a late start names a checkpoint of the CLI, and the CLI is stopped", async () => {
  await using setup = await setUp();
  // It answers the initialize request behind the hook.
  const hook = { type: "command", command: "exec sleep 30" };
  const options: Options = {
    ...setup.options,
    cwd: setup.sandbox.cwd,
    settings: { hooks: { SessionStart: [{ hooks: [hook] }] } },
    endGraceMs: 200,
  };
  const error: unknown = await startup({ options, initializeTimeoutMs: 3_000 }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: "InitializeTimeoutError",
    timeoutMs: 3_000,
    startupMark: expect.stringMatching(/^\w+$/),
  });
});

test("a spare becomes a session in a folder, with the tools of this process", async () => {
  await using setup = await setUp(({ toolResults: [result] }) =>
    result ? text(`It is ${result.text}.`) : toolUse("mcp__calc__add", { a: 2, b: 40 }),
  );
  const { sandbox } = setup;
  const add = tool("add", "Adds.", { a: z.number(), b: z.number() }, async ({ a, b }) => String(a + b));
  const spare = await prewarm({
    options: {
      ...setup.options,
      mcpServers: { calc: createToolServer({ name: "calc", tools: [add], alwaysLoad: true }) },
      allowedTools: ["mcp__calc"],
    },
  });
  expect(await readdir(join(sandbox.configDir, "spares"))).toHaveLength(1);
  const folder = join(sandbox.cwd, "project");
  await mkdir(folder);
  const query = spare.claim({
    prompt: "What is 2 + 40?",
    options: { cwd: folder, permissionMode: "acceptEdits", settings: { effortLevel: "low" }, title: "Sum" },
  });
  const results = await resultsOf(query);
  const claim = await spare.claimed;
  expect(results).toEqual(["It is 42."]);
  expect(claim).toMatchObject({ cwd: folder, parkedMs: expect.any(Number) });
  expect(query.sessionId).toBe(claim.sessionId);
  await spare.exited;
  expect(await readdir(join(sandbox.configDir, "spares"))).toEqual([]);
});

test("a spare refuses a folder that is not there, and the query ends with an error", async () => {
  await using setup = await setUp();
  const spare = await prewarm({ options: setup.options });
  const query = spare.claim({ prompt: "go", options: { cwd: join(setup.sandbox.cwd, "no-such") } });
  await expect(resultsOf(query)).rejects.toThrow("not_claimed");
  await expect(spare.claimed).rejects.toMatchObject({ name: "ClaimError", reason: "cwd_not_found" });
  await spare.exited;

  const unclaimed = await prewarm({ options: setup.options });
  await unclaimed.close();
  await expect(unclaimed.claimed).rejects.toMatchObject({ reason: "spare_closed" });
});

test("a spare refuses a variable that it has read already, and settings that it does not take", async () => {
  await using setup = await setUp();
  const { cwd } = setup.sandbox;
  const first = await prewarm({ options: setup.options });
  const refused = first.claim({ prompt: "go", options: { cwd, env: { ANTHROPIC_MODEL: "x" } } });
  await expect(resultsOf(refused)).rejects.toThrow("not_claimed");
  await expect(first.claimed).rejects.toMatchObject({ reason: "env_key_not_claimable" });

  const second = await prewarm({ options: setup.options });
  // Wrong on purpose.
  const query = second.claim({ prompt: "go", options: { cwd, settings: { permissions: 5 } } });
  await expect(resultsOf(query)).rejects.toMatchObject({ reason: "settings_not_applied" });
  await expect(second.claimed).rejects.toMatchObject({ reason: "settings_not_applied" });
  await second.exited;
});

test("a pool serves a query and a client", async () => {
  await using setup = await setUp();
  await using pool = createWarmPool({ size: 1, options: { ...setup.options, cwd: setup.sandbox.cwd } });
  const first = await pool.take();
  expect(await resultsOf(first.query("go"))).toEqual(["done"]);
  await using client = new Client(await pool.take());
  const result = await client.ask("go");
  expect(result).toMatchObject({ subtype: "success", result: "done" });
});

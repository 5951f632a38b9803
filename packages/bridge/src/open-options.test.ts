import type { Options } from "@reins/sdk";
import { expect, test } from "vitest";
import { sessionOptions } from "./open-options.ts";
import type { OpenOptions } from "./protocol.ts";

const optionsOf = (base: Options, said: OpenOptions): Options =>
  sessionOptions(base, said, [], () => Promise.reject(new Error("no tool is called here")));

test("a host forbids more tools, and allows none that is forbidden", () => {
  const options = optionsOf(
    { disallowedTools: ["WebFetch"] },
    { disallowed_tools: ["Bash"], allowed_tools: ["WebFetch"] },
  );
  expect(options).toMatchObject({ disallowedTools: ["WebFetch", "Bash"], allowedTools: ["WebFetch"] });
});

test.each([
  [5, 3, 3],
  [3, 5, 3],
  [undefined, 3, 3],
  [3, undefined, 3],
  [0, 3, 3],
])("of the limits %s of the bridge and %s of the host %s counts", (ours, theirs, counts) => {
  const said = { max_turns: theirs, max_budget_usd: theirs };
  expect(optionsOf({ maxTurns: ours, maxBudgetUsd: ours }, said)).toMatchObject({
    maxTurns: counts,
    maxBudgetUsd: counts,
  });
});

test("what a host says nothing about is as the bridge has it, but for tools, settings and prompts", () => {
  const base: Options = { model: "haiku", systemPrompt: "Base.", cwd: "/srv", permissionMode: "plan" };
  expect(optionsOf(base, {})).toMatchObject({ ...base, tools: [], settingSources: [], verbatimPrompts: true });
  const said: OpenOptions = {
    model: "opus",
    system_prompt: { preset: "claude_code", append: "More." },
    built_in_tools: "all",
  };
  expect(optionsOf(base, said)).toMatchObject({
    model: "opus",
    systemPrompt: { type: "preset", preset: "claude_code", append: "More." },
    tools: { type: "preset", preset: "claude_code" },
    cwd: "/srv",
  });
});

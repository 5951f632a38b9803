import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ModelScript, text, toolUse } from "@reins/testkit";
import { describe, expect, test, vi } from "vitest";
import { createAgent, HookSettingError } from "../src/index.ts";
import { agentCall, bySpeaker, makesOneFile, touch } from "./fixtures/scripts.ts";
import { setUp } from "./fixtures/set-up.ts";

/** Makes the file that the message names, and says what came of it. */
const makesFile: ModelScript = ({ toolResults: [result], userText }) => (result ? text(result.text) : touch(userText));

interface Case {
  readonly name: string;
  readonly answer: string;
  /** Whether the tool ran. */
  readonly runs: boolean;
  readonly asked: boolean;
  readonly told?: string;
  readonly stopped?: string;
}

const cases: readonly Case[] = [
  { name: "goes", answer: "exit 0", runs: true, asked: true },
  { name: "prints", answer: "echo all is well", runs: true, asked: true },
  { name: "allow", answer: `echo '{"decision":"allow"}'`, runs: true, asked: false },
  {
    name: "json-deny",
    answer: `echo '{"decision":"deny","reason":"by JSON"}'`,
    runs: false,
    asked: false,
    told: "by JSON",
  },
  { name: "two", answer: "echo not this one >&2; exit 2", runs: false, asked: false, told: "not this one" },
  { name: "one", answer: "echo odd >&2; exit 1", runs: false, asked: false, told: "hook failed: exit code 1: odd" },
  { name: "not-there", answer: "no-such-program", runs: false, asked: false, told: "hook failed: exit code 127" },
  { name: "no-json", answer: "echo '{oops'", runs: false, asked: false, told: "not one JSON object" },
  {
    name: "no-input",
    answer: `echo '{"updatedInput":1}'`,
    runs: false,
    asked: false,
    told: "updatedInput is no object",
  },
  { name: "unknown", answer: `echo '{"decision":"perhaps"}'`, runs: false, asked: false, told: '"perhaps" is unknown' },
  { name: "killed", answer: "kill -9 $$", runs: false, asked: false, told: "ended by SIGKILL" },
  { name: "hangs", answer: "sleep 60", runs: false, asked: false, told: "did not end within" },
  { name: "floods", answer: "yes", runs: false, asked: false, told: "wrote more than" },
  { name: "halt", answer: "echo halt! >&2; exit 49", runs: false, asked: false, stopped: "halt!" },
];

test("each end of a command has its effect on the call, and only 49 ends the turn", async () => {
  let asked = 0;
  await using setup = await setUp(makesFile, {
    tools: ["Bash"],
    // Of the environment of this process nothing matters to it.
    preToolHooks: [{ matcher: "^Bash$", command: "cat > call.json; . ./answer.sh", timeoutMs: 2000 }],
    prompt: () => {
      asked++;
      return { value: true };
    },
  });
  const { cwd } = setup.sandbox;
  const session = setup.agent.session();
  const seen: object[] = [];
  for (const { name, answer, told } of cases) {
    await writeFile(join(cwd, "answer.sh"), answer);
    asked = 0;
    const turn = await session.submitMessage(`${name}.txt`);
    seen.push({
      name,
      runs: existsSync(join(cwd, `${name}.txt`)),
      asked: asked > 0,
      ...(told !== undefined && { told: turn.text.includes(told) ? told : turn.text }),
      ...(turn.stopped && { stopped: turn.stopped.message }),
    });
    expect(turn.stopped?.by).toBe(turn.stopped && "pre_tool_hook");
  }
  expect(seen).toEqual(cases.map(({ answer: _, ...rest }) => rest));
  expect(JSON.parse(await readFile(join(cwd, "call.json"), "utf8"))).toEqual({
    tool_name: "Bash",
    tool_input: { command: "touch halt.txt", description: "Make a file" },
    tool_use_id: expect.stringMatching(/^toolu_/),
    session_id: session.sessionId,
    cwd,
  });
  expect(setup.errors).toHaveLength(8);
}, 60_000);

test("commands see the input that the one before has made, and the handlers of pre_tool_use the last", async () => {
  const rename = (from: string, to: string): string =>
    `sed 's/.*"tool_input":\\({[^}]*}\\).*/{"updatedInput":\\1}/; s/${from}/${to}/'`;
  await using setup = await setUp(makesOneFile, {
    tools: ["Bash"],
    allowedTools: ["Bash"],
    preToolHooks: [
      { matcher: /^bash$/i, command: rename("made", "second") },
      { matcher: "Read|Write", command: "exit 2" },
      { command: rename("second", "third") },
      { command: "exit 7", onError: "allow" },
      { command: "cat > input.json", stdin: "input" },
    ],
  });
  const inputs: unknown[] = [];
  setup.agent.registerHook("pre_tool_use", ({ data }) => void inputs.push(data.toolInput["command"]));
  await setup.agent.session().submitMessage("Make it.");
  const { cwd } = setup.sandbox;
  expect(inputs).toEqual(["touch third.txt"]);
  expect(existsSync(join(cwd, "third.txt"))).toBe(true);
  expect(JSON.parse(await readFile(join(cwd, "input.json"), "utf8"))).toMatchObject({ command: "touch third.txt" });
  expect(setup.errors.map(({ where }) => where)).toEqual(["preToolHooks"]);
});

test("a command that halts in a sub-agent ends the whole turn", async () => {
  const script = bySpeaker({ main: [agentCall(), text("Never.")], subagent: [touch("made.txt"), text("Never.")] });
  await using setup = await setUp(script, {
    tools: ["Bash", "Task"],
    preToolHooks: [{ matcher: "Bash", command: "grep -q agent_id && exit 49" }],
  });
  const turn = await setup.agent.session().submitMessage("Use an agent.");
  expect(turn.stopped).toEqual({ by: "pre_tool_hook", message: "halted by a hook" });
  expect(setup.model.requests).toHaveLength(2);
});

test("closing the session kills a command that runs, with its children", async () => {
  await using setup = await setUp(makesOneFile, {
    tools: ["Bash"],
    preToolHooks: [{ command: "sleep 300 & echo $! > pid; wait" }],
  });
  const session = setup.agent.session();
  const turn = session.submitMessage("Make it.").catch((error: unknown) => error);
  const pid = await vi.waitFor(async () => {
    const text = await readFile(join(setup.sandbox.cwd, "pid"), "utf8");
    expect(text).toMatch(/^\d+\n$/);
    return Number(text);
  }, 20_000);
  await session.close();
  expect(await turn).toBeInstanceOf(Error);
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow("ESRCH"), 10_000);
});

test.each([
  { preToolHooks: [{ matcher: "(", command: "true" }] },
  { preToolHooks: [{ command: "" }] },
  { preToolHooks: [{ command: "true", timeoutMs: 0 }] },
  { stopHooks: [{ command: "" }] },
])("settings that cannot work are refused at once: %o", (options) => {
  expect(() => createAgent(options)).toThrow(HookSettingError);
  expect(() => createAgent().session(options)).toThrow(HookSettingError);
});

describe("stop hooks", () => {
  test("add their messages and ask for one more cycle, up to the limit", async () => {
    const told: string[] = [];
    await using setup = await setUp(
      ({ userText }, index) => {
        told.push(userText);
        return text(`Answer ${index}.`);
      },
      {
        maxStopCycles: 2,
        stopHooks: [
          ({ iteration, lastAssistantMessage }) => ({
            continue: true,
            messages: [`After ${iteration}`, `It was: ${lastAssistantMessage}`],
          }),
          { command: `cat > context.json; echo '{"continue":true,"messages":["By a command"]}'` },
          { command: "echo by exit code >&2; exit 2" },
          { command: "exit 1" },
          () => undefined,
        ],
      },
    );
    const session = setup.agent.session();
    const loop: string[] = [];
    for (const event of ["iteration_start", "iteration_stop", "iteration_continue", "iteration_complete"] as const)
      session.registerHook(event, () => void loop.push(event));
    const turn = await session.submitMessage("Answer.");
    expect(turn.text).toBe("Answer 2.");
    expect(told).toHaveLength(3);
    for (const message of ["After 1", "It was: Answer 0.", "By a command", "by exit code"])
      expect(told[1]).toContain(message);
    expect(told[2]).toContain("After 2");
    const cycle = ["iteration_start", "iteration_stop", "iteration_continue", "iteration_complete"];
    expect(loop).toEqual([...cycle, ...cycle, "iteration_start", "iteration_stop", "iteration_complete"]);
    const context = JSON.parse(await readFile(join(setup.sandbox.cwd, "context.json"), "utf8"));
    expect(context).toMatchObject({ turn_id: turn.turnId, iteration: 2, stop_hook_active: true });
    expect(setup.errors.map(({ where }) => where)).toEqual(["stopHooks", "stopHooks"]);
  });

  test("get no cycle that iteration_start refuses, and the answer stands", async () => {
    await using setup = await setUp([text("Done.")], { stopHooks: [() => ({ continue: true, messages: ["More"] })] });
    const session = setup.agent.session();
    session.registerHook("iteration_start", ({ data }) => (data.iteration > 1 ? { action: "stop" } : undefined));
    expect((await session.submitMessage("Do it.")).text).toBe("Done.");
    expect(setup.model.requests).toHaveLength(1);
  });

  test("are not asked when the turn was ended before", async () => {
    let asked = 0;
    await using setup = await setUp([toolUse("Bash", { command: "true", description: "Nothing" })], {
      tools: ["Bash"],
      allowedTools: ["Bash"],
      stopHooks: [() => void asked++],
    });
    setup.agent.registerHook("post_tool_use", () => ({ action: "stop" }));
    await setup.agent.session().submitMessage("Do it.");
    expect(asked).toBe(0);
  });
});

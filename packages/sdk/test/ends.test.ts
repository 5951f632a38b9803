import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CliStep, createSandbox, scriptedCliExecutable, startLeakCheck } from "@reins/testkit";
import { expect, onTestFinished, test } from "vitest";
import { type Diagnostic, type Options, type Prompt, PromptError, query } from "../src/index.ts";

// Every way in which a session can end, with a process: the right error or none, at once, and nothing left.

const session_id = "11111111-1111-4111-8111-111111111111";
const begin: readonly CliStep[] = [
  { do: "init" },
  { do: "read", match: { type: "user" } },
  { do: "write", frame: { type: "system", subtype: "init", session_id, tools: [] } },
];
const result: CliStep = {
  do: "write",
  frame: { type: "result", subtype: "success", is_error: false, session_id, result: "done" },
};

async function types(
  steps: readonly CliStep[],
  options: Options = {},
): Promise<{ types: string[]; error: unknown; diagnostics: Diagnostic[] }> {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps });
  const diagnostics: Diagnostic[] = [];
  const seen: string[] = [];
  const session = query({
    prompt: "go",
    options: {
      pathToClaudeCodeExecutable: cli.path,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      ...options,
    },
  });
  let error: unknown;
  try {
    for await (const message of session) seen.push(message.type);
  } catch (thrown) {
    error = thrown;
  }
  return { types: seen, error, diagnostics };
}

async function startError(options: Options): Promise<unknown> {
  await using _leaks = startLeakCheck();
  const session = query({ prompt: "go", options });
  const [reading, initialization, request] = await Promise.allSettled([
    session.next(),
    session.initializationResult(),
    session.setModel("m"),
  ]);
  // Whoever waits is told the same.
  for (const settled of [initialization, request]) {
    expect(settled).toMatchObject({
      status: "rejected",
      reason: { code: (reading as PromiseRejectedResult).reason.code },
    });
  }
  expect(await session.next()).toEqual({ done: true, value: undefined });
  return (reading as PromiseRejectedResult).reason;
}

test("a CLI that is not there is an error with the places that were looked at", async () => {
  expect(await startError({ pathToClaudeCodeExecutable: "/no/such/claude" })).toMatchObject({
    name: "CliNotFoundError",
    tried: [{ place: "/no/such/claude", outcome: "missing" }],
  });
});

test("a file that may not be run, a missing working directory and a missing interpreter are told apart", async () => {
  const sandbox = await createSandbox();
  onTestFinished(() => sandbox.close());
  const script = join(sandbox.cwd, "claude");
  await writeFile(script, "#!/no/such/interpreter\n");
  await chmod(script, 0o644);
  const plain = await startError({ pathToClaudeCodeExecutable: script });
  expect(plain).toMatchObject({ code: expect.stringMatching(/^REINS_(LAUNCH_FAILED|CLI_NOT_FOUND)$/) });
  await chmod(script, 0o755);
  expect(await startError({ pathToClaudeCodeExecutable: script })).toMatchObject({
    name: "LaunchError",
    reason: "interpreter-missing",
  });
  const cwd = join(sandbox.cwd, "no-such-directory");
  expect(await startError({ pathToClaudeCodeExecutable: script, cwd })).toMatchObject({
    name: "LaunchError",
    reason: "cwd-missing",
    path: cwd,
  });
});

test("a CLI that is killed in the middle of a line fails with the signal, and the half line is reported", async () => {
  const end = await types([...begin, { do: "text", text: '{"type":"assis' }, { do: "exit", signal: "SIGKILL" }]);
  expect(end).toMatchObject({
    types: ["system"],
    error: { name: "ProcessError", signal: "SIGKILL" },
    diagnostics: [{ kind: "malformed-frame", error: { truncated: true, line: '{"type":"assis' } }],
  });
});

test("garbage on the output does not end anything", async () => {
  const end = await types([
    ...begin,
    { do: "text", text: "\u0000garbage {[\n\n  \nnull\n" },
    result,
    { do: "readEnd" },
  ]);
  expect(end).toMatchObject({ types: ["system", "result"], error: undefined });
  expect(end.diagnostics).toHaveLength(2);
});

test("a grandchild that keeps the pipes open does not keep the session open", async () => {
  const before = performance.now();
  const end = await types([...begin, result, { do: "readEnd" }, { do: "orphan", ms: 1_500 }, { do: "exit", code: 0 }]);
  expect(end).toMatchObject({ types: ["system", "result"], error: undefined });
  expect(performance.now() - before).toBeLessThan(10_000);
});

test("a CLI that stays behind its last result although its input ended is stopped, and that is no error", async () => {
  const end = await types([{ do: "trap", signals: ["SIGTERM"] }, ...begin, result, { do: "hang" }], {
    endGraceMs: 20,
    killGraceMs: 20,
  });
  expect(end).toMatchObject({ types: ["system", "result"], error: undefined });
});

test("an exit with an error code behind a good result is an error, with what was said", async () => {
  const end = await types([
    ...begin,
    result,
    { do: "readEnd" },
    { do: "stderr", text: "disk full\n" },
    { do: "exit", code: 9 },
  ]);
  expect(end).toMatchObject({
    types: ["system", "result"],
    error: { name: "ProcessError", exitCode: 9, stderrTail: "disk full\n" },
  });
});

test("a prompt that is none is refused before anything is started", () => {
  // What callers without types could pass.
  for (const prompt of [undefined, null, 5, ["go"], {}]) {
    expect(() => query({ prompt: prompt as unknown as Prompt })).toThrow(PromptError);
  }
});

test("an iterable that gives what is no message ends the session with an error that says so", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: [...begin, { do: "readEnd" }] });
  for (const part of ["go", null, { type: "user" }, { type: "user", message: { role: "user", content: 5 } }]) {
    async function* prompt(): AsyncGenerator<never> {
      // Wrong on purpose.
      yield part as never;
    }
    await expect(
      query({ prompt: prompt(), options: { pathToClaudeCodeExecutable: cli.path } }).next(),
    ).rejects.toBeInstanceOf(PromptError);
  }
});

test("a prompt iterable that waits for something is released when the session ends", async () => {
  await using _leaks = startLeakCheck();
  await using cli = await scriptedCliExecutable({ steps: [...begin, result, { do: "exit", code: 0 }] });
  let released = false;
  const prompt: AsyncIterable<never> = {
    [Symbol.asyncIterator]: () => {
      let sent = false;
      return {
        next: () => {
          if (sent) return new Promise(() => {});
          sent = true;
          return Promise.resolve({
            done: false,
            value: { type: "user", message: { role: "user", content: "go" } } as never,
          });
        },
        return: () => {
          released = true;
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  };
  const seen: string[] = [];
  for await (const message of query({ prompt, options: { pathToClaudeCodeExecutable: cli.path } }))
    seen.push(message.type);
  expect([seen, released]).toEqual([["system", "result"], true]);
});

test("options that contradict one another are refused at the call", () => {
  const canUseTool = () => ({ behavior: "allow" as const });
  expect(() => query({ prompt: "go", options: { canUseTool, permissionPromptToolName: "mcp__a__b" } })).toThrow(
    "canUseTool callback cannot be used with permissionPromptToolName",
  );
  expect(() => query({ prompt: "go", options: { maxBudgetUsd: 0 } })).toThrow("maxBudgetUsd");
});

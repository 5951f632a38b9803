import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSandbox, type LeakCheck, LeakError, startLeakCheck, startScriptedModel } from "@reins/testkit";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { normalise } from "./normalise.ts";
import type { Program } from "./programs/program.ts";
import { realOptions } from "./real-cli.ts";

// Programs that were written against the official Agent SDK, on it and with ours in its place: the real CLI, and a model that is a script.

const official = "@anthropic-ai/claude-agent-sdk";
const folder = join(import.meta.dirname, "programs");
const names = (await readdir(folder)).flatMap((file) => /^(?!program\.)(.+)\.ts$/.exec(file)?.[1] ?? []);

interface Both {
  readonly theirs: Program;
  readonly ours: Program;
}

const programs = new Map<string, Both>();

beforeAll(async () => {
  const load = (): Promise<Program[]> => Promise.all(names.map((name) => import(`./programs/${name}.ts`)));
  const theirs = await load();
  vi.resetModules();
  vi.doMock(official, () => import("../src/index.ts"));
  const ours = await load();
  for (const [index, name] of names.entries()) {
    const [one, other] = [theirs[index], ours[index]];
    if (one && other) programs.set(name, { theirs: one, ours: other });
  }
});

afterAll(() => vi.doUnmock(official));

interface Stage extends AsyncDisposable {
  readonly run: (program: Program) => Promise<unknown>;
}

/** A model and a sandbox; `run` gives what a program gives, and what the model was asked on its behalf. */
async function setStage(script: Program["model"]): Promise<Stage> {
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const { cwd, configDir, home, root } = sandbox;
  return {
    run: async (program) => {
      if (program.needsHostEnv) vi.stubEnv("CLAUDE_CONFIG_DIR", configDir).stubEnv("HOME", home);
      const result = await program.run({ options: realOptions(sandbox), cwd });
      const requests = model.requests.map(({ body, toolNames, toolResults, userText }) => {
        return { model: body.model, toolNames, toolResults, userText };
      });
      return normalise({ result, requests }, root, model.url);
    },
    [Symbol.asyncDispose]: async () => {
      await model.close();
      await sandbox.close();
    },
  };
}

/** The official SDK leaves timers behind for a while, and the CLI running; only the latter has to be waited for. */
async function untilStopped(leaks: LeakCheck): Promise<void> {
  try {
    await leaks.assertClean();
  } catch (error) {
    if (!(error instanceof LeakError) || error.leaks.some(({ kind }) => kind === "process")) throw error;
  }
}

test("the programs compile with ours in the place of the official one", async () => {
  // tsconfig.json of the folder maps the name of the official package to ours.
  const compiler = createRequire(import.meta.url).resolve("typescript/lib/tsc.js");
  await promisify(execFile)(process.execPath, [compiler, "-p", folder]).catch((error: Error & { stdout: string }) => {
    throw new Error(error.stdout);
  });
});

test.each(names)("%s gives the same on both", async (name) => {
  const { theirs, ours } = programs.get(name) ?? {};
  if (!theirs || !ours) throw new Error(`There is no program ${name}.`);
  await using theirStage = await setStage(theirs.model);
  await using ourStage = await setStage(ours.model);
  const leaks = startLeakCheck({ timeoutMs: 10_000 });
  try {
    // Two at a time, except where a program reads the environment of this process.
    const [expected, actual] = theirs.needsHostEnv
      ? [await theirStage.run(theirs), await ourStage.run(ours)]
      : await Promise.all([theirStage.run(theirs), ourStage.run(ours)]);
    expect(actual).toEqual(expected);
  } finally {
    await untilStopped(leaks);
  }
});

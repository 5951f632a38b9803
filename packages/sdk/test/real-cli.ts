import {
  createSandbox,
  findTestBinary,
  type ModelScript,
  type Sandbox,
  type ScriptedModel,
  startLeakCheck,
  startScriptedModel,
} from "@reins/testkit";
import { type Options, type Prompt, type Query, query, type UserPrompt } from "../src/index.ts";

/** The real CLI, offline: in folders of its own, with a model that is a script on loopback. Closed, it must have left nothing behind. */
export interface RealCli extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly sandbox: Sandbox;
  /** What makes a session one of this CLI: without tools, without settings files. */
  readonly options: RealOptions;
  /** Starts a query with them; the query is closed in the end. */
  readonly start: (prompt: Prompt, options?: Options) => Query;
}

/** Fits the options of the official SDK, too. */
export interface RealOptions {
  readonly pathToClaudeCodeExecutable: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly tools: string[];
  readonly settingSources: [];
}

export function realOptions({ cwd, env }: Sandbox): RealOptions {
  return { pathToClaudeCodeExecutable: findTestBinary(), cwd, env: { ...env }, tools: [], settingSources: [] };
}

export async function realCli(script: ModelScript): Promise<RealCli> {
  const leaks = startLeakCheck({ timeoutMs: 5_000 });
  const model = await startScriptedModel(script);
  const sandbox = await createSandbox({ model });
  const options = realOptions(sandbox);
  const sessions: Query[] = [];
  return {
    model,
    sandbox,
    options,
    start: (prompt, own = {}) => {
      const session = query({ prompt, options: { ...options, ...own } });
      sessions.push(session);
      return session;
    },
    [Symbol.asyncDispose]: async () => {
      for (const session of sessions) await session.close();
      await model.close();
      await sandbox.close();
      await leaks.assertClean();
    },
  };
}

/** A prompt as an iterable gives it. */
export function user(content: string): UserPrompt {
  return { type: "user", message: { role: "user", content } };
}

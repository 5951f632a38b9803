import type { Options } from "@reins/sdk";
import { createSandbox, findTestBinary, type ModelScript, startScriptedModel } from "@reins/testkit";

/** Where an example runs. */
export interface Place extends AsyncDisposable {
  /** Which CLI runs, and where. An example adds its own. */
  readonly options: Options;
  /** Where the transcripts are. */
  readonly location: { readonly dir: string; readonly configDir?: string };
}

/**
 * Offline: the real CLI in a sandbox of its own, with a script in place of the model. With `--live` your own CLI and login, and the
 * model is a model.
 *
 * A signal aborts the query that runs; what was opened is closed, and then the program ends by the signal.
 */
export async function openPlace(script: ModelScript): Promise<Place> {
  const isLive = process.argv.includes("--live");
  const abortController = new AbortController();
  let received: NodeJS.Signals | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    received = signal;
    abortController.abort();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.on(signal, onSignal);

  const model = isLive ? undefined : await startScriptedModel(script);
  const sandbox = await createSandbox(model && { model });
  return {
    location: { dir: sandbox.cwd, ...(!isLive && { configDir: sandbox.configDir }) },
    options: {
      abortController,
      cwd: sandbox.cwd,
      // Neither settings files nor servers of the machine: an example can do what it says and nothing else.
      settingSources: [],
      strictMcpConfig: true,
      ...(!isLive && { pathToClaudeCodeExecutable: findTestBinary(), env: sandbox.env }),
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await model?.close();
      for (const signal of signals) process.off(signal, onSignal);
      if (received) process.kill(process.pid, received);
    },
  };
}

import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inheritEnv } from "@reins/sdk";
import { FileSystemSessionStore } from "@reins/sessions";
import { createSandbox, findTestBinary, startScriptedModel } from "@reins/testkit";
import { demoModel } from "./demo/model.ts";
import { writeSamples } from "./demo/samples.ts";
import { createFileLibrary } from "./server/file-library.ts";
import { createStoreLibrary } from "./server/store-library.ts";
import { startViewer } from "./server/viewer.ts";

const usage = `Usage: npm start -- [--live] [--dir DIR] [--config-dir DIR] [--store DIR] [--port N]

Without --live: sample sessions, and a model that is a script.
With --live: your sessions, and your own claude for new ones.

  --dir DIR         sessions of this folder only; new ones work there. Default: all sessions, and here
  --config-dir DIR  the CLI's configuration folder
  --store DIR       the sessions that a FileSystemSessionStore has of the folder
  --port N          default: a free one`;

const page = join(import.meta.dirname, "../dist");

interface Choices {
  readonly dir?: string | undefined;
  readonly "config-dir"?: string | undefined;
  readonly store?: string | undefined;
}

/** The real CLI, but the model is a script on loopback: no key, no network, no tokens. */
async function demo(port: number, stopped: Promise<void>): Promise<void> {
  await using model = await startScriptedModel(demoModel);
  await using sandbox = await createSandbox({ model });
  await writeSamples(sandbox.configDir, sandbox.home);
  await using viewer = await startViewer({
    library: createFileLibrary({ configDir: sandbox.configDir }),
    page,
    demo: true,
    port,
    runs: { pathToClaudeCodeExecutable: findTestBinary(), cwd: sandbox.cwd, env: sandbox.env, settingSources: [] },
  });
  console.log(`Sample sessions and a scripted model. For your own: npm start -- --live\n${viewer.url}`);
  await stopped;
}

/** Your sessions. A session that you start in the page costs what it costs in the terminal. */
async function live(port: number, choices: Choices, stopped: Promise<void>): Promise<void> {
  const { store: root, "config-dir": configDir } = choices;
  const dir = choices.dir === undefined ? undefined : resolve(choices.dir);
  const cwd = dir ?? process.cwd();
  await using store = root === undefined ? undefined : new FileSystemSessionStore({ root });
  const library = store === undefined ? createFileLibrary({ dir, configDir }) : createStoreLibrary(store, { dir: cwd });
  await using viewer = await startViewer({
    library,
    page,
    port,
    runs: {
      cwd,
      ...(store === undefined ? {} : { sessionStore: store }),
      ...(configDir === undefined ? {} : { env: inheritEnv({ CLAUDE_CONFIG_DIR: configDir }) }),
    },
  });
  console.log(viewer.url);
  await stopped;
}

// What is open closes by itself when this promise settles; a second signal ends the process at once.
const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
});
const text = { type: "string" } as const;
const options = { live: { type: "boolean" }, dir: text, "config-dir": text, store: text, port: text } as const;
try {
  const { values } = parseArgs({ options });
  const port = Number(values.port ?? 0);
  await (values.live === true ? live(port, values, stopped) : demo(port, stopped));
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}

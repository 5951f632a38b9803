import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createSandbox, type ModelScript, startScriptedModel } from "@reins/testkit";
import { type RecordedExit, type RecordedLine, RecordingHost } from "./recording-host.ts";
import { baseArgv, type Scenario } from "./scenario.ts";

/** What a run of a scenario gave, as it was. */
export interface Recording {
  readonly lines: readonly RecordedLine[];
  readonly exit: RecordedExit;
  readonly exitsByItself: boolean;
  /** Folders and programs of this machine by the name that a capture has for them. */
  readonly places: readonly Place[];
  /** Texts that the scenario brought along. */
  readonly ours: readonly string[];
}

/** A path of this machine, and what stands for it in a capture. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/**
 * Plays a scenario on a binary, in a sandbox of its own against a scripted model.
 *
 * @throws Error when the scenario cannot be played: a frame did not come in time, the CLI did not exit, the model was asked otherwise
 * than scripted.
 */
export async function record(scenario: Scenario, binary: string): Promise<Recording> {
  try {
    return await play(scenario, binary);
  } catch (error) {
    throw new Error(`The scenario ${scenario.name} could not be played.`, { cause: error });
  }
}

async function play(scenario: Scenario, binary: string): Promise<Recording> {
  const { model: script = [], before, host } = scenario.play();
  const said: unknown[] = [];
  await using model = await startScriptedModel(remembering(script, said));
  await using sandbox = await createSandbox({ model });
  const folders = { cwd: sandbox.cwd, home: sandbox.home, config: sandbox.configDir, tmp: sandbox.tmpDir };
  const fill = (text: string): string =>
    text.replace(/\{\{(cwd|home|config|tmp)\}\}/g, (_, name: keyof typeof folders) => folders[name]);
  for (const [path, content] of Object.entries(scenario.files ?? {})) {
    const file = resolve(sandbox.cwd, fill(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? fill(content) : content, { mode: 0o755 });
  }
  const env = Object.entries(scenario.env ?? {}).map(([name, value]) => [name, value && fill(value)]);
  const { env: fullEnv } = sandbox.spawnOptions({
    // As `@reins/process` starts it; and a clock that shows the same everywhere.
    CLAUDE_CODE_ENTRYPOINT: "sdk-ts",
    TZ: "UTC",
    ...Object.fromEntries(env),
  });
  const start = (base: readonly string[], argv: readonly string[]): RecordingHost =>
    new RecordingHost({ binary, argv: [...base, ...argv.map(fill)], cwd: sandbox.cwd, env: fullEnv, model, folders });
  if (before !== undefined) {
    const cli = start(baseArgv, before.argv);
    try {
      await before.host(cli);
      await cli.finish();
    } finally {
      await cli.destroy();
    }
  }
  const cli = start(scenario.baseArgv ?? baseArgv, scenario.argv ?? []);
  try {
    await host(cli);
    const exit = await cli.finish();
    model.assertDone();
    const { lines, exitsByItself } = cli;
    return {
      lines,
      exit,
      exitsByItself,
      places: placesOf(folders, sandbox.root, model.url),
      ours: oursOf(scenario, said, lines),
    };
  } finally {
    await cli.destroy();
  }
}

function placesOf(folders: RecordingHost["folders"], root: string, modelUrl: string): Place[] {
  return [
    { path: folders.cwd, name: "/home/user/project" },
    { path: folders.config, name: "/home/user/.claude" },
    { path: folders.home, name: "/home/user" },
    { path: folders.tmp, name: "/home/user/.tmp" },
    { path: root, name: "/home/user/sandbox" },
    { path: modelUrl, name: "http://127.0.0.1:1" },
  ];
}

/** The same script, which also writes down what it says. */
function remembering(script: ModelScript, said: unknown[]): ModelScript {
  if (typeof script !== "function") {
    said.push(script);
    return script;
  }
  return async (request, index) => {
    const answer = await script(request, index);
    said.push(answer);
    return answer;
  };
}

/** All texts that come from the scenario and not from the CLI. */
function oursOf(scenario: Scenario, said: readonly unknown[], lines: readonly RecordedLine[]): string[] {
  const texts: string[] = [...(scenario.argv ?? [])];
  const files = Object.entries(scenario.files ?? {}).flatMap(([path, content]) => [path, String(content)]);
  for (const file of files) texts.push(file, ...file.split("\n").map((line) => line.trim()));
  collectTexts(said, texts);
  for (const { dir, text } of lines) {
    if (dir === "out" && text.startsWith("{")) collectTexts(parsed(text), texts);
  }
  return texts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Every string in a value; an object also as its JSON, since that is how the input of a tool is streamed. */
function collectTexts(value: unknown, into: string[]): void {
  if (typeof value === "string") into.push(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    // The deltas of a block arrive joined, too.
    if (key === "deltas" && Array.isArray(item)) into.push(item.join(""));
    if (key === "input") into.push(JSON.stringify(item));
    collectTexts(item, into);
  }
}

import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "tsdown";
import { expect, onTestFinished, test } from "vitest";
import { endRuntimeEvents, initialRuntimeState, type RuntimeEvent, toRuntimeEvents } from "../src/events.ts";
import { type CapturedFrame, captureNames, eventLog, framesOf, logsFolder } from "./golden/event-log.ts";

test("each golden capture gives the event log that was reviewed", () => {
  const logs = readdirSync(logsFolder).filter((file) => file.endsWith(".events.ndjson"));
  // Made anew by `pnpm golden`.
  expect(logs.sort()).toEqual(
    captureNames()
      .map((name) => `${name}.events.ndjson`)
      .sort(),
  );
  for (const name of captureNames())
    expect(eventLog(framesOf(name)), name).toBe(readFileSync(join(logsFolder, `${name}.events.ndjson`), "utf8"));
});

test("each golden capture ends each turn that it starts exactly once, with and without the frames of the host", () => {
  for (const name of captureNames()) {
    const frames = framesOf(name);
    expectWholeTurns(eventsOf(frames), name);
    expectWholeTurns(eventsOf(frames.filter(({ direction }) => direction === "in")), name);
  }
});

test("the built reducer imports nothing, and gives the same events where there is nothing but JavaScript", async () => {
  const outDir = await mkdtemp(join(tmpdir(), "reins-events-"));
  onTestFinished(() => rm(outDir, { recursive: true }));
  const cwd = join(import.meta.dirname, "..");
  await build({
    config: false,
    cwd,
    outDir,
    entry: { events: "src/events.ts" },
    fixedExtension: false,
    dts: false,
    sourcemap: false,
    logLevel: "silent",
  });
  expect(await readdir(outDir)).toEqual(["events.js"]);
  const module = await readFile(join(outDir, "events.js"), "utf8");
  expect(module).not.toMatch(/\bimport\b|\brequire\b|["']node:/);

  // As a script, since a context takes modules only behind a flag of Node.
  const script = module.replace(/^export \{ ([\w, ]+) \};$/m, "const runtime = { $1 };");
  const context = createContext({});
  runInContext(script, context);
  runInContext(scenario, context);
  for (const name of captureNames()) {
    const frames = framesOf(name);
    const seen = runInContext(`eventsOf(${JSON.stringify(JSON.stringify(frames))})`, context);
    expect(seen, name).toBe(JSON.stringify(eventsOf(frames)));
  }
});

/** The same as {@link eventsOf}, for the context. */
const scenario = `
  function eventsOf(json) {
    let state = runtime.initialRuntimeState();
    const events = [];
    for (const { direction, frame } of JSON.parse(json)) {
      const step = runtime.toRuntimeEvents(frame, state, { direction });
      state = step.state;
      events.push(...step.events);
    }
    return JSON.stringify([...events, ...runtime.endRuntimeEvents(state).events]);
  }
`;

function eventsOf(frames: readonly CapturedFrame[]): RuntimeEvent[] {
  let state = initialRuntimeState();
  const events: RuntimeEvent[] = [];
  for (const { direction, frame } of frames) {
    const step = toRuntimeEvents(frame, state, { direction });
    state = step.state;
    events.push(...step.events);
  }
  return [...events, ...endRuntimeEvents(state).events];
}

function expectWholeTurns(events: readonly RuntimeEvent[], name: string): void {
  const started = events.flatMap(({ type, turnId }) => (type === "turn.started" ? [turnId] : []));
  const ended = events.flatMap(({ type, turnId }) => (/^turn\.(completed|failed)$/.test(type) ? [turnId] : []));
  expect(new Set(started).size, name).toBe(started.length);
  expect([...ended].sort(), name).toEqual([...started].sort());
}

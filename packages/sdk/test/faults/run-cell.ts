import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { scriptedCli, scriptedCliExecutable } from "@reins/testkit";
import { type Diagnostic, type Options, ProcessError, type Query, query } from "../../src/index.ts";
import type { Fault } from "./faults.ts";
import { type Moment, passed } from "./moments.ts";

/** How a session ended. */
export interface Outcome {
  /** Whether the result was delivered. */
  readonly hasResult: boolean;
  /** What the reader of the messages got last: `"end"`, or the name of an error and what tells it apart. */
  readonly end: string;
  /** What became of what was open; `undefined` where nothing was. */
  readonly open: string | undefined;
  /** Kinds of diagnostics, with how many came of each. */
  readonly reported: readonly string[];
  /** What must not be, such as an error of no type, or a process that is left. Empty when all is well. */
  readonly wrong: readonly string[];
}

/** How long a cell may take: its deadlines are 2 s each, and most of the rest is what a busy machine needs to start processes. */
const cellMs = 30_000;

const closeInput = fileURLToPath(new URL("../fixtures/close-input.mjs", import.meta.url));

/** Plays a moment with a fault through `query()`. Never rejects; what went wrong is in the outcome. */
export async function runCell(moment: Moment, fault: Fault): Promise<Outcome> {
  const script = { steps: [...moment.before, ...fault.steps(moment), ...(fault.goesOn ? moment.after : [])] };
  if (!fault.needsProcess) {
    await using cli = scriptedCli(script, { bufferBytes: 1_000_000 });
    return await play(moment, fault, { transport: cli.transport });
  }
  await using cli = await scriptedCliExecutable(script);
  const outcome = await play(moment, fault, {
    pathToClaudeCodeExecutable: cli.scriptPath,
    executable: process.execPath,
    executableArgs: ["--import", closeInput],
  });
  const [log] = await cli.logs();
  // Slower than its deadline, on a very busy machine, it opened no log.
  const isLeft = log !== undefined && (await isAlive(log.pid));
  return isLeft ? { ...outcome, wrong: [...outcome.wrong, "the process is left"] } : outcome;
}

async function play(moment: Moment, fault: Fault, where: Options): Promise<Outcome> {
  const diagnostics: Diagnostic[] = [];
  const wrong: string[] = [];
  const callback = new Callback(fault.answersAtOnce ?? false);
  const session = query({
    prompt: "go",
    options: {
      endGraceMs: 100,
      killGraceMs: 100,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      ...moment.options?.((signal) => callback.answer(signal)),
      ...fault.options?.(moment),
      ...where,
    },
  });
  const reading = read(session, {
    onBegin: () => (moment.open === "interrupt" ? nameOf(session.interrupt({ timeoutMs: 20_000 })) : undefined),
    onPassed: () => callback.release(),
  });
  const ended = await within(reading);
  if (ended === undefined) wrong.push("the session does not end");
  const { hasResult = false, error, interrupt } = ended ?? {};
  if (error !== undefined && !isTyped(error)) wrong.push(`the error has no type: ${error}`);
  if (error instanceof ProcessError && error.stderrTail.length > 20_000) wrong.push("the tail of stderr has no bound");
  if ((await within(session.close().then(() => true))) !== true) wrong.push("close() does not settle");
  const initialize = await within(nameOf(session.initializationResult()));
  const open = { initialize, interrupt: await interrupt, callback: callback.state };
  return {
    hasResult,
    end: error === undefined ? "end" : describe(error),
    open: moment.open && (open[moment.open] ?? "never settles"),
    reported: counted(diagnostics.map(({ kind }) => kind)),
    wrong,
  };
}

interface Reading {
  readonly hasResult: boolean;
  readonly error?: unknown;
  readonly interrupt: Promise<string> | undefined;
}

async function read(
  session: Query,
  on: { readonly onBegin: () => Promise<string> | undefined; readonly onPassed: () => void },
): Promise<Reading> {
  let hasResult = false;
  let interrupt: Promise<string> | undefined;
  try {
    for await (const { type, subtype } of session as AsyncIterable<{ type: string; subtype?: string }>) {
      if (type === "system" && subtype === "init") interrupt = on.onBegin();
      if (type === "system" && subtype === passed) on.onPassed();
      if (type === "result") hasResult = true;
    }
    return { hasResult, interrupt };
  } catch (error) {
    return { hasResult, interrupt, error };
  }
}

/** What a callback of the host does while the CLI waits for it. */
class Callback {
  readonly #passed: Promise<void>;
  #pass = (): void => {};
  #calls = 0;
  #state = "never asked";

  constructor(answersAtOnce: boolean) {
    this.#passed = answersAtOnce
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#pass = resolve;
        });
  }

  get state(): string {
    return this.#calls > 1 ? `${this.#state}, and called ${this.#calls} times` : this.#state;
  }

  release(): void {
    this.#pass();
  }

  async answer(signal: AbortSignal | undefined): Promise<void> {
    this.#calls++;
    this.#state = "open for ever";
    const withdrawn = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => resolve(), { once: true });
    });
    await Promise.race([
      this.#passed.then(() => this.#settle("answered")),
      withdrawn.then(() => this.#settle("withdrawn")),
    ]);
  }

  #settle(state: string): void {
    if (this.#state === "open for ever") this.#state = state;
  }
}

/** "answered", or the name of the error. */
async function nameOf(request: Promise<unknown>): Promise<string> {
  try {
    await request;
    return "answered";
  } catch (error) {
    return describe(error);
  }
}

function describe(error: unknown): string {
  if (error instanceof ProcessError) return `ProcessError, ${error.signal ?? `exit code ${error.exitCode}`}`;
  return error instanceof Error ? error.name : `${error}`;
}

function isTyped(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("REINS_");
}

function counted(kinds: readonly string[]): string[] {
  return [...new Set(kinds)].sort().map((kind) => {
    const count = kinds.filter((other) => other === kind).length;
    return count === 1 ? kind : `${count} × ${kind}`;
  });
}

async function within<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), cellMs);
  });
  const value = await Promise.race([promise, late]);
  clearTimeout(timer);
  return value;
}

async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie is gone; who should reap it may be another.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/\) Z /.test(stat);
}

import { randomUUID } from "node:crypto";
import { Client, deltaOf, type Options, type ResultOutcome, resultOutcome } from "@reins/sdk";
import { forkSession, projectKeyForDirectory, type SessionKey } from "@reins/sessions";
import type { Answer, RunView } from "../protocol.ts";
import { Questions } from "./questions.ts";
import { RunError } from "./run-error.ts";

/** A CLI takes about 250 MB. */
const maxOpen = 4;
const maxEnded = 20;
/** What a message that is being written shows of itself. */
const maxPartial = 20_000;

interface Run {
  readonly client: Client;
  readonly key: SessionKey;
  /** The session of which this one is a copy. */
  readonly source: string | undefined;
  readonly questions: Questions;
  state: RunView["state"];
  partial: string;
  error?: string;
}

/** A session to go on with, as it was found. */
export interface Resumed {
  readonly key: SessionKey;
  readonly cwd: string;
}

/** The sessions that this server runs itself. */
export class Runs implements AsyncDisposable {
  readonly #options: Options & { readonly cwd: string };
  readonly #runs = new Map<string, Run>();
  /** Sessions of which a copy is being made. */
  readonly #copied = new Set<string>();
  readonly #watchers = new Set<(sessionId: string) => void>();
  #isClosed = false;

  /** @param options Of every session. The folder is the server's choice: what a page says never becomes a path. */
  constructor(options: Options & { readonly cwd: string }) {
    this.#options = options;
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  /** Where the transcript of a run will be: known before there is one. */
  keyOf(sessionId: string): SessionKey | undefined {
    return this.#runs.get(sessionId)?.key;
  }

  /** Tells whether a session is run here, was, or neither. */
  stateOf(sessionId: string): "open" | "over" | undefined {
    const run = this.#runs.get(sessionId);
    return run && (isOver(run) ? "over" : "open");
  }

  /** Starts a session with its first prompt, and gives its id. */
  start(prompt: string): string {
    const sessionId = randomUUID();
    const projectKey = projectKeyForDirectory(this.cwd, { configDir: this.#configDir });
    return this.#start({ projectKey, sessionId }, { sessionId }, prompt);
  }

  /**
   * Goes on with a session that was started elsewhere. Who asks for one that is open, or for a copy while another is made, is refused: two tabs
   * must not start it twice.
   */
  resume({ key, cwd }: Resumed, prompt: string): string {
    if (this.stateOf(key.sessionId) === "open") throw new RunError("This session is open here already.");
    return this.#start(key, { cwd, resume: key.sessionId }, prompt);
  }

  /**
   * Goes on with a copy of a session, and gives its id.
   *
   * @param upTo Uuid of the entry that the copy ends with, in whichever branch. Default: the end of the branch that was written last.
   */
  async resumeCopy({ key, cwd }: Resumed, prompt: string, upTo?: string): Promise<string> {
    const source = key.sessionId;
    const isStarting = [...this.#runs.values()].some((run) => run.source === source && run.state === "starting");
    if (isStarting || this.#copied.has(source)) throw new RunError("A copy of this session is being started.");
    if (upTo === undefined) {
      const sessionId = randomUUID();
      const options = { cwd, resume: source, forkSession: true, sessionId };
      return this.#start({ ...key, sessionId }, options, prompt, source);
    }
    this.#refuseMore();
    this.#copied.add(source);
    try {
      // The CLI itself goes back on the branch that was written last, and to no other one.
      const { sessionStore } = this.#options;
      const place = { dir: cwd, ...(sessionStore === undefined ? { configDir: this.#configDir } : { sessionStore }) };
      const { sessionId } = await forkSession(source, { ...place, upToMessageId: upTo });
      return this.#start({ ...key, sessionId }, { cwd, resume: sessionId }, prompt, source);
    } finally {
      this.#copied.delete(source);
    }
  }

  get #configDir(): string | undefined {
    return this.#options.env?.["CLAUDE_CONFIG_DIR"];
  }

  #refuseMore(): void {
    // A request may have been under way when the server began to end.
    if (this.#isClosed) throw new RunError("The viewer ends.");
    const open = [...this.#runs.values()].filter((run) => !isOver(run));
    if (open.length >= maxOpen) throw new RunError(`${maxOpen} sessions are open. End one first.`);
  }

  #start(key: SessionKey, options: Options, prompt: string, source?: string): string {
    this.#refuseMore();
    this.#forget();
    const { sessionId } = key;
    const questions = new Questions(() => this.#changed(sessionId));
    const client = new Client({
      ...this.#options,
      ...options,
      includePartialMessages: true,
      // Its answers are more than yes or no.
      disallowedTools: [...(this.#options.disallowedTools ?? []), "AskUserQuestion"],
      canUseTool: (tool, input, request) => questions.ask(tool, input, request),
      onWarning: () => {},
    });
    const run: Run = { client, key, source, questions, state: "starting", partial: "" };
    this.#runs.set(sessionId, run);
    void this.#hold(sessionId, run, prompt);
    return sessionId;
  }

  /** Sends another prompt. During a turn it waits for the turn's end. */
  async send(sessionId: string, prompt: string): Promise<void> {
    const run = this.#open(sessionId);
    await this.#prompt(sessionId, run, prompt);
  }

  async interrupt(sessionId: string): Promise<void> {
    await this.#open(sessionId).client.interrupt();
  }

  async end(sessionId: string): Promise<void> {
    await this.#open(sessionId).client.close();
  }

  answer(sessionId: string, questionId: string, answer: Answer): void {
    this.#open(sessionId).questions.answer(questionId, answer);
  }

  /** Gives every run, and again each one that has changed. */
  async *watch(signal: AbortSignal): AsyncGenerator<RunView> {
    const changed = new Set(this.#runs.keys());
    let wake = (): void => {};
    const onChange = (sessionId: string): void => {
      changed.add(sessionId);
      wake();
    };
    const onAbort = (): void => wake();
    this.#watchers.add(onChange);
    signal.addEventListener("abort", onAbort);
    try {
      while (!signal.aborted) {
        for (const sessionId of changed) {
          changed.delete(sessionId);
          const run = this.#runs.get(sessionId);
          if (run !== undefined) yield viewOf(sessionId, run);
        }
        if (changed.size > 0 || signal.aborted) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      this.#watchers.delete(onChange);
      signal.removeEventListener("abort", onAbort);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#runs.values()].map(({ client }) => client.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Reads what the CLI says until it has ended, however it ends. */
  async #hold(sessionId: string, run: Run, prompt: string): Promise<void> {
    try {
      await run.client.connect();
      await this.#prompt(sessionId, run, prompt);
      for await (const message of run.client.receiveMessages()) {
        const ofSubagent = "parent_tool_use_id" in message && message.parent_tool_use_id !== null;
        const delta = ofSubagent ? undefined : deltaOf(message);
        if (delta?.type === "text_delta") {
          this.#change(sessionId, run, { partial: (run.partial + delta.text).slice(-maxPartial) });
        } else if (message.type === "assistant" && !ofSubagent) {
          this.#change(sessionId, run, { partial: "" });
        } else if (message.type === "result") {
          const error = failureOf(resultOutcome(message));
          this.#change(sessionId, run, { state: "idle", partial: "", ...(error === undefined ? {} : { error }) });
        }
      }
      this.#change(sessionId, run, { state: "ended" });
    } catch (error) {
      this.#change(sessionId, run, { state: "failed", error: error instanceof Error ? error.message : String(error) });
    } finally {
      run.questions.clear();
      this.#change(sessionId, run, { partial: "" });
      await run.client.close();
    }
  }

  async #prompt(sessionId: string, run: Run, prompt: string): Promise<void> {
    const turn = await run.client.send(prompt);
    // How the turn ended is told by the messages.
    turn.result.catch(() => {});
    delete run.error;
    this.#change(sessionId, run, { state: "running" });
  }

  /** What has ended long ago is a session as any other. */
  #forget(): void {
    const ended = [...this.#runs].filter(([, run]) => isOver(run));
    for (const [sessionId] of ended.slice(0, -maxEnded)) this.#runs.delete(sessionId);
  }

  #open(sessionId: string): Run {
    const run = this.#runs.get(sessionId);
    if (run === undefined || isOver(run)) {
      throw new RunError("This server does not run that session.");
    }
    return run;
  }

  #change(sessionId: string, run: Run, changes: Partial<Run>): void {
    Object.assign(run, changes);
    this.#changed(sessionId);
  }

  #changed(sessionId: string): void {
    for (const watcher of this.#watchers) watcher(sessionId);
  }
}

function isOver({ state }: Run): boolean {
  return state === "ended" || state === "failed";
}

function viewOf(sessionId: string, { state, partial, questions, error }: Run): RunView {
  return { sessionId, state, partial, questions: questions.open, ...(error === undefined ? {} : { error }) };
}

/** Why a turn has no answer. */
function failureOf(outcome: ResultOutcome): string | undefined {
  switch (outcome.kind) {
    case "failed":
    case "limit-reached":
    case "not-started":
    case "prompt-blocked":
      return outcome.text === "" ? `The turn ended: ${outcome.kind}.` : outcome.text;
    default:
      return undefined;
  }
}

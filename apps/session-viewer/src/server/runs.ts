import { randomUUID } from "node:crypto";
import {
  allowAlways,
  Client,
  deltaOf,
  type Options,
  type PermissionRequestOptions,
  type PermissionResult,
  type PermissionUpdate,
  type ResultOutcome,
  resultOutcome,
} from "@reins/sdk";
import { projectKeyForDirectory, type SessionKey } from "@reins/sessions";
import type { Answer, Question, RunView } from "../protocol.ts";
import { jsonOf } from "./parts.ts";

/** A CLI takes about 250 MB. */
const maxOpen = 4;
const maxEnded = 20;
/** What a message that is being written shows of itself. */
const maxPartial = 20_000;
const questionLimits = { textLength: 50_000, pictureBytes: 0 };

/** A run that there is not, or no longer; a question that was answered before. */
export class RunError extends Error {
  override get name(): string {
    return "RunError";
  }
}

interface Asked {
  readonly question: Question;
  readonly answer: (answer: Answer) => void;
}

interface Run {
  readonly client: Client;
  readonly asked: Map<string, Asked>;
  state: RunView["state"];
  partial: string;
  error?: string;
}

/** The sessions that this server runs itself. */
export class Runs implements AsyncDisposable {
  readonly #options: Options & { readonly cwd: string };
  readonly #runs = new Map<string, Run>();
  readonly #watchers = new Set<(sessionId: string) => void>();

  /** @param options Of every session. The folder is the server's choice: what a page says never becomes a path. */
  constructor(options: Options & { readonly cwd: string }) {
    this.#options = options;
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  /** Where the transcript of a run will be: known before there is one. */
  keyOf(sessionId: string): SessionKey | undefined {
    if (!this.#runs.has(sessionId)) return undefined;
    const configDir = this.#options.env?.["CLAUDE_CONFIG_DIR"];
    return { projectKey: projectKeyForDirectory(this.cwd, { configDir }), sessionId };
  }

  /** Starts a session with its first prompt, and gives its id. */
  start(prompt: string): string {
    const open = [...this.#runs.values()].filter(({ state }) => state !== "ended" && state !== "failed");
    if (open.length >= maxOpen) throw new RunError(`${maxOpen} sessions are open. End one first.`);
    this.#forget();
    const sessionId = randomUUID();
    const asked = new Map<string, Asked>();
    const client = new Client({
      ...this.#options,
      sessionId,
      includePartialMessages: true,
      // Its answers are more than yes or no.
      disallowedTools: [...(this.#options.disallowedTools ?? []), "AskUserQuestion"],
      canUseTool: (tool, input, request) => this.#ask(sessionId, tool, input, request),
      onWarning: () => {},
    });
    const run: Run = { client, asked, state: "starting", partial: "" };
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
    const asked = this.#open(sessionId).asked.get(questionId);
    if (asked === undefined) throw new RunError("The question is not open any more.");
    asked.answer(answer);
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
      run.asked.clear();
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

  #ask(
    sessionId: string,
    tool: string,
    input: Record<string, unknown>,
    request: PermissionRequestOptions,
  ): Promise<PermissionResult> {
    const { requestId: id, signal, suggestions = [], title, decisionReason, suppressAlwaysAllowRule } = request;
    const asked = this.#runs.get(sessionId)?.asked;
    return new Promise((resolve) => {
      const settle = (): void => {
        signal.removeEventListener("abort", onAbort);
        asked?.delete(id);
        this.#changed(sessionId);
      };
      // The turn was interrupted, or a hook answered first.
      const onAbort = (): void => {
        settle();
        resolve({ behavior: "deny", message: "The question was taken back." });
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort);
      const question: Question = {
        id,
        tool,
        input: jsonOf(input, questionLimits),
        always: suppressAlwaysAllowRule === true ? [] : suggestions.map(wordsOf),
        ...(title === undefined ? {} : { title }),
        ...(decisionReason === undefined ? {} : { reason: decisionReason }),
      };
      asked?.set(id, {
        question,
        answer: (answer) => {
          settle();
          if (answer === "always") resolve(allowAlways(input, suggestions));
          else if (answer === "allow") resolve({ behavior: "allow", updatedInput: input });
          else resolve({ behavior: "deny", message: "The user does not want this tool to run." });
        },
      });
      this.#changed(sessionId);
    });
  }

  /** What has ended long ago is a session as any other. */
  #forget(): void {
    const ended = [...this.#runs].filter(([, { state }]) => state === "ended" || state === "failed");
    for (const [sessionId] of ended.slice(0, -maxEnded)) this.#runs.delete(sessionId);
  }

  #open(sessionId: string): Run {
    const run = this.#runs.get(sessionId);
    if (run === undefined || run.state === "ended" || run.state === "failed") {
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

function viewOf(sessionId: string, { state, partial, asked, error }: Run): RunView {
  const questions = [...asked.values()].map(({ question }) => question);
  return { sessionId, state, partial, questions, ...(error === undefined ? {} : { error }) };
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

/** A suggestion as a person reads it. */
function wordsOf(update: PermissionUpdate): string {
  if (update.type === "addRules") {
    const rules = update.rules.map(({ toolName, ruleContent }) => {
      return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
    });
    return rules.join(", ");
  }
  if (update.type === "setMode") return `mode ${update.mode}`;
  if (update.type === "addDirectories") return `folder ${update.directories.join(", ")}`;
  return update.type;
}

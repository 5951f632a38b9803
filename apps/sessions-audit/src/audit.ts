import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { isSessionId, type LooseEntry, listSessions, readTranscript, type TokenUsage, usageOf } from "@reins/sessions";

/** What the sessions of a configuration folder used. */
export interface Report {
  readonly sessions: readonly SessionReport[];
  readonly total: TokenUsage & { readonly costUsd: number };
  readonly models: Readonly<Record<string, TokenUsage>>;
  /** By day in UTC, such as `2026-01-31`, in order. */
  readonly days: Readonly<Record<string, TokenUsage>>;
  readonly tools: Readonly<Record<string, ToolUsage>>;
  /** What could not be read. The rest was. */
  readonly problems: readonly string[];
}

interface SessionReport {
  readonly sessionId: string;
  readonly title: string;
  /** Working directory. */
  readonly cwd?: string;
  readonly lastModified: string;
  /** Its subagents included. */
  readonly tokens: TokenUsage;
  /** As the CLI wrote it last; absent where it wrote none. */
  readonly costUsd?: number;
}

interface ToolUsage {
  readonly calls: number;
  readonly errors: number;
}

/** Reads all transcripts, one line at a time. A response that several of them hold, as forks do, is counted once. */
export async function audit(configDir: string): Promise<Report> {
  const problems: string[] = [];
  const onProblem = (problem: Error): void => void problems.push(problem.message);
  const infos = await listSessions({ configDir, onProblem });

  const tally = new Tally();
  const used = new Map<string, { tokens: TokenUsage; costUsd?: number }>();
  const models = new Map<string, TokenUsage>();
  const days = new Map<string, TokenUsage>();
  for (const { sessionId, path } of await findTranscripts(configDir, onProblem)) {
    const usage = await usageOf(entriesOf(path, tally, onProblem));
    const before = used.get(sessionId);
    const costUsd = before?.costUsd ?? usage.totalCostUsd;
    used.set(sessionId, { tokens: add(before?.tokens, usage.tokens), ...(costUsd !== undefined && { costUsd }) });
    for (const [model, more] of Object.entries(usage.byModel)) models.set(model, add(models.get(model), more));
    for (const [day, byModel] of Object.entries(usage.byDay)) {
      for (const more of Object.values(byModel)) days.set(day, add(days.get(day), more));
    }
  }

  const sessions = infos.map(({ sessionId, summary, cwd, lastModified }): SessionReport => {
    const { tokens, costUsd } = used.get(sessionId) ?? { tokens: none };
    return {
      sessionId,
      title: summary,
      ...(cwd !== undefined && { cwd }),
      lastModified: new Date(lastModified).toISOString(),
      tokens,
      ...(costUsd !== undefined && { costUsd }),
    };
  });
  return {
    sessions,
    total: {
      ...[...models.values()].reduce(add, none),
      costUsd: [...used.values()].reduce((sum, { costUsd = 0 }) => sum + costUsd, 0),
    },
    models: Object.fromEntries(models),
    days: Object.fromEntries([...days].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    tools: tally.tools,
    problems,
  };
}

/** `projects/KEY/SESSION.jsonl`, and below `projects/KEY/SESSION/subagents` the transcripts of its agents. */
async function findTranscripts(
  configDir: string,
  onProblem: (problem: Error) => void,
): Promise<{ sessionId: string; path: string }[]> {
  const list = async (folder: string, recursive: boolean): Promise<string[]> => {
    const names = await readdir(folder, { recursive }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") onProblem(error);
      return [];
    });
    return names.toSorted();
  };
  const found: { sessionId: string; path: string }[] = [];
  const projects = join(configDir, "projects");
  for (const key of await list(projects, false)) {
    for (const path of await list(join(projects, key), true)) {
      const [name = "", folder] = path.split(sep);
      const sessionId = name.replace(/\.jsonl$/, "");
      const isTranscript = path.endsWith(".jsonl") && (folder === undefined || folder === "subagents");
      if (isTranscript && isSessionId(sessionId)) found.push({ sessionId, path: join(projects, key, path) });
    }
  }
  return found;
}

async function* entriesOf(
  path: string,
  tally: Tally,
  onProblem: (problem: Error) => void,
): AsyncGenerator<LooseEntry, void> {
  try {
    for await (const line of readTranscript(path)) {
      if (line.error) onProblem(new Error(`${path}, byte ${line.byteOffset}: ${line.error.message}`));
      else if (tally.count(line.entry, path)) yield line.entry;
    }
  } catch (error) {
    onProblem(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Counts tools, and tells responses that were seen in another transcript. */
class Tally {
  readonly #seenIn = new Map<unknown, string>();
  readonly #toolOf = new Map<unknown, string>();
  readonly #failed = new Set<unknown>();

  /** False for what another transcript had before. */
  count(entry: LooseEntry, path: string): boolean {
    const message = fields(entry["message"]);
    const content: unknown[] = Array.isArray(message["content"]) ? message["content"] : [];
    for (const block of content.map(fields)) {
      if (block["type"] === "tool_use") this.#toolOf.set(block["id"], String(block["name"]));
      if (block["type"] === "tool_result" && block["is_error"] === true) this.#failed.add(block["tool_use_id"]);
    }
    const id = message["id"];
    if (entry["type"] !== "assistant" || id === undefined) return true;
    if (!this.#seenIn.has(id)) this.#seenIn.set(id, path);
    return this.#seenIn.get(id) === path;
  }

  get tools(): Record<string, ToolUsage> {
    const tools = new Map<string, ToolUsage>();
    for (const [id, name] of this.#toolOf) {
      const { calls, errors } = tools.get(name) ?? { calls: 0, errors: 0 };
      tools.set(name, { calls: calls + 1, errors: errors + (this.#failed.has(id) ? 1 : 0) });
    }
    return Object.fromEntries([...tools].toSorted(([, a], [, b]) => b.calls - a.calls));
  }
}

/** Transcripts are files, so a value may be anything. */
function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const none: TokenUsage = {
  responses: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadInputTokens: 0,
  cacheCreationInputTokens: 0,
};

function add(a: TokenUsage = none, b: TokenUsage = none): TokenUsage {
  return {
    responses: a.responses + b.responses,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadInputTokens: a.cacheReadInputTokens + b.cacheReadInputTokens,
    cacheCreationInputTokens: a.cacheCreationInputTokens + b.cacheCreationInputTokens,
  };
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectKeyForPath } from "@reins/sessions";

/** A configuration folder of the CLI with sessions in it. */
export interface SessionCorpus extends Disposable {
  readonly configDir: string;
  readonly ids: readonly string[];
}

/** Where the sessions were at work. */
export const corpusFolder = "/home/user/project";

/**
 * Writes sessions as the CLI does: prompts, answers, calls and their results, and between them the records of requests, which are most of a
 * file.
 *
 * @param count How many sessions.
 * @param bytes Size of each, about.
 */
export function createCorpus(count: number, bytes: number): SessionCorpus {
  const configDir = mkdtempSync(join(tmpdir(), "reins-bench-"));
  const project = join(configDir, "projects", projectKeyForPath(corpusFolder));
  mkdirSync(project, { recursive: true });
  const ids = Array.from({ length: count }, (_, index) => idOf(index));
  for (const id of ids) writeFileSync(join(project, `${id}.jsonl`), transcript(id, bytes));
  return {
    configDir,
    ids,
    [Symbol.dispose]() {
      rmSync(configDir, { recursive: true, force: true });
    },
  };
}

const words = 'The quick brown fox jumps over the lazy dog.\n"quoted" words \\ and Grüße. ';

function transcript(sessionId: string, bytes: number): Buffer {
  const lines: string[] = [];
  let size = 0;
  let parentUuid: string | null = null;
  const add = (value: object) => {
    const line = `${JSON.stringify(value)}\n`;
    size += line.length;
    lines.push(line);
  };
  for (let index = 0; size < bytes; index++) {
    const uuid = idOf(index);
    add({ parentUuid, isSidechain: false, ...message(index), uuid, ...common(index, sessionId) });
    parentUuid = uuid;
    if (index % 40 === 1) add({ type: "api-request-shape", sessionId, tools: words.repeat(300) });
  }
  add({ type: "last-prompt", lastPrompt: "What next?", leafUuid: parentUuid, sessionId });
  add({ type: "cost-state", sessionId, totalCostUSD: 0.1, modelUsage: {} });
  return Buffer.from(lines.join(""));
}

function message(index: number): object {
  const assistant = (content: object) => ({
    type: "assistant",
    message: {
      id: `msg_${index - (index % 4)}`,
      type: "message",
      role: "assistant",
      model: "claude",
      content: [content],
      stop_reason: "tool_use",
      usage: { input_tokens: 10, output_tokens: 5 },
    },
  });
  switch (index % 4) {
    case 0:
      return { type: "user", message: { role: "user", content: words.repeat(3) } };
    case 1:
      return assistant({ type: "text", text: words.repeat(10) });
    case 2:
      return assistant({ type: "tool_use", id: `toolu_${index}`, name: "Bash", input: { command: words } });
    default: {
      const result = { type: "tool_result", tool_use_id: `toolu_${index - 1}`, content: words.repeat(30) };
      return {
        type: "user",
        message: { role: "user", content: [result] },
        toolUseResult: { stdout: words.repeat(30) },
      };
    }
  }
}

function common(index: number, sessionId: string): object {
  return {
    timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    userType: "external",
    entrypoint: "sdk-ts",
    cwd: corpusFolder,
    sessionId,
    version: "2.1.328",
    gitBranch: "main",
  };
}

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

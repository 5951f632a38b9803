import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { projectKeyForPath, type SessionKey, transcriptPath } from "@reins/sessions";

type Entry = Readonly<Record<string, unknown>>;

/** Writes a transcript as the CLI does: one entry per block, each below the one before. */
export class TranscriptWriter {
  readonly sessionId: string = randomUUID();
  readonly cwd: string;
  readonly #lines: string[] = [];
  readonly #agents: { readonly agentId: string; readonly writer: TranscriptWriter; readonly notes: Entry }[] = [];
  readonly #more: Entry;
  #parent: string | null = null;
  #time: number;
  #context = 12_000;
  #output = 0;

  constructor(options: {
    readonly cwd: string;
    readonly begin: number;
    readonly branch?: string;
    readonly more?: Entry;
  }) {
    this.cwd = options.cwd;
    this.#time = options.begin;
    this.#more = { gitBranch: options.branch ?? "main", ...options.more };
  }

  /** Lets time pass. */
  wait(ms: number): this {
    this.#time += ms;
    return this;
  }

  /** The entry that was written last. */
  get tip(): string | null {
    return this.#parent;
  }

  /** Goes on below an entry, as after a rewind: what was written below it stays, as another branch. */
  below(uuid: string | null): this {
    this.#parent = uuid;
    return this;
  }

  prompt(content: string | readonly Entry[], more: Entry & { readonly uuid?: string } = {}): this {
    return this.entry({ type: "user", message: { role: "user", content }, ...more });
  }

  /** One response of the model; each block is an entry. */
  say(...blocks: readonly (string | Entry)[]): this {
    const id = `msg_${randomUUID().slice(0, 8)}`;
    const output = JSON.stringify(blocks).length;
    this.#output += output;
    this.#context += output + 900;
    const usage = {
      input_tokens: 40,
      output_tokens: output,
      cache_read_input_tokens: this.#context - output - 240,
      cache_creation_input_tokens: 200,
    };
    for (const block of blocks) {
      const content = [typeof block === "string" ? { type: "text", text: block } : block];
      this.wait(1_700);
      this.entry({
        type: "assistant",
        message: { id, type: "message", role: "assistant", model: "claude-opus-5-5", content, usage },
      });
    }
    return this;
  }

  result(call: string, content: unknown, more: Entry = {}): this {
    const { is_error, ...fields } = more;
    const block = { type: "tool_result", tool_use_id: call, content, ...(is_error === undefined ? {} : { is_error }) };
    return this.entry({ type: "user", message: { role: "user", content: [block] }, ...fields });
  }

  /** @param kept Entries that stay in the context as they are, the last ones. */
  compact(summary: string, kept: readonly string[] = []): this {
    const preTokens = this.#context;
    this.#context = 9_000;
    const anchorUuid = randomUUID();
    const compactMetadata = {
      trigger: "auto",
      preTokens,
      postTokens: this.#context,
      durationMs: 11_400,
      ...(kept.length === 0 ? {} : { preservedMessages: { anchorUuid, uuids: kept, allUuids: kept } }),
    };
    const logicalParentUuid = this.#parent;
    this.#parent = null;
    this.entry({
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      logicalParentUuid,
      compactMetadata,
    });
    return this.prompt(summary, { uuid: anchorUuid, isCompactSummary: true, isVisibleInTranscriptOnly: true });
  }

  /** A context that has grown by work that is not written down here. */
  grow(tokens: number): this {
    this.#context += tokens;
    return this;
  }

  record(entry: Entry): this {
    this.#lines.push(JSON.stringify({ ...entry, sessionId: this.sessionId }));
    return this;
  }

  /** A line as it is: what no program would write. */
  line(text: string): this {
    this.#lines.push(text);
    return this;
  }

  /** What the CLI notes at the end. */
  end(title: string, costUsd: number): this {
    this.record({ type: "ai-title", aiTitle: title });
    const tokens = {
      inputTokens: 4_000,
      outputTokens: this.#output,
      cacheReadInputTokens: 90_000,
      cacheCreationInputTokens: 3_000,
    };
    const modelUsage = { "claude-opus-5-5": { ...tokens, webSearchRequests: 0, costUSD: costUsd } };
    return this.record({ type: "cost-state", totalCostUSD: costUsd, modelUsage });
  }

  /** A subagent, whose transcript lies beside this one. */
  agent(agentId: string, notes: Entry): TranscriptWriter {
    const more = { ...this.#more, isSidechain: true, agentId, sessionId: this.sessionId };
    const writer = new TranscriptWriter({ cwd: this.cwd, begin: this.#time, more });
    this.#agents.push({ agentId, writer, notes });
    return writer;
  }

  get time(): number {
    return this.#time;
  }

  get text(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  get key(): SessionKey {
    return { projectKey: projectKeyForPath(this.cwd), sessionId: this.sessionId };
  }

  /** Puts the transcript, and those of the subagents, where the CLI would. Gives its path. */
  async write(configDir: string): Promise<string> {
    const path = transcriptPath(this.key, { configDir });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, this.text);
    for (const { agentId, writer, notes } of this.#agents) {
      const side = transcriptPath({ ...this.key, subpath: `subagents/agent-${agentId}` }, { configDir });
      await mkdir(dirname(side), { recursive: true });
      await writeFile(side, writer.text);
      await writeFile(side.replace(/\.jsonl$/, ".meta.json"), JSON.stringify(notes));
    }
    return path;
  }

  /** An entry of the conversation, below the last one. */
  entry(entry: Entry & { readonly uuid?: string }): this {
    this.wait(250);
    const common = {
      parentUuid: this.#parent,
      isSidechain: false,
      userType: "external",
      entrypoint: "cli",
      cwd: this.cwd,
      sessionId: this.sessionId,
      version: "2.1.328",
      uuid: randomUUID(),
      timestamp: new Date(this.#time).toISOString(),
      ...this.#more,
    };
    const written = { ...common, ...entry };
    this.#lines.push(JSON.stringify(written));
    this.#parent = written.uuid;
    return this;
  }
}

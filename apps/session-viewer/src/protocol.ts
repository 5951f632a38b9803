/**
 * What the server tells the page. A transcript is text that strangers wrote: the server makes these shapes of it, and the page sees
 * nothing else.
 */

/** What a part of an entry is. `record` is what the CLI writes for itself. */
export type PartKind =
  | "prompt"
  | "text"
  | "thinking"
  | "call"
  | "result"
  | "image"
  | "compaction"
  | "summary"
  | "notice"
  | "error"
  | "record";

/** A part in the index of a transcript: enough for a row of the list, without its text. */
export interface Stub {
  /** Where the entry begins: bytes in a file, a count of entries in a store. Names the entry in requests. */
  readonly at: number;
  /** The part within its entry. */
  readonly part: number;
  readonly kind: PartKind;
  /** Milliseconds since 1970. */
  readonly time?: number;
  /** Characters of text, for a guess of the height. */
  readonly size: number;
  /** The tool of a call, the type of a record. */
  readonly name?: string;
  /** Id of the call, for `call` and `result`. */
  readonly call?: string;
  readonly failed?: boolean;
  /** Tokens in the context window after this response. */
  readonly context?: number;
  readonly model?: string;
}

/** Where an entry hangs in the tree that a transcript is. Records about the session have none. */
export interface Link {
  /** Names the entry, as in its stubs. */
  readonly at: number;
  readonly uuid: string;
  /** Uuid of the entry above. A compaction names the last one before it. */
  readonly parent?: string;
  /** A person, the model or a tool says something in it. */
  readonly message?: true;
  /** Id of the prompt, response or compaction that the entry is of. None: only what belongs to others, such as the result of a call. */
  readonly turn?: string;
  readonly time?: number;
  /** It belongs to another conversation than that of the session: to a subagent, or to a colleague of a team. */
  readonly side?: true;
  /** It says nothing of where the conversation goes on. */
  readonly passive?: true;
  /** What a compaction left in place. The entries keep their parents; what comes after them hangs below the anchor, the summary. */
  readonly kept?: { readonly anchor: string; readonly uuids: readonly string[] };
}

/** Text that may have been cut. */
export interface Text {
  readonly text: string;
  /** Characters of the whole text. */
  readonly length: number;
}

/** A picture. Without `data` it is of a kind that is not shown, or large and not asked for yet. */
export interface Picture {
  readonly mime: string;
  readonly bytes: number;
  /** Base64. */
  readonly data?: string;
  readonly reason?: "kind" | "size";
}

/** Lines of a change: each begins with `+`, `-` or a space. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

export type Part =
  | ({ readonly kind: "prompt" | "text" | "thinking" | "summary" | "notice" | "error" } & Text)
  | ({ readonly kind: "record"; readonly name: string } & Text)
  | { readonly kind: "call"; readonly call: string; readonly name: string; readonly input: Json; readonly size: number }
  | ({
      readonly kind: "result";
      readonly call: string;
      readonly failed: boolean;
      readonly pictures: readonly Picture[];
      readonly patch?: readonly Hunk[];
      /** The subagent whose work this is. */
      readonly agentId?: string;
    } & Text)
  | { readonly kind: "image"; readonly picture: Picture }
  | {
      readonly kind: "compaction";
      readonly trigger: string;
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
      readonly durationMs?: number;
    };

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An entry of a transcript, for the rows that are in sight. */
export interface EntryView {
  readonly at: number;
  readonly uuid?: string;
  readonly parts: readonly Part[];
}

/** Events of a transcript's stream: `stubs`, `live` when all that was there has come, `reset` when the file was replaced. */
export interface StubBatch {
  readonly stubs: readonly Stub[];
  readonly links: readonly Link[];
  /** Where to go on. */
  readonly next: number;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly title: string;
  readonly firstPrompt?: string;
  readonly cwd?: string;
  readonly gitBranch?: string;
  readonly tag?: string;
  readonly createdAt?: number;
  readonly lastModified: number;
  readonly fileSize?: number;
  readonly archived?: boolean;
}

export interface AgentRow {
  readonly agentId: string;
  /** The call that started it, where the CLI noted it. */
  readonly call?: string;
  readonly agentType?: string;
  readonly description?: string;
}

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface UsageView {
  readonly sessionId: string;
  readonly tokens: Tokens;
  readonly responses: number;
  readonly costUsd?: number;
  readonly byDay: Readonly<Record<string, Tokens>>;
  readonly byModel: Readonly<Record<string, Tokens & { readonly costUsd?: number }>>;
}

export interface Match {
  readonly sessionId: string;
  readonly at: number;
  readonly excerpt: string;
  readonly type: string;
  readonly time?: number;
}

/** A question of the CLI that waits for a person. */
export interface Question {
  readonly id: string;
  readonly tool: string;
  readonly title?: string;
  readonly reason?: string;
  readonly input: Json;
  /** What "always" would allow, in words. */
  readonly always: readonly string[];
}

export type Answer = "allow" | "always" | "deny";

/** A session that this server runs. */
export interface RunView {
  readonly sessionId: string;
  readonly state: "starting" | "running" | "idle" | "ended" | "failed";
  /** What the model has said of the message that is not in the transcript yet. */
  readonly partial: string;
  readonly questions: readonly Question[];
  readonly error?: string;
}

/** What the page asks before it offers to go on with a session. */
export interface Continuation {
  /** Where the session works. */
  readonly cwd?: string;
  /** Why it cannot be gone on with here. */
  readonly problem?: string;
  /** True when someone else seems to be writing it. */
  readonly isGrowing: boolean;
}

/** What the page asks first. */
export interface About {
  /** Whose sessions these are. */
  readonly source: string;
  /** Where a new session works. None: this server starts none. */
  readonly cwd?: string;
  /** True when the answers are scripted. */
  readonly demo: boolean;
}
